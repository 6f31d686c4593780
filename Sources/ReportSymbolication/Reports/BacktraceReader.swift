import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Prepares the frames of a report for lookup: what each address is, which image it lies in, and
/// what the report already says about it.
struct BacktraceReader {
  private let report: Report
  private let options: SymbolicationOptions
  private var imageFinder: ImageFinder

  init(report: Report, options: SymbolicationOptions) {
    self.report = report
    self.options = options
    self.imageFinder = ImageFinder(report: report)
  }

  mutating func read() -> SymbolicatedReport {
    let hasCrashedThread = report.crashedThread != nil
    var backtraces: [SymbolicatedBacktrace] = []
    backtraces.reserveCapacity(report.backtraces.count)
    for backtrace in report.backtraces {
      // Backtraces that belong to no thread go with the crashed one.
      let isThread = backtrace.kind == .thread
      let isSelected = options.threads.selects(
        number: isThread ? backtrace.number : nil,
        isCrashed: !isThread || backtrace.isCrashed || !hasCrashedThread)
      backtraces.append(
        SymbolicatedBacktrace(
          source: backtrace, frames: frames(of: backtrace), isSelected: isSelected))
    }
    return SymbolicatedReport(source: report, backtraces: backtraces)
  }

  private mutating func frames(of backtrace: Backtrace) -> [SymbolicatedFrame] {
    // If the first frames were cut off, the first one that is left made a call.
    var walk = AddressKindWalk(startsWithProgramCounter: backtrace.frames.first?.index ?? 0 == 0)
    var frames: [SymbolicatedFrame] = []
    frames.reserveCapacity(backtrace.frames.count)
    for frame in backtrace.frames {
      let stated = frame.symbol ?? (frame.isInlined ? .unknownInlined : nil)
      let step = walk.next(frame.address, frame.addressKind, stated)
      frames.append(
        self.frame(frame, step.kind, stated, hasStatedInlinedFrames: step.hasInlinedFrames))
    }
    return frames
  }

  /// The same frame with another kind of address, whose lookup may lie in another image.
  mutating func frame(
    _ frame: SymbolicatedFrame, as kind: FrameAddressKind
  ) -> SymbolicatedFrame {
    self.frame(
      frame.source, kind, frame.stated, hasStatedInlinedFrames: frame.hasStatedInlinedFrames)
  }

  private mutating func frame(
    _ source: StackFrame, _ kind: FrameAddressKind, _ stated: FrameSymbol?,
    hasStatedInlinedFrames: Bool
  ) -> SymbolicatedFrame {
    let name = source.imageName
    let place = source.address.flatMap {
      imageFinder.place(of: source, at: $0, kind, name: name ?? unknownImageName)
    }
    var stated = stated
    if let line = source.line, let place, let symbol = stated,
      symbol.isOffset(of: place, imageName: line.imageName)
    {
      stated = nil
    }
    return SymbolicatedFrame(
      source: source, addressKind: kind,
      imageName: name ?? imageName(of: source, place) ?? unknownImageName, place: place,
      stated: stated, hasStatedInlinedFrames: hasStatedInlinedFrames)
  }

  /// The name of the image that a frame names by its index, unless its address lies in another one.
  private func imageName(of source: StackFrame, _ place: ImageFinder.Place?) -> String? {
    guard source.imageIndex != nil else { return place?.image?.name }
    let named = report.image(for: source)
    if let found = place?.image, found.loadAddress != named?.loadAddress { return found.name }
    return named?.name
  }
}

/// What reports show for an image without a name.
let unknownImageName = "???"

/// Determines, from frame to frame, what the addresses of a backtrace are.
private struct AddressKindWalk {
  private var next: FrameAddressKind
  /// The address of the inlined frames just passed.
  private var inlinedAddress: LoadAddress?

  init(startsWithProgramCounter: Bool) {
    next = startsWithProgramCounter ? .programCounter : .returnAddress
  }

  /// - Parameter marked: the kind that the report states.
  mutating func next(
    _ address: LoadAddress?, _ marked: FrameAddressKind?, _ stated: FrameSymbol?
  ) -> (kind: FrameAddressKind, hasInlinedFrames: Bool) {
    let isTrampoline = stated.map { SignalTrampoline.isName($0.name) } ?? false
    // Linux runs a handler so that it returns to the first byte of the trampoline: no call precedes
    // it.
    let own = isTrampoline && stated?.offset == 0 ? .programCounter : next
    let step = (marked ?? own, inlinedAddress != nil && inlinedAddress == address)
    if stated?.isInlined == true {
      // Calls inlined into the frame after them share its address, and so its kind.
      inlinedAddress = address
    } else {
      inlinedAddress = nil
      // The frame after a signal trampoline was interrupted; it did not call.
      next = isTrampoline ? .programCounter : .returnAddress
    }
    return step
  }
}

extension FrameSymbol {
  /// An inlined call that the report says nothing about. It is looked up with the frame that it is
  /// inlined into.
  fileprivate static var unknownInlined: FrameSymbol {
    FrameSymbol(name: "<unknown>", isInlined: true)
  }

  /// Whether it is the image's name and the distance from its start, which backtrace_symbols(3)
  /// writes if it knows no symbol (`App + 15941`).
  fileprivate func isOffset(of place: ImageFinder.Place, imageName: String) -> Bool {
    guard let image = place.image, let offset, name == imageName, file == nil else { return false }
    return UInt64(bitPattern: offset) == place.codeAddress.value &- image.loadAddress.value
  }
}
