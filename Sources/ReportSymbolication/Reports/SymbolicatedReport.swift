package import CrashLogParser
package import FunctionNames
package import SymbolStore
package import SymbolicationModel

/// A report with what was found out about its frames. Every output form is made from it.
package struct SymbolicatedReport: Sendable {
  package let source: Report
  /// In the order of ``Report/backtraces``.
  package internal(set) var backtraces: [SymbolicatedBacktrace]
  /// The images by their indices, as far as frames needed them: nil if none did, `.some(nil)` for
  /// an entry that stands for no image.
  let knownImages: [ReportImage??]
  /// The symbol files in use, by the images that they are for.
  package internal(set) var symbolFiles: [ReportImage: UsedSymbolFile] = [:]
  /// Images with frames to resolve but without a symbol file, in the order of the report.
  package internal(set) var missingImages: [MissingImage] = []
  /// Frames of a trace that are in no image, by what they call theirs.
  package internal(set) var unplacedFrames: [UnplacedFrames] = []
  /// Images with frames that contradict themselves, in the order of the report.
  package internal(set) var contradictedImages: [ContradictedImage] = []
}

/// The symbol file of an image.
package struct UsedSymbolFile: Hashable, Sendable {
  package let path: String
  /// What it was chosen by.
  package let basis: SymbolMatch.Basis
  /// How many reports its names were learnt from; nil for a real symbol file.
  package let reportCount: Int?
}

/// A backtrace with what was found out about its frames.
package struct SymbolicatedBacktrace: Sendable {
  package let source: Backtrace
  package internal(set) var frames: [SymbolicatedFrame]
  /// Whether the options ask for it.
  package let isSelected: Bool
}

/// A frame: what the report says about it, and what was found out.
///
/// A report has a great many, so what few frames have is in boxes, and frames at one address share
/// their answer.
package struct SymbolicatedFrame: Sendable {
  package let source: StackFrame
  /// The address without bits that are not part of it, a pointer authentication code or the Thumb
  /// bit. It is looked up, and distances are counted to it.
  package let codeAddress: LoadAddress?
  package internal(set) var addressKind: FrameAddressKind
  /// Whether the report shows calls inlined at this address, in the frames before this one.
  package let hasStatedInlinedFrames: Bool
  /// Whether it is dropped: the answer of the frame that it is inlined into brings its own calls.
  package internal(set) var isSuperseded = false
  /// What the report calls the image, if that is not the image's name.
  private let ownImageName: String?
  /// Nil if the report has no image there.
  package let image: ReportImage?
  package internal(set) var answer: FrameAnswer?
  /// What the report says about the function.
  let statement: FrameStatement
  private var rareParts: RareParts?

  /// - Parameter imageName: what the report calls the image; nil if that is the image's name, or if
  ///   it says nothing.
  init(
    source: StackFrame, addressKind: FrameAddressKind, imageName: String?,
    located: ImageFinder.LocatedAddress?, statement: FrameStatement, hasStatedInlinedFrames: Bool
  ) {
    self.source = source
    self.codeAddress = located?.codeAddress ?? source.address
    self.addressKind = addressKind
    self.ownImageName = imageName
    self.image = located?.image
    self.statement = statement
    self.hasStatedInlinedFrames = hasStatedInlinedFrames
    if let contradiction = located?.contradiction {
      rareParts = RareParts(contradiction: contradiction, explanation: nil)
    }
  }

  /// The address in the process, as the report gives it; nil if it does not.
  package var address: LoadAddress? { source.address }

  /// Bytes from the start of the image; nil for an address before that. Without an address, what
  /// the report states.
  package var imageOffset: UInt64? {
    guard let address = codeAddress else { return source.imageOffset }
    guard let image, address >= image.loadAddress else { return nil }
    return address.value - image.loadAddress.value
  }

  /// As the report writes it.
  package var imageName: String { ownImageName ?? image?.name ?? unknownImageName }

  /// The symbol that the report shows; nil if it shows none.
  package var stated: FrameSymbol? { statedSymbol?.symbol }

  /// The same, to be kept: the text may be read anew on each call.
  var statedSymbol: StatedSymbol? {
    switch statement {
    case .none: source.lookedUpSymbol.map { StatedSymbol($0) }
    case .read(let symbol): symbol
    case .inObject: source.symbol.map { StatedSymbol($0) }
    }
  }

  /// What the frame says about its place in an image, if that does not agree with its address.
  @inline(__always)
  var contradiction: AddressContradiction? { rareParts?.contradiction }

  /// What the answer is based on, if the options ask for it (`SymbolicationOptions.explains`).
  package var explanation: FrameExplanation? { rareParts?.explanation }

  mutating func explain(with explanation: FrameExplanation) {
    rareParts = RareParts(contradiction: contradiction, explanation: explanation)
  }

  private final class RareParts: Sendable {
    let contradiction: AddressContradiction?
    let explanation: FrameExplanation?

    init(contradiction: AddressContradiction?, explanation: FrameExplanation?) {
      self.contradiction = contradiction
      self.explanation = explanation
    }
  }
}

/// What a symbol file says about a frame. Frames at the same address share it.
package final class FrameAnswer: Sendable {
  /// The function that has code of its own, with the line of the call site if calls are inlined.
  package let function: FrameText
  /// The calls inlined at the address, innermost first; empty if they are not to be shown.
  package let inlined: [FrameText]
  /// Whether the name in the report stays, and only the line is new.
  package let keepsStatedName: Bool
  package let origin: AnswerOrigin
  /// The symbol file.
  package let symbolFile: String
  /// How the file was matched.
  package let basis: SymbolMatch.Basis
  /// Why the code traps at the address, whether or not the calls inlined there are shown.
  package let trapMessage: TrapMessage?

  init(
    function: FrameText, inlined: [FrameText], keepsStatedName: Bool, origin: AnswerOrigin,
    symbolFile: String, basis: SymbolMatch.Basis, trapMessage: TrapMessage?
  ) {
    self.function = function
    self.inlined = inlined
    self.keepsStatedName = keepsStatedName
    self.origin = origin
    self.symbolFile = symbolFile
    self.basis = basis
    self.trapMessage = trapMessage
  }

  /// The same answer with other texts.
  package func with(function: FrameText, inlined: [FrameText]) -> FrameAnswer {
    FrameAnswer(
      function: function, inlined: inlined, keepsStatedName: keepsStatedName, origin: origin,
      symbolFile: symbolFile, basis: basis, trapMessage: trapMessage)
  }

  /// What a frame shows.
  package struct FrameText: Hashable, Sendable {
    package let name: String
    /// The name as the symbol file spells it; nil if it has none.
    package let rawName: String?
    /// Bytes from the start of the function, or of the inlined body, to the frame's address.
    package let offset: UInt64
    /// With the path as the options want it.
    package let location: SymbolicationModel.SourceLocation?
    /// The name of the file, without its folders.
    package let fileName: String?
    /// What text shows of the file: its name, or the whole path.
    package let shownFile: String?
    /// Nil if no source lines are wanted, and for code without a line.
    let sourceLine: SourceLine?
    package var source: SourceExcerpt?
  }
}

extension SymbolicatedReport {
  /// The backtrace that says most about the crash, among those with frames to show: where the
  /// exception was thrown, else the crashed thread, else the one that was seen in the most samples;
  /// the first of several.
  package func shownBacktrace(_ options: SymbolicationOptions) -> SymbolicatedBacktrace? {
    let candidates = backtraces.indices.filter { index in
      backtraces[index].isSelected && backtraces[index].frames.contains { $0.isShown(options) }
    }
    let shown =
      candidates.first { isOfException($0) } ?? candidates.first { isCrashed($0) }
      ?? crashBacktrace().flatMap { candidates.contains($0.index) ? $0.index : nil }
    return (shown ?? mostSampled(candidates)).map { backtraces[$0] }
  }

  /// The backtrace in which the crash happened: its index among all backtraces, and among the
  /// selected ones. It is the one that `shownBacktrace` prefers, if it is known to belong to the
  /// crash; nil if the report does not say which it is, or if the options leave it out.
  package func crashBacktrace() -> (index: Int, selectedIndex: Int)? {
    let selected = backtraces.indices.filter { backtraces[$0].isSelected }
    guard let index = indexOfCrash(among: selected) else { return nil }
    return selected.firstIndex(of: index).map { (index: index, selectedIndex: $0) }
  }

  /// The stack with the frames further out of an exception's, in which the report ends: a piece
  /// above it, without a heading, whose numbers are greater. Nil if the report is not like that.
  package func outerPiece(ofException index: Int) -> Int? {
    let other = index == 0 ? 1 : 0
    guard backtraces.count == 2, backtraces.allSatisfy(\.isSelected),
      case let (inner, outer) = (backtraces[index].source, backtraces[other].source),
      inner.kind == .lastException, inner.byteRange.upperBound == source.byteRange.upperBound,
      outer.kind == .thread, outer.number == nil, outer.name == nil,
      outer.byteRange.lowerBound == outer.frames.first?.byteRange?.lowerBound,
      let last = inner.frames.last?.index, let first = outer.frames.first?.index, first > last
    else { return nil }
    return other
  }

  /// The index of the backtrace that a signature is made from, whether or not the options ask for
  /// it: of a crash the one in which it happened, of other events the one with the most samples.
  /// Nil if the report does not say which it is.
  ///
  /// - Parameter version: the first one also took the only thread of a text that does not say which
  ///   thread crashed.
  package func signatureBacktrace(_ version: SignatureVersion = .current) -> Int? {
    let filled = filledIndices
    if let index = indexOfCrash(among: filled) { return index }
    if version == .first, filled.count == 1 { return filled.first }
    let isCrash = source.facts.event == .crash
    return mostSampled(filled.filter { !isCrash || backtraces[$0].source.isCallTree })
  }

  /// Whether this is a crash that does not say in which of its threads it happened.
  package var isCrashOfUnknownThread: Bool {
    source.facts.event == .crash && signatureBacktrace() == nil
      && filledIndices.contains { backtraces[$0].source.kind == .thread }
  }

  private var filledIndices: [Int] { backtraces.indices.filter { !backtraces[$0].frames.isEmpty } }

  /// Where the exception was thrown, else the crashed thread, else the only stack.
  private func indexOfCrash(among indices: [Int]) -> Int? {
    let filled = indices.filter { !backtraces[$0].frames.isEmpty }
    if let crashed = filled.first(where: { isOfException($0) })
      ?? filled.first(where: { isCrashed($0) }).map({ abortingThread(orElse: $0) })
    {
      return crashed
    }
    guard filled == filledIndices else { return nil }
    let isOne = filled.count == 1 || filled.count == 2 && isRepeated(filled[0], in: filled[1])
    return isOne && !mayBeAnyThread(filled[0]) ? filled[0] : endingThread(among: filled)
  }

  /// Whether a stack is another one once more, as in an answer that quotes it.
  private func isRepeated(_ first: Int, in second: Int) -> Bool {
    let (one, other) = (backtraces[first].source, backtraces[second].source)
    func isSame(_ frame: StackFrame, _ next: StackFrame) -> Bool {
      frame.index == next.index && frame.address == next.address && frame.symbol == next.symbol
    }
    return one.number == other.number && one.frames.elementsEqual(other.frames, by: isSame)
  }

  /// The only thread with functions that end the process and do nothing else, if the text does not
  /// say which thread crashed. Else the one that handles a signal.
  ///
  /// Source: abort(3); github.com/apple-oss-distributions/objc4, runtime/objc-exception.mm;
  /// llvm-project, libcxxabi/src/cxa_handlers.cpp; rust-lang/rust, library/std/src/panicking.rs.
  private func endingThread(among indices: [Int]) -> Int? {
    guard source.facts.event == .crash, source.format == .crashText,
      source.facts.statedCrashedThread == nil
    else { return nil }
    let threads = indices.filter { backtraces[$0].source.kind == .thread }
    let ending = threads.filter { backtraces[$0].source.endsProcess }
    guard ending.isEmpty else { return ending.count == 1 ? ending[0] : nil }
    // Several may have got one: what ends the process asks for the stacks of the others.
    let signalled = threads.filter { !backtraces[$0].source.interruptedFrames.isEmpty }
    return signalled.first {
      backtraces[$0].source.interruptedFrames.contains(where: \.isOutsideSystem)
    } ?? (signalled.count == 1 ? signalled[0] : nil)
  }

  /// The only thread that ends the process with `abort()`, if the marked one only waits: libraries
  /// that end it for somebody else do so on a thread of their own.
  private func abortingThread(orElse marked: Int) -> Int {
    let exception = source.facts.exception
    guard exception.type == "EXC_CRASH", exception.signal == "SIGABRT",
      isWaiting(marked)
    else { return marked }
    let others = filledIndices.filter { index in
      backtraces[index].source.kind == .thread
        && names(index).contains { Self.endings.contains($0) }
    }
    return others.count == 1 ? others[0] : marked
  }

  private func isWaiting(_ index: Int) -> Bool {
    names(index).contains { $0.hasPrefix("mach_msg") || $0 == "__workq_kernreturn" }
  }

  /// Of the innermost functions.
  private func names(_ index: Int) -> [String] {
    backtraces[index].source.frames.prefix(3).compactMap { $0.symbol?.name }
  }

  private static let endings: Set = [
    "abort", "__abort", "abort_with_payload", "abort_with_reason", "__pthread_kill",
    "abort_with_payload_wrapper_internal", "__abort_with_payload", "__terminate_with_payload",
  ]

  /// Whether a crash report as text has this numbered thread only: its other threads may have been
  /// cut off. Frames without a heading are what somebody copied because it crashed there.
  private func mayBeAnyThread(_ index: Int) -> Bool {
    let backtrace = backtraces[index].source
    // Crashlytics says `Crashed: ` before the name of the thread that did. One that only waits may
    // be any other.
    if source.format == .crashlytics, let name = backtrace.name {
      let isNamedByQueue =
        name == "Thread" || name.contains(".") && !name.contains { $0 == " " || $0 == ":" }
      return backtrace.kind == .thread && isNamedByQueue && isWaiting(index)
    }
    // A sanitizer also prints who freed the memory. Without the first frame it may be that stack.
    if source.format == .sanitizer, let first = backtrace.frames.first?.index { return first > 0 }
    return backtrace.kind == .thread && backtrace.number != nil && source.facts.event == .crash
      && [.crashText, .crashTextWithJsonHeader, .pythonFault].contains(source.format)
  }

  /// The index, among the selected ones, of the backtrace that was seen in the most samples.
  package func mostSampledIndex(_ options: SymbolicationOptions) -> Int? {
    let selected = backtraces.indices.filter { backtraces[$0].isSelected }
    let found = mostSampled(
      selected.filter { index in backtraces[index].frames.contains { $0.isShown(options) } })
    return found.flatMap { selected.firstIndex(of: $0) }
  }

  private func mostSampled(_ candidates: [Int]) -> Int? {
    var most = candidates.first
    for index in candidates.dropFirst() {
      let count = backtraces[index].source.sampleCount ?? 0
      if let soFar = most, count > backtraces[soFar].source.sampleCount ?? 0 { most = index }
    }
    return most
  }

  private func isCrashed(_ index: Int) -> Bool { backtraces[index].source.isCrashed }

  /// Whether an uncaught exception was thrown there: the last exception, or the first backtrace
  /// that the application added.
  private func isOfException(_ index: Int) -> Bool {
    switch backtraces[index].source.kind {
    case .lastException: true
    case .applicationSpecific:
      index == backtraces.firstIndex { $0.source.kind == .applicationSpecific }
    case .thread, .digest: false
    }
  }
}

extension ReportFacts {
  /// The headline of a report that is not about a crash: `hang of 3.5 sec`, `shutdown stall of
  /// 1.00s`, `disk writes: 2147.5 MB of file backed memory dirtied`. Nil for a crash, a leak or a
  /// panic, whose other lines say it.
  package var eventHeadline: String? {
    func of(_ event: String) -> String { eventExtent.map { "\(event) of \($0)" } ?? event }
    func colon(_ event: String) -> String {
      (eventExtent.map { "\(event): \($0)" } ?? event)
        + (field("Action taken") == "Process killed" ? "; the process was killed" : "")
    }
    return switch isBystander ? .sample : event {
    case .crash, .leak, .panic: nil
    case .hang: eventExtent == nil ? unresponsive ?? "hang" : of("hang")
    case .cpuUsage: colon("CPU time")
    case .wakeups: colon("wakeups")
    case .diskWrites: colon("disk writes")
    case .memory: colon("memory")
    case .launch: of("launch")
    case .sample: of(eventName ?? "sample")
    }
  }

  /// What a spindump says about a process that did not respond while it was sampled, whatever the
  /// event was.
  private var unresponsive: String? {
    guard fields.contains(where: { $0.name == "Note" && $0.value == "Unresponsive" }) else {
      return nil
    }
    let count = field("Num samples").flatMap { UInt64($0.prefix { $0 != " " }) }
    return "hang: the process was unresponsive\(count.map { " (\($0) samples)" } ?? "")"
  }

  /// What a report calls an event that has no kind of its own: `shutdown stall`.
  private var eventName: String? {
    guard event == .sample, let name = field("Event") else { return nil }
    return name == "powerstats" ? nil : name
  }

  private func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
