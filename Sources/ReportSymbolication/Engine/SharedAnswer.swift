import AddressResolver
package import CrashLogParser
import FunctionNames
package import SymbolStore
package import SymbolicationModel
import Wording

/// The answer for one address, for all frames that ask about it. What a frame is told depends on
/// what the report already says about it, which has few forms; each is made once.
package final class SharedAnswer {
  private let resolved: ResolvedAddress
  private let function: FrameAnswer.FrameText
  private let inlined: [FrameAnswer.FrameText]
  private let symbolFile: String
  private let basis: SymbolMatch.Basis
  private let resymbolicates: Bool
  private var answers: [Form: FrameAnswer] = [:]
  /// Whether it was made short, and a whole one says more.
  package let isShortened: Bool
  /// The answer for frames without a name and without stated inlined frames.
  private lazy var plainAnswer = make(Form(keepsStatedName: false, showsInlined: true))

  /// About how many bytes it takes.
  var size: Int {
    inlined.reduce(512 + function.size) { $0 + 512 + $1.size }
  }

  /// The answer for a frame without a name.
  package var plain: FrameAnswer { plainAnswer }

  private struct Form: Hashable {
    let keepsStatedName: Bool
    let showsInlined: Bool
  }

  /// - Parameter isShort: whether to leave out inlined calls and long paths, and to cut long names.
  package init(
    _ resolved: ResolvedAddress, at address: LinkAddress, symbolFile: String,
    basis: SymbolMatch.Basis, _ options: SymbolicationOptions, isShort: Bool
  ) {
    self.resolved = resolved
    self.symbolFile = symbolFile
    self.basis = basis
    self.resymbolicates = options.resymbolicates
    let hasCalls = options.showsInlinedFrames && !resolved.inlinedFrames.isEmpty
    isShortened = isShort && (hasCalls || resolved.function.isLong)
    let shown = isShortened ? resolved.function.shortened : resolved.function
    function = FrameAnswer.FrameText(shown, at: address, options)
    inlined =
      hasCalls && !isShort
      ? resolved.inlinedFrames.map { FrameAnswer.FrameText($0, at: address, options) } : []
  }

  /// Nil if the report already says as much.
  ///
  /// - Parameter stated: the symbol that the report shows.
  package func answer(
    to question: ImageQuestions.Question, stated: @autoclosure () -> FrameSymbol?
  ) -> FrameAnswer? {
    if !question.isNamed, !question.hasStatedInlinedFrames { return plainAnswer }
    var keepsStatedName = false
    if question.isNamed, !resymbolicates {
      // The frame has a name without a line: from a symbol table, as on Apple's devices.
      guard function.location != nil else { return nil }
      keepsStatedName = stated()?.isSameFunction(as: function) ?? false
    }
    let form = Form(
      keepsStatedName: keepsStatedName,
      showsInlined: resymbolicates || !question.hasStatedInlinedFrames)
    if let known = answers[form] { return known }
    let answer = make(form)
    answers[form] = answer
    return answer
  }

  private func make(_ form: Form) -> FrameAnswer {
    FrameAnswer(
      function: function, inlined: form.showsInlined ? inlined : [],
      keepsStatedName: form.keepsStatedName, origin: resolved.origin, symbolFile: symbolFile,
      basis: basis,
      trapMessage: resolved.inlinedFrames.first.flatMap { TrapMessage(function: $0.name) })
  }
}

extension FrameAnswer.FrameText {
  /// The bytes of its texts.
  fileprivate var size: Int {
    name.utf8.count + (rawName?.utf8.count ?? 0) + (location?.path.utf8.count ?? 0)
  }

  fileprivate init(
    _ frame: ResolvedFrame, at address: LinkAddress, _ options: SymbolicationOptions
  ) {
    let paths = options.sourcePaths
    let found = frame.location.map { options.il2cppMap?.managedLocation(of: $0) ?? $0 }
    let location = found.map { paths.shown($0) }
    let shownFile = location.map { paths.shownFile($0) }
    self.init(
      name: frame.name.withoutControlCharacters,
      rawName: frame.rawName.isEmpty ? nil : frame.rawName,
      offset: address.distance(from: frame.rangeStart) ?? 0, location: location,
      fileName: paths.showsFullPath ? location?.fileName : shownFile, shownFile: shownFile,
      sourceLine: options.sourceContext == nil
        ? nil : found.flatMap { paths.sourceLine($0) })
  }
}

extension FrameSymbol {
  /// Compares names, then the start of the function, because names are spelt in different ways.
  fileprivate func isSameFunction(as function: FrameAnswer.FrameText) -> Bool {
    if name == function.name { return true }
    // Some writers count to the address that was looked up, which is one less.
    guard let offset, offset >= 0 else { return false }
    return UInt64(offset) == function.offset || UInt64(offset) &+ 1 == function.offset
  }
}
