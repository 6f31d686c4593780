/// The whole answer for one address, from one origin.
public struct ResolvedAddress: Hashable, Sendable {
  /// The calls inlined into `function` at the address, innermost first.
  public let inlinedFrames: [ResolvedFrame]
  /// The function that holds the address and was not inlined: the outermost frame.
  public let function: ResolvedFrame
  /// The part of the symbol file that the whole answer comes from.
  public let origin: AnswerOrigin

  /// - Parameter inlinedFrames: the frames inlined into `function`, innermost first.
  public init(inlinedFrames: [ResolvedFrame], function: ResolvedFrame, origin: AnswerOrigin) {
    self.inlinedFrames = inlinedFrames
    self.function = function
    self.origin = origin
  }

  /// All frames, innermost first; `function` is the last.
  public var frames: [ResolvedFrame] { inlinedFrames + [function] }
}

/// One function of an answer, and where in it the address lies.
public struct ResolvedFrame: Hashable, Sendable {
  /// The name to show: demangled if it can be.
  public let name: String
  /// The name as the symbol file spells it, with Mach-O's leading underscore.
  public let rawName: String
  /// The source line of the address. In the innermost frame it is that of the line row that covers
  /// the address; in every other frame it is that of the call to the next inner one. Nil if the
  /// symbol file does not state it.
  public let location: SourceLocation?
  /// The start of the contiguous range of this function's code, or of its inlined body, that holds
  /// the address.
  public let rangeStart: LinkAddress

  /// Makes a frame. `location` is nil if the source line is not known.
  public init(
    name: String, rawName: String, location: SourceLocation?, rangeStart: LinkAddress
  ) {
    self.name = name
    self.rawName = rawName
    self.location = location
    self.rangeStart = rangeStart
  }
}

/// A line of a source file, and a column if it is known.
public struct SourceLocation: Hashable, Sendable {
  /// The path that the debug information states: compilation directory, include directory and name,
  /// joined.
  public let path: String
  /// The line, counted from 1; 0 if the compiler states that the code belongs to no line.
  public let line: UInt32
  /// The column, counted from 1; 0 if it is not known.
  public let column: UInt32

  /// Makes a location; `line` and `column` count from 1, and a `column` of 0 is not known.
  public init(path: String, line: UInt32, column: UInt32 = 0) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The last component of the path, as `atos` prints it.
  ///
  /// A file in the root directory keeps its slash. Apple's tools print `/<compiler-generated>` for
  /// Swift's compiler-generated code, whose directory is `/`. In an absolute Windows path a
  /// backslash separates components too.
  public var fileName: String {
    let bytes = path.utf8
    if path.isAbsoluteWindowsPath {
      let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
      guard let last = bytes.lastIndex(where: isSeparator) else { return path }
      return String(path[bytes.index(after: last)...])
    }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash != bytes.startIndex else {
      return path
    }
    return String(path[bytes.index(after: slash)...])
  }
}

/// The nearest symbol before an address that has no name, and why it is not the name of the
/// address.
public struct SymbolRefusal: Hashable, Sendable {
  /// The name as the symbol file spells it.
  public let rawName: String
  /// Where the symbol begins; at or before the address.
  public let start: LinkAddress
  /// Why the symbol is not the name of the address.
  public let reason: Reason

  /// Why a symbol is not the name of an address.
  public enum Reason: Hashable, Sendable {
    /// The symbol has a stated size, or is a symbol stub, and ends here: the first address beyond
    /// it, at or before the one that was looked up.
    case endsAt(LinkAddress)
    /// The symbol is in another section than the address. The names are those of the symbol file
    /// (`__TEXT,__text`, `.text`); nil if the address is in no section.
    case anotherSection(own: String, ofAddress: String?)
    /// Another function begins here, between the symbol and the address, and no symbol names it
    /// (`LC_FUNCTION_STARTS`).
    case functionStart(LinkAddress)
    /// The system's shared cache hides the symbol's name (`<redacted>`).
    case hiddenName
  }

  /// Records why the symbol that begins at `start` is not the name of an address.
  public init(rawName: String, start: LinkAddress, reason: Reason) {
    self.rawName = rawName
    self.start = start
    self.reason = reason
  }
}
