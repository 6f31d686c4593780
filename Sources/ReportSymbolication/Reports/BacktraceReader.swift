import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Brings the backtraces of a report, text or JSON, into one form.
struct BacktraceReader {
  private let report: ParsedReport
  private let options: SymbolicationOptions
  private let architecture: Architecture?
  /// The images met so far, by where they stand in the report.
  private var images: [Int: ReportImage] = [:]

  init(report: ParsedReport, options: SymbolicationOptions) {
    self.report = report
    self.options = options
    self.architecture = report.architecture
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
          frames: backtrace.rawAddressList.map { frames(of: $0, in: report) }
            ?? frames(of: backtrace.frames, in: report),
          isSelected: isSelected(number: nil, isCrashed: true)))
    }
    for (index, backtrace) in report.applicationSpecificBacktraces.enumerated() {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .applicationSpecific(index), frames: frames(of: backtrace.frames, in: report),
          isSelected: isSelected(number: nil, isCrashed: true)))
    }
    for (index, thread) in report.threads.enumerated() {
      backtraces.append(
        SymbolicatedBacktrace(
          kind: .thread(index), frames: frames(of: thread.frames, in: report),
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
          frames: frames(of: EmbeddedBacktrace(backtrace), in: report),
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

  // MARK: Text

  private mutating func frames(
    of frames: [StackFrame], in report: CrashReport
  ) -> [SymbolicatedFrame] {
    // Of a backtrace whose first frames were cut off, the first that is left made a call.
    var walk = BacktraceWalk(startsWithProgramCounter: frames.first?.index == 0)
    return frames.map { frame in
      let content = frame.content
      let symbol = content.statedSymbol
      let kind = walk.kind(ofFrameAt: frame.address, symbol)
      let image = image(
        at: frame.address, kind.address, loadAddress: content.loadAddress, name: frame.imageName,
        in: report)
      return SymbolicatedFrame(
        origin: .text(frame), address: frame.address, addressKind: kind.address,
        imageName: frame.imageName, image: image,
        stated: symbol.flatMap { $0.isOffset(of: frame, in: image) ? nil : $0 },
        hasStatedInlinedFrames: kind.hasInlinedFrames)
    }
  }

  private mutating func frames(
    of list: RawAddressList, in report: CrashReport
  ) -> [SymbolicatedFrame] {
    var walk = BacktraceWalk(startsWithProgramCounter: true)
    return list.addresses.enumerated().map { index, address in
      let kind = walk.kind(ofFrameAt: address, nil)
      let image = image(at: address, kind.address, loadAddress: nil, name: "???", in: report)
      return SymbolicatedFrame(
        origin: .addressList(index), address: address, addressKind: kind.address,
        imageName: image?.name ?? "???", image: image, stated: nil, hasStatedInlinedFrames: false)
    }
  }

  private mutating func image(
    at address: LoadAddress, _ kind: FrameAddressKind, loadAddress: LoadAddress?, name: String,
    in report: CrashReport
  ) -> ReportImage? {
    // A call that never returns may be the last instruction of its image.
    let lookup = kind.lookupAddress(for: address)
    if let listed = report.image(containing: lookup, loadAddress: loadAddress) {
      let place = listed.byteRange.lowerBound
      if let known = images[place] { return known }
      let image = ReportImage(listed, reportArchitecture: architecture)
      images[place] = image
      return image
    }
    guard let loadAddress, loadAddress.value != 0 else { return nil }
    return ReportImage(name: name, loadAddress: loadAddress, reportArchitecture: architecture)
  }

  // MARK: JSON

  private mutating func frames(
    of frames: [IpsFrame], in report: IpsReport
  ) -> [SymbolicatedFrame] {
    var walk = BacktraceWalk(startsWithProgramCounter: true)
    return frames.map { frame in
      let stated = frame.statedSymbol
      let kind = walk.kind(ofFrameAt: frame.address, stated)
      let listed = report.image(for: frame)
      return SymbolicatedFrame(
        origin: .json(frame), address: frame.address, addressKind: kind.address,
        imageName: listed?.name ?? "???",
        image: listed.flatMap { image(for: $0, at: frame.imageIndex) },
        stated: stated, hasStatedInlinedFrames: kind.hasInlinedFrames)
    }
  }

  private mutating func frames(
    of backtrace: EmbeddedBacktrace, in report: IpsReport
  ) -> [SymbolicatedFrame] {
    var walk = BacktraceWalk(startsWithProgramCounter: backtrace.frames.first?.index == 0)
    var result: [SymbolicatedFrame] = []
    for frame in backtrace.frames {
      let symbol = frame.content.statedSymbol
      let kind = walk.kind(ofFrameAt: frame.address, symbol)
      let lookup = kind.address.lookupAddress(for: frame.address)
      var image: ReportImage?
      if let place = report.images.firstIndex(where: { $0.contains(lookup) }) {
        image = self.image(for: report.images[place], at: place)
      }
      result.append(
        SymbolicatedFrame(
          origin: .embedded(frame), address: frame.address, addressKind: kind.address,
          imageName: frame.imageName, image: image,
          stated: symbol.flatMap { $0.isOffset(of: frame, in: image) ? nil : $0 },
          hasStatedInlinedFrames: kind.hasInlinedFrames))
    }
    return result
  }

  private mutating func image(for listed: IpsImage, at index: Int?) -> ReportImage? {
    guard let index, !listed.isAbsolutePseudoImage else { return nil }
    if let known = images[index] { return known }
    guard let image = ReportImage(listed, reportArchitecture: architecture) else { return nil }
    images[index] = image
    return image
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
    let kind = (next, inlinedAddress != nil && inlinedAddress == address)
    if stated?.isInlined == true {
      // Calls inlined into the frame after them share its address, and so its kind.
      inlinedAddress = address
    } else {
      inlinedAddress = nil
      // The kernel runs signal handlers through `_sigtramp`: the frame after it was interrupted and
      // did not call.
      next = stated?.name == "_sigtramp" ? .programCounter : .returnAddress
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

  fileprivate var loadAddress: LoadAddress? {
    switch self {
    case .unsymbolicated(let loadAddress, _), .sideBySide(let loadAddress, _, _): loadAddress
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
  fileprivate func isOffset(of frame: StackFrame, in image: ReportImage?) -> Bool {
    guard let image, let offset, name == frame.imageName, file == nil else { return false }
    return UInt64(bitPattern: offset) == frame.address.value &- image.loadAddress.value
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
