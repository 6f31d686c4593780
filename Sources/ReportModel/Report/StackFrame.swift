public import SymbolicationModel

/// One frame of a backtrace: an address, and what the report knows about it.
///
/// A frame is small (a report has many) and reads its texts from the bytes of the report each time
/// they are asked for.
public struct StackFrame: Sendable {
  /// The address in the crashed process: the program counter in the first frame, a return address
  /// in the others (the address that the call returns to). Nil if the report does not give it.
  public let address: LoadAddress?
  /// Where the frame's bytes are, and how to read them.
  package let carrier: Carrier

  package init(address: LoadAddress?, carrier: Carrier) {
    self.address = address
    self.carrier = carrier
  }

  /// What holds a frame in the report's bytes.
  package enum Carrier: Sendable {
    /// A line of a report in Apple's text format.
    case line(FrameLine)
    /// A line without a symbol, and what `atos` says elsewhere in the text about its address.
    indirect case lookedUp(FrameLine, FrameSymbol)
    /// An object of an `.ips` report.
    case object(IpsFrame)
    /// Anything else, read into values.
    indirect case values(FrameValues)
    /// An address in ``Backtrace/addressListRange``.
    case listedAddress
  }

  /// The line or the JSON object of the frame: a half-open range of offsets in the input, or in
  /// ``Backtrace/embeddedText``. Nil for an address in the list of a crash report.
  public var byteRange: Range<Int>? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.byteRange
    case .object(let object): object.byteRange
    case .values(let values): values.byteRange
    case .listedAddress: nil
    }
  }

  /// The number that the report gives the frame; nil if it gives none. Writers count from 0, but a
  /// shortened backtrace may begin anywhere and leave numbers out.
  public var index: Int? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.index
    case .values(let values): values.index
    case .object, .listedAddress: nil
    }
  }

  /// What the report calls the frame's image: a file name, or a bundle identifier in reports of
  /// macOS 11 and earlier. Nil if it gives no name, or names the image by ``imageIndex``. Not
  /// unique: find the image with ``Report/image(for:)``.
  public var imageName: String? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.imageName
    case .values(let values): values.imageName
    case .object, .listedAddress: nil
    }
  }

  /// Whether the frame calls its image so. Costs no allocation.
  package func hasImageName(_ name: String) -> Bool {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.hasImageName(name)
    case .values(let values): values.imageName == name
    case .object, .listedAddress: false
    }
  }

  /// The index of the frame's image in ``Report/images``, as written: it may be out of range. Nil
  /// if the report does not name images by index, or by UUID as MetricKit does.
  public var imageIndex: Int? {
    switch carrier {
    case .object(let object): object.imageIndex
    case .values(let values): values.imageIndex
    case .line, .lookedUp, .listedAddress: nil
    }
  }

  /// The distance of the address from the start of the image named by ``imageIndex``, in bytes.
  public var imageOffset: UInt64? {
    switch carrier {
    case .object(let object): object.imageOffset
    case .values(let values): values.imageOffset
    case .line, .lookedUp, .listedAddress: nil
    }
  }

  /// What the report says about the address: ``symbol`` and ``imageRelativeAddress``, read
  /// together.
  package var statement: (symbol: FrameSymbol?, address: ImageRelativeAddress?) {
    switch carrier {
    case .line(let line), .lookedUp(let line, _):
      let (symbol, address) = line.statement
      return (symbol?.named, address)
    case .object(let object): return (object.frameSymbol?.named, nil)
    case .values(let values): return (values.symbol?.named, values.imageRelativeAddress)
    case .listedAddress: return (nil, nil)
    }
  }

  /// The start of the frame's image and the distance of the address from it (`LOAD + OFFSET`), as
  /// the line states them. The start is 0 if the writer knew no image.
  public var imageRelativeAddress: ImageRelativeAddress? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.imageRelativeAddress
    case .values(let values): values.imageRelativeAddress
    case .object, .listedAddress: nil
    }
  }

  /// The function, file and line that the report gives; nil if it has no name for the function, or
  /// hides it (`<redacted>`).
  public var symbol: FrameSymbol? { writtenSymbol?.named }

  private var writtenSymbol: FrameSymbol? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.statement.symbol
    case .object(let object): object.frameSymbol
    case .values(let values): values.symbol
    case .listedAddress: nil
    }
  }

  /// Whether the report names the start of all code that Dart compiled in the place of the
  /// function: it is one of that code.
  package var isOfDartSnapshot: Bool { writtenSymbol?.isDartSnapshot ?? false }

  /// The symbol that somebody looked up and wrote elsewhere in the text, of a frame that has none.
  package var lookedUpSymbol: FrameSymbol? {
    if case .lookedUp(_, let symbol) = carrier { symbol } else { nil }
  }

  /// Whether the report shows the frame as a call inlined into the next one, which has the same
  /// address.
  public var isInlined: Bool {
    if case .values(let values) = carrier { return values.isInlined }
    return symbol?.isInlined ?? false
  }

  /// Whether the values of the frame mark it so, whatever is known about the function.
  package var isMarkedInlined: Bool {
    if case .values(let values) = carrier { values.isInlined } else { false }
  }

  /// What the address is, if the report says so; otherwise it follows from the position of the
  /// frame in its backtrace.
  public var addressKind: FrameAddressKind? {
    if case .values(let values) = carrier { values.addressKind } else { nil }
  }

  /// In a call tree (``Backtrace/isCallTree``): how many callers the frame has in the tree, 0 for a
  /// root. Its caller is the nearest frame before it with a depth that is less by one.
  public var depth: Int? {
    if case .values(let values) = carrier { values.depth } else { nil }
  }

  /// In how many samples the frame was seen; nil if the report does not count them.
  public var sampleCount: Int? {
    if case .values(let values) = carrier { values.sampleCount } else { nil }
  }

  /// The parts of the line, for a frame of a report in Apple's text format.
  public var line: FrameLine? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line
    case .object, .values, .listedAddress: nil
    }
  }

  /// What the text has of the function's name if it ends within it.
  package var cutName: String? {
    switch carrier {
    case .line(let line), .lookedUp(let line, _): line.cutName
    case .values(let values): values.cutName
    case .object, .listedAddress: nil
    }
  }

  /// How many frames of the stack the frame stands for: 6 in a line that somebody shortened to
  /// `22-27 Board 0x1028f7590`.
  package var repetitions: Int {
    guard case .values(let values) = carrier, let index = values.index,
      let last = values.lastIndex, index >= 0, last > index, last < 1 << 32
    else { return 1 }
    return last - index + 1
  }

  /// The object, for a frame of an `.ips` report.
  package var object: IpsFrame? {
    if case .object(let object) = carrier { object } else { nil }
  }

  /// How the object of an `.ips` names the function, without its text; nil for other frames.
  package var nameStatement: IpsFrame.NameStatement? {
    if case .object(let object) = carrier { object.nameStatement } else { nil }
  }

  /// The values, for a frame of any other format.
  package var values: FrameValues? {
    if case .values(let values) = carrier { values } else { nil }
  }
}

extension FrameSymbol {
  /// Nil if the name is missing, or hidden (a device writes `<redacted>`), or only the address
  /// again.
  fileprivate var named: FrameSymbol? {
    guard let first = name.utf8.first else { return nil }
    // A report has a great many frames, and few names begin like these.
    let isNone =
      switch first {
      case UInt8(ascii: "<"): isHidden
      case UInt8(ascii: "0"): isBareAddress || isUuid
      case UInt8(ascii: "k"), UInt8(ascii: "_"): isDartSnapshot
      default: isUuid
      }
    return isNone ? nil : self
  }

  /// Of a device, of Swift on Linux, and of Sentry. People may name only a place.
  private var isHidden: Bool {
    name.hasPrefix("<redacted") || name.hasPrefix("<unavailable>")
      || name == "<unknown>" && file == nil
  }

  /// Whether it is the UUID of the image, above the distance from its start.
  private var isUuid: Bool {
    name.utf8.count == 36 && name.withBytes { ImageIdentity.isUuid($0) }
  }

  /// Whether it is the start of all code that Dart compiled, which is the nearest symbol of each
  /// function.
  fileprivate var isDartSnapshot: Bool {
    name.hasSuffix("SnapshotInstructions") && (name.hasPrefix("kDart") || name.hasPrefix("_kDart"))
  }

  private var isBareAddress: Bool {
    name.hasPrefix("0x") && name.utf8.count <= 18
      && name.utf8.dropFirst(2).allSatisfy { hexadecimalDigitValue($0) != nil }
  }
}

/// `LOAD + OFFSET`: the start of an image in the process, and a distance from it in bytes.
public struct ImageRelativeAddress: Hashable, Sendable {
  /// Where the image begins in the process; 0 if the writer knew no image.
  public let base: LoadAddress
  /// The distance of the address from ``base``, in bytes.
  public let offset: UInt64

  /// Describes the address `offset` bytes after `base`.
  public init(base: LoadAddress, offset: UInt64) {
    self.base = base
    self.offset = offset
  }
}

/// A symbol as a report shows it.
public struct FrameSymbol: Hashable, Sendable {
  /// The name as shown, demangled or not. Empty if the writer had none (` + -1 (:-1)`). It may
  /// contain anything, even line ends.
  public var name: String
  /// Bytes from the start of the symbol to the address, as printed; -1 if the writer did not know.
  /// Nil if the report has none.
  public var offset: Int64?
  /// The source file, usually without its folders. Nil if the report has none, or an empty one
  /// (`(:-1)`).
  public var file: String?
  /// The line, counted from 1; 0 for code without a line. Nil if the report has none, or -1.
  public var line: Int?
  /// The column, counted from 1; nil if the report has none. Swift's backtraces have columns.
  public var column: Int?
  /// Whether the frame is a call inlined into the next frame, which has the same address.
  public var isInlined: Bool

  /// Makes a symbol from its name and whatever else is known about it.
  public init(
    name: String, offset: Int64? = nil, file: String? = nil, line: Int? = nil,
    column: Int? = nil, isInlined: Bool = false
  ) {
    self.name = name
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }
}
