/// The classes of differences that are understood; docs/differences.md says of each who is right, and
/// why. The raw value is its name there.
enum Difference: String, CaseIterable {
  /// DWARF names the outermost function otherwise than the symbol table, from which llvm takes it:
  /// asked without the symbol table llvm says what we say, in everything.
  case nameFromSymbolTable = "outermost name from the symbol table"
  /// DWARF has a plain name alone for the outermost function, and we show its symbol's, without what
  /// the compiler appended for a part or a copy (`.constprop.0`).
  case suffixOfSymbol = "suffix of a symbol"
  /// A line row covers the address and no function does, in DWARF or in the symbol table: filling
  /// between functions. llvm gives the line; an answer of ours begins with a name.
  case lineWithoutFunction = "line without function"
  /// Several symbols begin where the nearest one does, and each side names another of them.
  case anotherSymbolAtThatAddress = "another symbol at the same address"
  /// llvm lets the nearest symbol reach into other sections: the file's header
  /// (`_mh_execute_header`) up to the first function, the last function over the symbol stubs.
  case symbolPastItsSection = "symbol reaches past its section"
  /// Another function, which no symbol names, begins between the symbol and the address:
  /// `LC_FUNCTION_STARTS`, at which llvm does not look.
  case symbolPastFunctionStart = "symbol reaches past a function start"
  /// The name is in the export trie, as `llvm-objdump --exports-trie` shows it; llvm-symbolizer does not
  /// look there.
  case exportTrie = "exported name"
  /// The name is in the symbol table in `.gnu_debugdata`, which llvm-symbolizer does not inflate.
  case miniDebugInfo = "MiniDebugInfo"
  /// No section holds the address, although code of the file does: llvm then looks for no symbol.
  case addressInNoSection = "address in no section"
  /// The address is in a symbol stub, which has the name of what it jumps to; llvm does not look there.
  case symbolStub = "symbol stub"
  /// The linker dropped the function, and left 0 where it was: no section holds the address.
  case droppedCode = "dropped code"
  /// What tells more lies in another file: llvm does not read those of dwz, libdwarf none. Whoever
  /// reads less contradicts in nothing.
  case otherFileNotRead = "other file not read"
  /// llvm makes a file of an `STT_FILE` symbol, without a line.
  case fileFromSymbolTable = "file from the symbol table"

  /// symbolic puts the compilation directory before itself, where it is relative: directory 0 of a
  /// version 5 line table is that directory already (DWARF 5, section 6.2.4).
  case symbolicRepeatsDirectory = "symbolic alone repeats a relative compilation directory"
  /// symbolic has no lines for code that has a line table and no function (assembly).
  case symbolicHasNoLineWithoutFunction = "symbolic alone has no line without a function"
  /// symbolic leaves inlined calls out, where llvm has them as we do.
  case symbolicLosesInlinedFrames = "symbolic alone has fewer inlined frames"
  /// symbolic has the symbol alone, where llvm has the lines that we have.
  case symbolicHasNoLine = "symbolic alone has no line"
  /// symbolic says nothing, where llvm says what we say: it lets a symbol end where DWARF describes
  /// the beginning of its code.
  case symbolicKnowsNothing = "symbolic alone knows nothing"
  /// symbolic gives all parts of a function the name that the symbol table has for one of them.
  case symbolicNamesAnotherPart = "symbolic alone gives the name of another part"
  /// symbolic finds no lines in a function at address 0 (object files).
  case symbolicAtZero = "symbolic alone has no lines at address 0"
}

/// What is known of an address where two voices differ, apart from what they say.
struct Evidence {
  let address: UInt64
  /// What llvm says of it when the file has no symbol table.
  let llvmWithoutSymbols: Answer?
  /// The sections of code.
  let codeRanges: [Range<UInt64>]
  /// The names of the symbols at each address.
  let symbolNames: [UInt64: Set<String>]
  /// Whether part of the DWARF is in other files (dwz, split units).
  let refersToOtherFiles: Bool
  /// What each symbol stub jumps to, by its first address.
  let stubNames: [UInt64: String]
  /// Where functions begin as `LC_FUNCTION_STARTS` says; ascending.
  let functionStarts: [UInt64]
  /// The names in the export trie by address.
  let exportedNames: [UInt64: Set<String>]
  /// The names of the symbols in `.gnu_debugdata` by address.
  let miniDebugNames: [UInt64: Set<String>]
}

extension Difference {
  /// Why an answer of ours differs from llvm's; nil where nothing explains it.
  static func between(_ own: Answer, llvm: Answer, _ evidence: Evidence) -> Difference? {
    if own.frames.isEmpty, let frame = llvm.onlyFrame {
      if frame.function.isEmpty { return .lineWithoutFunction }
      if frame.isOfSymbol, let start = frame.start {
        if !evidence.isOneSection(start, evidence.address) { return .symbolPastItsSection }
        if evidence.hasFunctionStart(after: start) { return .symbolPastFunctionStart }
      }
    }
    if let ours = own.onlyFrame, let difference = ofNearerName(ours, llvm, evidence) {
      return difference
    }
    if llvm.frames.isEmpty, let frame = own.onlyFrame, frame.isOfSymbol,
      !evidence.isOneSection(evidence.address, evidence.address)
    {
      return .addressInNoSection
    }
    if let ours = own.onlyFrame, let theirs = llvm.onlyFrame, ours.isOfSymbol, theirs.isOfSymbol,
      ours.start == theirs.start
    {
      if ours.function == theirs.function { return .fileFromSymbolTable }
      if let start = ours.start, let names = evidence.symbolNames[start],
        names.contains(ours.function),
        names.contains(theirs.function) || names.contains("_" + theirs.function)
      {
        return .anotherSymbolAtThatAddress
      }
    }
    if let llvmWithoutSymbols = evidence.llvmWithoutSymbols,
      Comparison.agree(own, llvmWithoutSymbols),
      own.frames.count == llvm.frames.count,
      zip(own.frames, llvm.frames).allSatisfy({
        Comparison.agreeOnPlace($0, $1) || $0.isOfSymbol && $1.isOfSymbol
      })
    {
      return .nameFromSymbolTable
    }
    if let ours = own.frames.last, let theirs = llvm.frames.last,
      own.frames.count == llvm.frames.count,
      zip(own.frames, llvm.frames).allSatisfy({ Comparison.agreeOnPlace($0, $1) }),
      zip(own.frames, llvm.frames).dropLast().allSatisfy({ $0.function == $1.function }),
      theirs.function.hasPrefix(ours.function + "."), let start = ours.start,
      evidence.symbolNames[start]?.contains(theirs.function) == true
    {
      return .suffixOfSymbol
    }
    if own.frames.isEmpty, !llvm.frames.isEmpty,
      !evidence.isOneSection(evidence.address, evidence.address)
    {
      return .droppedCode
    }
    return evidence.refersToOtherFiles ? betweenPartialReaders(own, llvm) : nil
  }
}

extension Difference {
  /// Why an answer of ours is not the nearest symbol of the same section; nil where nothing explains it.
  static func between(
    _ own: Answer, nearestSymbol: Answer, _ evidence: Evidence
  ) -> Difference? {
    if own.frames.isEmpty, let start = nearestSymbol.onlyFrame?.start,
      evidence.hasFunctionStart(after: start)
    {
      return .symbolPastFunctionStart
    }
    return own.onlyFrame.flatMap { ofNearerName($0, nearestSymbol, evidence) }
  }

  /// Where a name of ours comes from that another tool shows at that very address, while `other` knows
  /// nothing, or a symbol that begins before it.
  static func ofNearerName(
    _ ours: Answer.Frame, _ other: Answer, _ evidence: Evidence
  ) -> Difference? {
    guard ours.isOfSymbol, let start = ours.start, start <= evidence.address else { return nil }
    if let theirs = other.onlyFrame {
      guard theirs.isOfSymbol, let theirStart = theirs.start, theirStart < start else { return nil }
    } else if !other.frames.isEmpty {
      return nil
    }
    if evidence.stubNames[start] == ours.function { return .symbolStub }
    if evidence.hasFunctionStart(after: start) { return nil }
    if evidence.exportedNames[start]?.contains(ours.function) == true { return .exportTrie }
    if evidence.miniDebugNames[start]?.contains(ours.function) == true { return .miniDebugInfo }
    return nil
  }
}

extension Answer {
  var onlyFrame: Frame? { frames.count == 1 ? frames[0] : nil }
}

extension Answer.Frame {
  /// Whether it names a function and no place in its source, other than a file as `STT_FILE` symbols
  /// name it, without folders.
  var isOfSymbol: Bool { !function.isEmpty && line == 0 && !file.contains("/") }
}

extension Evidence {
  /// Whether one section of code holds both addresses.
  func isOneSection(_ first: UInt64, _ second: UInt64) -> Bool {
    codeRanges.contains { $0.contains(first) && $0.contains(second) }
  }

  /// Whether a function begins behind `start`, up to the address.
  func hasFunctionStart(after start: UInt64) -> Bool {
    functionStarts.contains { $0 > start && $0 <= address }
  }
}
