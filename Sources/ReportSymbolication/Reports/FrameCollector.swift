import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Goes through the backtraces of one report and gathers the frames to look up, by image.
struct FrameCollector {
  private let report: CrashReport
  private let architecture: Architecture?
  /// The images met so far, by where their lines begin in the report.
  private var images: [Int: ReportImage] = [:]
  private var questions: [ReportImage: ImageQuestions] = [:]
  private var order: [ReportImage] = []

  /// All frames of the report.
  private(set) var frameCount = 0
  /// Frames that show a name already.
  private(set) var namedFrameCount = 0
  /// Frames whose image the report does not tell: a jump to nowhere, generated code.
  private(set) var framesWithoutImage = 0

  init(report: CrashReport) {
    self.report = report
    self.architecture = report.architecture
  }

  /// By image, in the order in which the report's frames first name one.
  var questionsByImage: [ImageQuestions] { order.compactMap { questions[$0] } }

  mutating func collect() {
    for thread in report.threads { collect(thread.frames) }
    if let backtrace = report.lastExceptionBacktrace { collect(backtrace.frames) }
    for backtrace in report.applicationSpecificBacktraces { collect(backtrace.frames) }
  }

  private mutating func collect(_ frames: [StackFrame]) {
    // Of a backtrace whose first frames were cut off, the first that is left made a call.
    var kind = frames.first?.index == 0 ? FrameAddressKind.programCounter : .returnAddress
    for frame in frames {
      frameCount += 1
      let content = frame.content
      if content.showsName {
        namedFrameCount += 1
      } else if let image = image(of: frame, content, kind) {
        ask(frame, kind, image)
      } else {
        framesWithoutImage += 1
      }
      // Calls inlined into the frame after them share its address, and so its kind.
      if !content.isInlined {
        kind = content.isSignalTrampoline ? .programCounter : .returnAddress
      }
    }
  }

  private mutating func ask(_ frame: StackFrame, _ kind: FrameAddressKind, _ image: ReportImage) {
    if questions[image] == nil {
      questions[image] = ImageQuestions(image: image)
      order.append(image)
    }
    let lookup = kind.lookupAddress(for: frame.address, architecture: image.architecture)
    questions[image]?.frames.append(FrameQuestion(frame: frame, lookupAddress: lookup))
  }

  private mutating func image(
    of frame: StackFrame, _ content: FrameContent, _ kind: FrameAddressKind
  ) -> ReportImage? {
    // A call that never returns may be the last instruction of its image.
    let address = kind.lookupAddress(for: frame.address)
    if let listed = report.image(containing: address, loadAddress: content.loadAddress) {
      let place = listed.byteRange.lowerBound
      if let known = images[place] { return known }
      let image = ReportImage(listed, reportArchitecture: architecture)
      images[place] = image
      return image
    }
    guard let loadAddress = content.loadAddress, loadAddress.value != 0 else { return nil }
    return ReportImage(
      name: frame.imageName, loadAddress: loadAddress, reportArchitecture: architecture)
  }
}

extension FrameContent {
  /// `<redacted>` is what a device writes for a symbol that it does not tell.
  fileprivate var showsName: Bool {
    guard let symbol else { return false }
    return !symbol.name.isEmpty && !symbol.name.hasPrefix("<redacted")
  }

  fileprivate var isInlined: Bool { symbol?.isInlined == true }

  /// The kernel runs signal handlers through `_sigtramp`: the frame after it was interrupted and did
  /// not call.
  fileprivate var isSignalTrampoline: Bool { symbol?.name == "_sigtramp" }

  private var symbol: FrameSymbol? {
    switch self {
    case .symbolicated(let symbol), .sideBySide(_, _, let symbol), .atos(let symbol, _): symbol
    case .unsymbolicated, .unknown, .unparsed: nil
    }
  }

  fileprivate var loadAddress: LoadAddress? {
    switch self {
    case .unsymbolicated(let loadAddress, _), .sideBySide(let loadAddress, _, _): loadAddress
    case .symbolicated, .atos, .unknown, .unparsed: nil
    }
  }
}
