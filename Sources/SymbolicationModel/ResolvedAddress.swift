/// One function of an answer, with the place in it.
public struct ResolvedFrame: Hashable, Sendable {
  /// The name to show: demangled where it could be.
  public let name: String
  /// The name as the symbol file spells it, one leading Mach-O underscore included.
  public let rawName: String
  /// Where in the function's source the address lies: for the innermost frame the line row that
  /// covers it, for every other the call site of the next inner one. Nil where nothing says.
  public let location: SourceLocation?
  /// The first address of the contiguous range of this function's (or inlined body's) code that
  /// holds the address.
  public let rangeStart: LinkAddress

  public init(
    name: String, rawName: String, location: SourceLocation?, rangeStart: LinkAddress
  ) {
    self.name = name
    self.rawName = rawName
    self.location = location
    self.rangeStart = rangeStart
  }
}

/// What an answer rests on.
public enum AnswerOrigin: Hashable, Sendable {
  /// Functions and lines from DWARF.
  case dwarf
  /// The name from the symbol table, the line from a DWARF line table: hand-written assembly.
  case symbolTableAndLineTable
  /// The symbol table alone; of ELF also that of the dynamic linker (`.dynsym`).
  case symbolTable
  /// What a Mach-O image exports: its export trie, which stripping leaves.
  case exports
  /// The symbol table that a stripped ELF file keeps compressed in `.gnu_debugdata`.
  case miniDebugInfo
  /// The import that a symbol stub, or an entry of a procedure linkage table (ELF), jumps to: the
  /// linker's code, which has no name of its own.
  case symbolStub
}

/// The whole answer for one address, from one origin.
public struct ResolvedAddress: Hashable, Sendable {
  /// The calls inlined into `function` at the address, innermost first.
  public let inlinedFrames: [ResolvedFrame]
  /// The concrete function that holds the address: the outermost frame.
  public let function: ResolvedFrame
  public let origin: AnswerOrigin

  /// - Parameter inlinedFrames: the frames inlined into `function`, innermost first.
  public init(inlinedFrames: [ResolvedFrame], function: ResolvedFrame, origin: AnswerOrigin) {
    self.inlinedFrames = inlinedFrames
    self.function = function
    self.origin = origin
  }

  /// All frames, innermost first, the concrete function last.
  public var frames: [ResolvedFrame] { inlinedFrames + [function] }
}
