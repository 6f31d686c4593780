import AddressResolver
import CrashLogParser
import SymbolStore
import SymbolicationModel

/// The frames of one image to look up.
struct ImageQuestions {
  let image: ReportImage
  var frames: [Question] = []

  struct Question {
    /// The frame's position among the report's backtraces.
    let position: FramePosition
    /// `SymbolicatedFrame.codeAddress`.
    let address: LoadAddress
    /// The address; for a return address, the byte before it.
    let lookupAddress: LoadAddress
    let stated: FrameSymbol?
    let hasStatedInlinedFrames: Bool
  }

  /// The number of frames that show no name before they are answered.
  var namelessCount: Int { frames.count { $0.stated == nil } }

  private func slide(in resolver: ImageResolver) -> Slide? {
    resolver.linkBase().map { Slide(loadAddress: image.loadAddress, linkBase: $0) }
  }

  /// The lookups that `answer` will make, so that `resolver` can prepare for them.
  func announcement(for resolver: ImageResolver) -> ImageResolver.Announcement {
    let slide = slide(in: resolver)
    return ImageResolver.Announcement(
      resolver: resolver,
      addresses: slide.map { slide in frames.map { slide.linkAddress(of: $0.lookupAddress) } } ?? []
    )
  }

  /// Looks up each distinct address once, in ascending order, so that each unit of debug
  /// information is visited once.
  ///
  /// - Parameter take: called for each frame with something new.
  func answer(
    with resolver: ImageResolver, basis: SymbolMatch.Basis, _ options: SymbolicationOptions,
    take: (FramePosition, FrameAnswer) -> Void
  ) {
    guard let slide = slide(in: resolver) else { return }
    var options = options
    options.sourcePaths = options.sourcePaths.with(resolver.recordedSourceMappings)
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
        if let answer { take(question.position, answer) }
      }
    }
  }

  private func answer(
    to question: Question, with resolver: ImageResolver, _ slide: Slide
  ) -> ResolvedAddress? {
    let resolved = resolver.resolve(slide.linkAddress(of: question.lookupAddress))
    // Debug information knows which code the byte before the address belongs to. A symbol table may
    // count padding as part of the function before it.
    if question.lookupAddress < question.address,
      resolved?.origin != .dwarf && resolved?.origin != .breakpad,
      let trampoline = resolver.signalTrampoline(
        beginningAt: slide.linkAddress(of: question.address))
    {
      return trampoline
    }
    return resolved
  }
}

/// The position of a frame in `SymbolicatedReport.backtraces`.
struct FramePosition: Hashable {
  let backtrace: Int
  let frame: Int
}

extension FrameAnswer {
  /// Nil if the report already says as much.
  fileprivate init?(
    _ resolved: ResolvedAddress, at address: LinkAddress, _ question: ImageQuestions.Question,
    symbolFile: String, basis: SymbolMatch.Basis, _ options: SymbolicationOptions
  ) {
    let function = FrameText(resolved.function, at: address, options)
    var keepsStatedName = false
    if let stated = question.stated, !options.resymbolicates {
      // The frame has a name without a line: from a symbol table, as on Apple's devices.
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
    let found = frame.location.map { options.il2cppMap?.managedLocation(of: $0) ?? $0 }
    let location = found.map { paths.shown($0) }
    self.init(
      name: frame.name.withoutControlCharacters,
      rawName: frame.rawName.isEmpty ? nil : frame.rawName,
      offset: address.distance(from: frame.rangeStart) ?? 0, location: location,
      shownFile: location.map { paths.shownFile($0) },
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
