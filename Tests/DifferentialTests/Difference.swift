/// The classes of differences that are understood. docs/differences.md explains for each who is
/// right, and why. The raw value is its name there.
enum Difference: String, CaseIterable {
  /// DWARF has another name for the outermost function than the symbol table, from which llvm takes
  /// it. Without the symbol table, llvm's answer is exactly ours.
  case nameFromSymbolTable = "outermost name from the symbol table"
  /// DWARF only has a plain name for the outermost function. We show the name of its symbol,
  /// without the suffix that the compiler added for a part or a copy (`.constprop.0`).
  case suffixOfSymbol = "suffix of a symbol"
  /// A line row covers the address, but no function does, in DWARF or in the symbol table: padding
  /// between functions. llvm gives the line; our answers begin with a name.
  case lineWithoutFunction = "line without function"
  /// Several symbols begin where the nearest one does, and the two sides name different ones.
  case anotherSymbolAtThatAddress = "another symbol at the same address"
  /// llvm extends the nearest symbol into other sections: the file's header (`_mh_execute_header`)
  /// up to the first function, the last function over the symbol stubs.
  case symbolPastItsSection = "symbol reaches past its section"
  /// Another function, which no symbol names, begins between the symbol and the address according
  /// to `LC_FUNCTION_STARTS`, which llvm does not read.
  case symbolPastFunctionStart = "symbol reaches past a function start"
  /// The name is in the export trie, as `llvm-objdump --exports-trie` shows it; llvm-symbolizer
  /// does not read it.
  case exportTrie = "exported name"
  /// The name is in the symbol table in `.gnu_debugdata`, which llvm-symbolizer does not
  /// decompress.
  case miniDebugInfo = "MiniDebugInfo"
  /// No section contains the address, although code of the file does: llvm then looks for no
  /// symbol.
  case addressInNoSection = "address in no section"
  /// The address is in a symbol stub, which has the name of its target; llvm does not look there.
  case symbolStub = "symbol stub"
  /// The linker removed the function and set its address to 0, which no section contains.
  case droppedCode = "dropped code"
  /// Another file has more information: llvm does not read supplementary files, and libdwarf reads
  /// no other files. The shorter answer must not contradict the longer one.
  case otherFileNotRead = "other file not read"
  /// llvm takes a file name from an `STT_FILE` symbol, without a line.
  case fileFromSymbolTable = "file from the symbol table"

  /// symbolic prepends a relative compilation directory twice: directory 0 of a version 5 line
  /// table is that directory already (DWARF 5, section 6.2.4).
  case symbolicRepeatsDirectory = "symbolic alone repeats a relative compilation directory"
  /// symbolic has no lines for code with a line table but no function (assembly).
  case symbolicHasNoLineWithoutFunction = "symbolic alone has no line without a function"
  /// symbolic leaves out inlined calls that llvm has as we do.
  case symbolicLosesInlinedFrames = "symbolic alone has fewer inlined frames"
  /// symbolic only has the symbol; llvm has the same lines as we.
  case symbolicHasNoLine = "symbolic alone has no line"
  /// symbolic has no answer; llvm has the same as we. symbolic ends a symbol where DWARF describes
  /// the start of its code.
  case symbolicKnowsNothing = "symbolic alone knows nothing"
  /// symbolic gives all parts of a function the name that the symbol table has for one of them.
  case symbolicNamesAnotherPart = "symbolic alone gives the name of another part"
  /// symbolic finds no lines in a function at address 0 (object files).
  case symbolicAtZero = "symbolic alone has no lines at address 0"
}

/// What is known about an address on which two voices differ, apart from their answers.
struct Evidence {
  let address: UInt64
  /// llvm's answer if the file has no symbol table.
  let llvmWithoutSymbols: Answer?
  /// The code sections.
  let codeRanges: [Range<UInt64>]
  /// Whether part of the DWARF is in other files (dwz, split units).
  let refersToOtherFiles: Bool
  let names: NameEvidence
}

/// The names that a file has for its addresses, as llvm's tools list them.
struct NameEvidence {
  /// The names of the symbols, by address.
  var symbolNames: [UInt64: Set<String>] = [:]
  /// The target of each symbol stub, by the first address of the stub.
  var stubNames: [UInt64: String] = [:]
  /// The starts of functions according to `LC_FUNCTION_STARTS`, ascending.
  var functionStarts: [UInt64] = []
  /// The names in the export trie, by address.
  var exportedNames: [UInt64: Set<String>] = [:]
  /// The names of the symbols in `.gnu_debugdata`, by address.
  var miniDebugNames: [UInt64: Set<String>] = [:]
}

extension NameEvidence {
  init(_ slice: SymbolFile.Slice, _ tools: LlvmTools) async throws {
    symbolNames = try await tools.symbolNames(of: slice)
    stubNames = try await tools.stubNames(of: slice)
    functionStarts = try await tools.functionStarts(of: slice)
    exportedNames = try await tools.exportedNames(of: slice)
    miniDebugNames = try await tools.miniDebugNames(of: slice)
  }
}

extension Difference {
  /// The class of the difference between our answer and llvm's; nil if none explains it.
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
      if let start = ours.start, let names = evidence.names.symbolNames[start],
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
        Comparison.agreeOnLocation($0, $1) || $0.isOfSymbol && $1.isOfSymbol
      })
    {
      return .nameFromSymbolTable
    }
    if let ours = own.frames.last, let theirs = llvm.frames.last,
      own.frames.count == llvm.frames.count,
      zip(own.frames, llvm.frames).allSatisfy({ Comparison.agreeOnLocation($0, $1) }),
      zip(own.frames, llvm.frames).dropLast().allSatisfy({ $0.function == $1.function }),
      theirs.function.hasPrefix(ours.function + "."), let start = ours.start,
      evidence.names.symbolNames[start]?.contains(theirs.function) == true
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
  /// Why our answer is not the nearest symbol of the same section; nil if nothing explains it.
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

  /// The source of a name of ours that another tool shows at that very address, while `other` has
  /// no answer, or a symbol that begins before it.
  static func ofNearerName(
    _ ours: Answer.Frame, _ other: Answer, _ evidence: Evidence
  ) -> Difference? {
    guard ours.isOfSymbol, let start = ours.start, start <= evidence.address else { return nil }
    if let theirs = other.onlyFrame {
      guard theirs.isOfSymbol, let theirStart = theirs.start, theirStart < start else { return nil }
    } else if !other.frames.isEmpty {
      return nil
    }
    if evidence.names.stubNames[start] == ours.function { return .symbolStub }
    if evidence.hasFunctionStart(after: start) { return nil }
    if evidence.names.exportedNames[start]?.contains(ours.function) == true { return .exportTrie }
    if evidence.names.miniDebugNames[start]?.contains(ours.function) == true {
      return .miniDebugInfo
    }
    return nil
  }
}

extension Answer {
  var onlyFrame: Frame? { frames.count == 1 ? frames[0] : nil }
}

extension Answer.Frame {
  /// Whether it names a function, but no source location except a file without directories, as
  /// `STT_FILE` symbols name it.
  var isOfSymbol: Bool { !function.isEmpty && line == 0 && !file.contains("/") }
}

extension Evidence {
  /// Whether one code section contains both addresses.
  func isOneSection(_ first: UInt64, _ second: UInt64) -> Bool {
    codeRanges.contains { $0.contains(first) && $0.contains(second) }
  }

  /// Whether a function begins behind `start`, at or before the address.
  func hasFunctionStart(after start: UInt64) -> Bool {
    names.functionStarts.contains { $0 > start && $0 <= address }
  }
}
