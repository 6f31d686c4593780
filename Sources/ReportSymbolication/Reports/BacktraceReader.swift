import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Prepares the frames of a report for lookup: what each address is, which image it lies in, and
/// what the report already says about it.
struct BacktraceReader {
  private let report: Report
  private let options: SymbolicationOptions
  private var imageFinder: ImageFinder
  /// The names of the images by their indices in the report, as far as frames needed them: nil if
  /// not asked for, `.some(nil)` for an image without a name.
  private var imageNames: [String??]

  init(report: Report, options: SymbolicationOptions) {
    self.report = report
    self.options = options
    self.imageFinder = ImageFinder(report: report)
    self.imageNames = Array(repeating: nil, count: report.images.count)
  }

  mutating func read() -> SymbolicatedReport {
    let hasCrashedThread = report.crashedThread != nil
    let isSelectedProcess = options.selects(report.facts.process)
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
          source: backtrace, frames: frames(of: backtrace),
          isSelected: isSelected && isSelectedProcess))
    }
    return SymbolicatedReport(source: report, backtraces: backtraces)
  }

  private mutating func frames(of backtrace: Backtrace) -> [SymbolicatedFrame] {
    // If the first frames were cut off, the first one that is left made a call.
    var walk = AddressKindWalk(
      startsWithProgramCounter: !backtrace.isOutermostFirst
        && backtrace.frames.first?.index ?? 0 == 0)
    var frames: [SymbolicatedFrame] = []
    frames.reserveCapacity(backtrace.frames.count)
    for frame in backtrace.frames {
      let statement = frame.statement
      let symbol = statement.symbol ?? (frame.values?.isInlined == true ? .unknownInlined : nil)
      let stated = symbol.map { StatedSymbol($0) }
      let step = walk.next(frame.address, frame.addressKind, stated)
      frames.append(
        self.frame(
          frame, step.kind, stated, statement.address,
          hasStatedInlinedFrames: step.hasInlinedFrames))
    }
    return frames
  }

  /// The same frame with another kind of address, whose lookup may lie in another image.
  mutating func frame(
    _ frame: SymbolicatedFrame, as kind: FrameAddressKind
  ) -> SymbolicatedFrame {
    self.frame(
      frame.source, kind, frame.statement, frame.source.imageRelativeAddress,
      hasStatedInlinedFrames: frame.hasStatedInlinedFrames)
  }

  private mutating func frame(
    _ source: StackFrame, _ kind: FrameAddressKind, _ stated: StatedSymbol?,
    _ imageRelativeAddress: ImageRelativeAddress?, hasStatedInlinedFrames: Bool
  ) -> SymbolicatedFrame {
    let located = source.address.flatMap {
      imageFinder.locate(of: source, at: $0, kind, stated: imageRelativeAddress)
    }
    let name = statedName(in: source, located)
    var stated = stated
    if let symbol = stated?.symbol, let name, let located, source.line != nil,
      symbol.isOffset(of: located, imageName: name)
    {
      stated = nil
    }
    return SymbolicatedFrame(
      source: source, addressKind: kind,
      imageName: name ?? imageName(of: source, located) ?? unknownImageName, located: located,
      stated: stated, hasStatedInlinedFrames: hasStatedInlinedFrames)
  }

  /// What the frame calls its image. It is most often the name in the list of images, which is then
  /// shared.
  private func statedName(
    in source: StackFrame, _ located: ImageFinder.LocatedAddress?
  ) -> String? {
    if let listed = located?.image?.name, source.hasImageName(listed) { return listed }
    return source.imageName
  }

  /// The name of the image that a frame names by its index, unless its address lies in another one.
  private mutating func imageName(
    of source: StackFrame, _ located: ImageFinder.LocatedAddress?
  ) -> String? {
    guard let index = source.imageIndex else { return located?.image?.name }
    let isListed = imageNames.indices.contains(index)
    if let found = located?.image,
      !isListed || found.loadAddress != report.images[index].loadAddress
    {
      return found.name
    }
    guard isListed else { return nil }
    if let known = imageNames[index] { return known }
    let name = report.images[index].name
    imageNames[index] = .some(name)
    return name
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
    _ address: LoadAddress?, _ marked: FrameAddressKind?, _ stated: StatedSymbol?
  ) -> (kind: FrameAddressKind, hasInlinedFrames: Bool) {
    let isTrampoline = stated.map { SignalTrampoline.isName($0.symbol.name) } ?? false
    // Linux runs a handler so that it returns to the first byte of the trampoline: no call precedes
    // it.
    let own = isTrampoline && stated?.symbol.offset == 0 ? .programCounter : next
    let step = (marked ?? own, inlinedAddress != nil && inlinedAddress == address)
    if stated?.symbol.isInlined == true {
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
  fileprivate func isOffset(of located: ImageFinder.LocatedAddress, imageName: String) -> Bool {
    guard let image = located.image, let offset, name == imageName, file == nil else {
      return false
    }
    return UInt64(bitPattern: offset) == located.codeAddress.value &- image.loadAddress.value
  }
}
