import AddressResolver
import CrashLogParser
import SymbolStore
import SymbolicationModel

/// The frames of one image that are to be looked up.
struct ImageQuestions {
  let image: ReportImage
  var frames: [Question] = []

  struct Question {
    /// The frame's place among the report's backtraces.
    let place: FramePosition
    /// `SymbolicatedFrame.codeAddress`.
    let address: LoadAddress
    /// The address, or the byte before it for a return address.
    let lookupAddress: LoadAddress
    let stated: FrameSymbol?
    let hasStatedInlinedFrames: Bool
  }

  /// How many frames show no name until this one is answered.
  var namelessCount: Int { frames.count { $0.stated == nil } }

  private func slide(in resolver: ImageResolver) -> Slide? {
    resolver.linkBase().map { Slide(loadAddress: image.loadAddress, linkBase: $0) }
  }

  /// What `answer` will ask `resolver`.
  func announcement(for resolver: ImageResolver) -> ImageResolver.Announcement {
    let slide = slide(in: resolver)
    return ImageResolver.Announcement(
      resolver: resolver,
      addresses: slide.map { slide in frames.map { slide.linkAddress(of: $0.lookupAddress) } } ?? []
    )
  }

  /// Asks `resolver` in ascending order of addresses, each distinct one once, so that every unit of
  /// debug information is gone to once.
  ///
  /// - Parameter take: called for each frame that something new is known of.
  func answer(
    with resolver: ImageResolver, basis: SymbolMatch.Basis, _ options: SymbolicationOptions,
    take: (FramePosition, FrameAnswer) -> Void
  ) {
    guard let slide = slide(in: resolver) else { return }
    var last: (question: Question, answer: ResolvedAddress?)?
    for question in frames.sorted(by: { $0.lookupAddress < $1.lookupAddress }) {
      let resolved: ResolvedAddress?
      if let last, last.question.lookupAddress == question.lookupAddress,
        last.question.address == question.address
      {
        resolved = last.answer
      } else {
        resolved = answer(to: question, with: resolver, slide)
        last = (question, resolved)
      }
      if let resolved {
        let answer = FrameAnswer(
          resolved, at: slide.linkAddress(of: question.address), question,
          symbolFile: resolver.path, basis: basis, options)
        if let answer { take(question.place, answer) }
      }
    }
  }

  private func answer(
    to question: Question, with resolver: ImageResolver, _ slide: Slide
  ) -> ResolvedAddress? {
    let resolved = resolver.resolve(slide.linkAddress(of: question.lookupAddress))
    // DWARF knows which code the byte before the address belongs to; a symbol table may take
    // filling for a part of the function before it.
    if question.lookupAddress < question.address, resolved?.origin != .dwarf,
      let trampoline = resolver.signalTrampoline(
        beginningAt: slide.linkAddress(of: question.address))
    {
      return trampoline
    }
    return resolved
  }
}

/// Where a frame stands in `SymbolicatedReport.backtraces`.
struct FramePosition: Hashable {
  let backtrace: Int
  let frame: Int
}

extension FrameAnswer {
  /// Nil where the report says as much already.
  fileprivate init?(
    _ resolved: ResolvedAddress, at address: LinkAddress, _ question: ImageQuestions.Question,
    symbolFile: String, basis: SymbolMatch.Basis, _ options: SymbolicationOptions
  ) {
    let function = FrameText(resolved.function, at: address, options)
    var keepsStatedName = false
    if let stated = question.stated, !options.resymbolicates {
      // It has a name and no line: a name from a symbol table, as Apple's devices write it.
      guard function.location != nil else { return nil }
      keepsStatedName = stated.isSameFunction(as: function)
    }
    let showsInlined =
      options.showsInlinedFrames && (options.resymbolicates || !question.hasStatedInlinedFrames)
    self.init(
      function: function,
      inlined: showsInlined
        ? resolved.inlinedFrames.map { FrameText($0, at: address, options) } : [],
      keepsStatedName: keepsStatedName, origin: resolved.origin, symbolFile: symbolFile,
      basis: basis,
      trapMessage: resolved.inlinedFrames.first.flatMap { TrapMessage(function: $0.name) })
  }
}

extension FrameAnswer.FrameText {
  fileprivate init(
    _ frame: ResolvedFrame, at address: LinkAddress, _ options: SymbolicationOptions
  ) {
    let paths = options.sourcePaths
    let location = frame.location.map { paths.shown($0) }
    self.init(
      name: frame.name.withoutControlCharacters,
      rawName: frame.rawName.isEmpty ? nil : frame.rawName,
      offset: address.distance(from: frame.rangeStart) ?? 0, location: location,
      shownFile: location.map { paths.shownFile($0) },
      sourceLine: options.sourceContext == nil
        ? nil : frame.location.flatMap { paths.sourceLine($0) })
  }
}

extension FrameSymbol {
  /// By the name, or by where the function begins: names are spelt in different ways.
  fileprivate func isSameFunction(as function: FrameAnswer.FrameText) -> Bool {
    if name == function.name { return true }
    // Some writers count from the address that was looked up, one less.
    guard let offset, offset >= 0 else { return false }
    return UInt64(offset) == function.offset || UInt64(offset) &+ 1 == function.offset
  }
}
