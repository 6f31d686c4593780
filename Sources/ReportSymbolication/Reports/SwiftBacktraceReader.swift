import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Brings a Swift backtrace into the form that all reports share.
struct SwiftBacktraceReader {
  let report: SwiftBacktraceReport
  let options: SymbolicationOptions

  func read() -> SymbolicatedReport {
    let hasCrashedThread = report.crashedThread != nil
    var imageFinder = ImageFinder(report: .swiftBacktrace(report))
    return SymbolicatedReport(
      source: .swiftBacktrace(report),
      backtraces: report.threads.enumerated().map { place, thread in
        SymbolicatedBacktrace(
          kind: .thread(place), frames: frames(of: thread, &imageFinder),
          isSelected: options.threads.selects(
            number: thread.number, isCrashed: thread.isCrashed || !hasCrashedThread))
      })
  }

  private func frames(
    of thread: SwiftBacktraceThread, _ imageFinder: inout ImageFinder
  ) -> [SymbolicatedFrame] {
    // The address of the inlined frames just passed.
    var inlinedAddress: LoadAddress?
    return thread.frames.map { frame in
      let kind = FrameAddressKind(frame.kind)
      let place = frame.address.map { address in
        imageFinder.place(of: address, kind, stated: nil, name: frame.imageName ?? "???")
      }
      defer { inlinedAddress = frame.isInlined ? frame.address : nil }
      return SymbolicatedFrame(
        origin: .swiftBacktrace(frame), address: frame.address, addressKind: kind,
        imageName: frame.imageName ?? place?.image?.name ?? "???", place: place,
        stated: frame.symbol ?? (frame.isInlined ? .unknownInlined : nil),
        hasStatedInlinedFrames: inlinedAddress != nil && inlinedAddress == frame.address)
    }
  }
}

extension FrameSymbol {
  /// An inlined call of which the report tells nothing. It goes with the frame it is inlined into.
  fileprivate static var unknownInlined: FrameSymbol {
    FrameSymbol(name: "<unknown>", isInlined: true)
  }
}

extension FrameAddressKind {
  init(_ kind: SwiftBacktraceFrame.Kind) {
    switch kind {
    case .programCounter: self = .programCounter
    case .returnAddress: self = .returnAddress
    case .asyncResumePoint: self = .asyncResumePoint
    }
  }
}

extension BacktraceHeading {
  init(_ kind: SymbolicatedBacktrace.Kind, of report: SwiftBacktraceReport) {
    guard case .thread(let place) = kind, report.threads.indices.contains(place) else {
      self.init()
      return
    }
    let thread = report.threads[place]
    self.init(number: thread.number, name: thread.name, isCrashed: thread.isCrashed)
  }
}

extension ParsedReport {
  /// Whether the writer left the list of images out, as Swift's runtime does where it is told to.
  var lacksImageList: Bool {
    if case .swiftBacktrace(let report) = self { report.images.isEmpty } else { false }
  }
}
