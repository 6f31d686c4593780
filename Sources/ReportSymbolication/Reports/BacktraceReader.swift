import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Brings the backtraces of a report, text or JSON, into one form.
struct BacktraceReader {
  private let report: ParsedReport
  private let options: SymbolicationOptions
  private var imageFinder: ImageFinder

  init(report: ParsedReport, options: SymbolicationOptions) {
    self.report = report
    self.options = options
    self.imageFinder = ImageFinder(report: report)
  }

  mutating func read() -> SymbolicatedReport {
    switch report {
    case .text(let text): SymbolicatedReport(source: report, backtraces: backtraces(of: text))
    case .ips(let ips): SymbolicatedReport(source: report, backtraces: backtraces(of: ips))
    case .swiftBacktrace(let backtrace):
      SwiftBacktraceReader(report: backtrace, options: options).read()
    }
  }

  private mutating func backtraces(of report: CrashReport) -> [SymbolicatedBacktrace] {
    var backtraces: [SymbolicatedBacktrace] = []
    let crashed = report.crashedThread.map(\.byteRange)
    if let backtrace = report.lastExceptionBacktrace {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .lastException,
          frames: backtrace.rawAddressList.map { frames(of: $0) }
            ?? frames(of: backtrace.frames),
          isSelected: isSelected(number: nil, isCrashed: true)))
    }
    for (index, backtrace) in report.applicationSpecificBacktraces.enumerated() {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .applicationSpecific(index), frames: frames(of: backtrace.frames),
          isSelected: isSelected(number: nil, isCrashed: true)))
    }
    for (index, thread) in report.threads.enumerated() {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .thread(index), frames: frames(of: thread.frames),
          isSelected: isSelected(
            number: thread.number, isCrashed: crashed.map { $0 == thread.byteRange } ?? true)))
    }
    return backtraces
  }

  private mutating func backtraces(of report: IpsReport) -> [SymbolicatedBacktrace] {
    var backtraces: [SymbolicatedBacktrace] = []
    let crashed = report.crashedThread.map(\.index)
    if let frames = report.lastExceptionBacktrace {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .lastException, frames: self.frames(of: frames, in: report),
          isSelected: isSelected(number: nil, isCrashed: true)))
    }
    for (index, backtrace) in report.applicationSpecificBacktraces.enumerated() {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .applicationSpecific(index),
          frames: frames(of: EmbeddedBacktrace(backtrace)),
          isSelected: isSelected(number: nil, isCrashed: true)))
    }
    for (place, thread) in report.threads.enumerated() {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .thread(place), frames: frames(of: thread.frames, in: report),
          isSelected: isSelected(
            number: thread.index, isCrashed: crashed.map { $0 == thread.index } ?? true)))
    }
    return backtraces
  }

  private func isSelected(number: Int?, isCrashed: Bool) -> Bool {
    options.threads.selects(number: number, isCrashed: isCrashed)
  }

  // MARK: Frames

  private mutating func frames(of lines: [StackFrame]) -> [SymbolicatedFrame] {
    // Of a backtrace whose first frames were cut off, the first that is left made a call.
    var walk = BacktraceWalk(startsWithProgramCounter: lines.first?.index == 0)
    return lines.map { frame(.text($0), $0, &walk) }
  }

  private mutating func frames(of backtrace: EmbeddedBacktrace) -> [SymbolicatedFrame] {
    var walk = BacktraceWalk(startsWithProgramCounter: backtrace.frames.first?.index == 0)
    return backtrace.frames.map { frame(.embedded($0), $0, &walk) }
  }

  private mutating func frames(of list: RawAddressList) -> [SymbolicatedFrame] {
    var walk = BacktraceWalk(startsWithProgramCounter: true)
    return list.addresses.enumerated().map { index, address in
      let kind = walk.kind(ofFrameAt: address, nil).address
      return frame(at: address, kind, list: index)
    }
  }

  private mutating func frames(
    of frames: [IpsFrame], in report: IpsReport
  ) -> [SymbolicatedFrame] {
    var walk = BacktraceWalk(startsWithProgramCounter: true)
    return frames.map { object in
      let stated = object.statedSymbol
      let kind = walk.kind(ofFrameAt: object.address, stated)
      return frame(
        object, kind.address, stated, hasStatedInlinedFrames: kind.hasInlinedFrames, report)
    }
  }

  /// The same frame with another kind of address: what is looked up may then lie in another image.
  mutating func frame(
    _ frame: SymbolicatedFrame, as kind: FrameAddressKind
  ) -> SymbolicatedFrame {
    switch (frame.origin, report) {
    case (.text(let line), _), (.embedded(let line), _):
      self.frame(
        frame.origin, line, line.content, kind,
        hasStatedInlinedFrames: frame.hasStatedInlinedFrames)
    case (.json(let object), .ips(let report)):
      self.frame(
        object, kind, frame.stated, hasStatedInlinedFrames: frame.hasStatedInlinedFrames, report)
    case (.addressList(let index), _):
      self.frame(at: frame.address ?? LoadAddress(0), kind, list: index)
    // Swift's runtime tells itself what each address is.
    case (.json, _), (.swiftBacktrace, _): frame
    }
  }

  private mutating func frame(
    _ origin: SymbolicatedFrame.Origin, _ line: StackFrame, _ walk: inout BacktraceWalk
  ) -> SymbolicatedFrame {
    let content = line.content
    let kind = walk.kind(ofFrameAt: line.address, content.statedSymbol)
    return frame(
      origin, line, content, kind.address, hasStatedInlinedFrames: kind.hasInlinedFrames)
  }

  private mutating func frame(
    _ origin: SymbolicatedFrame.Origin, _ line: StackFrame, _ content: FrameContent,
    _ kind: FrameAddressKind, hasStatedInlinedFrames: Bool
  ) -> SymbolicatedFrame {
    let name = line.imageName
    let place = imageFinder.place(
      of: line.address, kind, stated: content.statedPlace, name: name)
    let stated = content.statedSymbol.flatMap { symbol in
      symbol.isOffset(of: place, imageName: name) ? nil : symbol
    }
    return SymbolicatedFrame(
      origin: origin, address: line.address, addressKind: kind, imageName: name, place: place,
      stated: stated, hasStatedInlinedFrames: hasStatedInlinedFrames)
  }

  private mutating func frame(
    at address: LoadAddress, _ kind: FrameAddressKind, list index: Int
  ) -> SymbolicatedFrame {
    let place = imageFinder.place(of: address, kind, stated: nil, name: "???")
    return SymbolicatedFrame(
      origin: .addressList(index), address: address, addressKind: kind,
      imageName: place.image?.name ?? "???", place: place, stated: nil,
      hasStatedInlinedFrames: false)
  }

  private mutating func frame(
    _ object: IpsFrame, _ kind: FrameAddressKind, _ stated: FrameSymbol?,
    hasStatedInlinedFrames: Bool, _ report: IpsReport
  ) -> SymbolicatedFrame {
    var place: ImageFinder.Place?
    if let address = object.address, let index = object.imageIndex, let offset = object.imageOffset
    {
      place = imageFinder.place(
        of: address, kind, imageIndex: index, offset: offset, in: report)
    }
    let named = report.image(for: object)
    var name = named?.name
    if let found = place?.image, found.loadAddress != named?.loadAddress { name = found.name }
    return SymbolicatedFrame(
      origin: .json(object), address: object.address, addressKind: kind,
      imageName: name ?? "???", place: place, stated: stated,
      hasStatedInlinedFrames: hasStatedInlinedFrames)
  }
}

/// Tells, from frame to frame, what the addresses of a backtrace are.
private struct BacktraceWalk {
  private var next: FrameAddressKind
  /// The address of the inlined frames just passed.
  private var inlinedAddress: LoadAddress?

  init(startsWithProgramCounter: Bool) {
    next = startsWithProgramCounter ? .programCounter : .returnAddress
  }

  mutating func kind(
    ofFrameAt address: LoadAddress?, _ stated: FrameSymbol?
  ) -> (address: FrameAddressKind, hasInlinedFrames: Bool) {
    let isTrampoline = stated.map { SignalTrampoline.isName($0.name) } ?? false
    // Linux runs a handler so that it returns to the trampoline's first byte: no call stands before it.
    let own = isTrampoline && stated?.offset == 0 ? .programCounter : next
    let kind = (own, inlinedAddress != nil && inlinedAddress == address)
    if stated?.isInlined == true {
      // Calls inlined into the frame after them share its address, and so its kind.
      inlinedAddress = address
    } else {
      inlinedAddress = nil
      // The frame after a signal trampoline was interrupted and did not call.
      next = isTrampoline ? .programCounter : .returnAddress
    }
    return kind
  }
}

extension FrameContent {
  /// What the frame shows; nil for none, and for `<redacted>`, which a device writes for a symbol that
  /// it does not tell.
  fileprivate var statedSymbol: FrameSymbol? {
    switch self {
    case .symbolicated(let symbol), .sideBySide(_, _, let symbol), .atos(let symbol, _):
      symbol.isNoName ? nil : symbol
    case .unsymbolicated, .unknown, .unparsed: nil
    }
  }

  fileprivate var statedPlace: StatedPlace? {
    switch self {
    case .unsymbolicated(let base, let offset), .sideBySide(let base, let offset, _):
      StatedPlace(base: base, offset: offset)
    case .symbolicated, .atos, .unknown, .unparsed: nil
    }
  }
}

extension IpsFrame {
  fileprivate var statedSymbol: FrameSymbol? {
    guard let symbol else { return nil }
    // Apple's writer leaves the line out where it is 0.
    let line = sourceLine.map { Int(clamping: $0) } ?? (sourceFile == nil ? nil : 0)
    let stated = FrameSymbol(
      name: symbol, offset: symbolLocation.flatMap { Int64(exactly: $0) }, file: sourceFile,
      line: line, isInlined: isInline)
    return stated.isNoName ? nil : stated
  }
}

extension FrameSymbol {
  /// Whether it is the image's name and the distance from its start, which backtrace_symbols(3) writes
  /// where it knows no symbol (`App + 15941`).
  fileprivate func isOffset(of place: ImageFinder.Place, imageName: String) -> Bool {
    guard let image = place.image, let offset, name == imageName, file == nil else { return false }
    return UInt64(bitPattern: offset) == place.codeAddress.value &- image.loadAddress.value
  }

  fileprivate var isNoName: Bool { name.isEmpty || name.hasPrefix("<redacted") }
}

extension ParsedReport {
  /// The architecture of the process, for images whose entries have none.
  var architecture: Architecture? {
    switch self {
    case .text(let report): report.codeType.flatMap { Architecture(codeType: $0) }
    case .ips(let report): report.cpuType.flatMap { Architecture(codeType: $0) }
    case .swiftBacktrace(let report): report.architecture
    }
  }
}

extension Architecture {
  /// `ARM-64 (Native)`, `X86-64`, …: how reports call the architecture of a process.
  fileprivate init?(codeType: String) {
    switch codeType.split(separator: " ").first {
    case "ARM-64": self = .arm64
    case "X86-64": self = .x86_64
    case "ARM": self = .armv7
    case "X86": self = .i386
    default: return nil
    }
  }
}
