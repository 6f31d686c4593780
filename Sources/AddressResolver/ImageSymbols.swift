import ObjectFiles
import SymbolicationModel

/// What names code in one object file without debug information, asked in this order:
///
/// - the symbol table: of Mach-O the entries that are defined in code, each as far as the next one,
///   a function start (`LC_FUNCTION_STARTS`) or its section's end; of ELF `.symtab`;
/// - symbol stubs, in ELF the procedure linkage table, for addresses in a section of stubs;
/// - of Mach-O the export trie, as far as the symbol table and the function starts let it;
/// - of ELF `.dynsym`, then MiniDebugInfo (`.gnu_debugdata`).
///
/// The first that names an address answers, with one exception: an ELF symbol without a stated size
/// ends at the next symbol of any table. A table is read when all before it have no answer, and
/// kept. It belongs to one owner.
final class ImageSymbols {
  private let objectFile: ObjectFile
  private let miniDebugInfoSizeLimit: UInt64
  /// The file with `LC_FUNCTION_STARTS`, which a debug file lacks.
  private let program: ObjectFile
  private lazy var table: SymbolTable? = readSymbolTable()
  private lazy var functionStarts: FunctionStarts? = readFunctionStarts()
  private lazy var exports: SymbolTable? = readExports()
  private var hasStubProblem = false
  private lazy var stubs: SymbolStubs? = orProblem(objectFile.readSymbolStubs)
  private lazy var linkageTable: ProcedureLinkageTable? = orProblem(
    objectFile.readProcedureLinkageTable)
  /// The sections with stubs. Sections share no addresses, and no image has more of these than 64.
  private lazy var linkageSections = objectFile.sections.lazy.filter(\.isSymbolStubs).prefix(64)
    .map(\.addresses)
  private lazy var dynamicTable: SymbolTable? = readDynamicTable()
  private lazy var miniDebugInfo: SymbolTable? = readMiniDebugInfo()
  /// What could not be read so far.
  private(set) var problems: [SymbolFileProblem] = []

  /// - Parameter program: the program that `objectFile` is the debug file of.
  init(
    _ objectFile: ObjectFile, functionStartsOf program: ObjectFile? = nil, limits: ResourceLimits
  ) {
    self.objectFile = objectFile
    self.miniDebugInfoSizeLimit = limits.miniDebugInfoSize
    self.program = program ?? objectFile
  }

  /// A name and what it rests on.
  struct NamedCode {
    let symbol: Symbol
    let origin: AnswerOrigin
  }

  /// Whether any table has a name. Cost: tables are read until one does.
  var hasAny: Bool {
    [table, exports, dynamicTable, miniDebugInfo].lazy.contains { $0.map { $0.count > 0 } == true }
  }

  /// The named code at `address`; nil if nothing names it.
  func code(at address: LinkAddress) -> NamedCode? {
    switch objectFile.format {
    case .machO: machOCode(at: address)
    case .elf: elfCode(at: address)
    // A file that answers alone has no tables of symbols.
    default: nil
    }
  }

  /// The mangled name that the symbol table has for the function that begins at `address`.
  ///
  /// - Parameter reveal: what the name of a symbol stands for, if it is hidden.
  func mangledName(
    ofFunctionAt address: LinkAddress, reveal: (String) -> String
  ) -> String? {
    table?.mangledName(ofFunctionAt: address, format: objectFile.format, reveal: reveal)
  }

  /// Where the function that holds `address` begins according to `LC_FUNCTION_STARTS`, which a
  /// stripped Mach-O image keeps; nil if it does not say.
  func functionStart(containing address: LinkAddress) -> LinkAddress? {
    functionStarts?.start(containing: address)
  }

  // MARK: - Mach-O

  private func machOCode(at address: LinkAddress) -> NamedCode? {
    if let symbol = table?.symbol(at: address) {
      return NamedCode(symbol: symbol, origin: .symbolTable)
    }
    if let stub = stub(at: address) { return NamedCode(symbol: stub, origin: .symbolStub) }
    guard let exports, let index = exports.index(of: address) else { return nil }
    // The last symbol of the symbol table ended before the address, at the start of another
    // function.
    if let table, let last = table.lastIndex(upTo: address),
      table.start(last) >= exports.start(index)
    {
      return nil
    }
    return NamedCode(symbol: exports[index], origin: .exportTrie)
  }

  /// The stub that holds `address`. A damaged table breaks many stubs, so only the first error is
  /// kept.
  private func stub(at address: LinkAddress) -> Symbol? {
    do {
      return try stubs?.stub(at: address)
    } catch {
      if !hasStubProblem { keep(SymbolFileProblem(error)) }
      hasStubProblem = true
      return nil
    }
  }

  // MARK: - ELF

  private func elfCode(at address: LinkAddress) -> NamedCode? {
    var search = TableSearch(address: address)
    if let table, search.look(into: table, origin: .symbolTable) { return search.found }
    if linkageSections.contains(where: { $0.contains(address) }),
      let entry = linkageTable?.entry(at: address)
    {
      return NamedCode(symbol: entry, origin: .symbolStub)
    }
    if let dynamicTable, search.look(into: dynamicTable, origin: .symbolTable) {
      return search.found
    }
    if let miniDebugInfo, search.look(into: miniDebugInfo, origin: .miniDebugInfo) {
      return search.found
    }
    return search.found
  }

  /// Looks for an address in several tables as if they were one.
  private struct TableSearch {
    let address: LinkAddress
    /// The symbol that holds the address, according to the tables so far.
    var found: NamedCode? { best.map { NamedCode(symbol: $0.table[$0.index], origin: $0.origin) } }
    private var best: (table: SymbolTable, index: Int, origin: AnswerOrigin)?
    /// The start of the last symbol at or before the address, in any table so far.
    private var lastStart: LinkAddress?

    init(address: LinkAddress) { self.address = address }

    /// Returns whether no other table can have a better answer.
    mutating func look(into table: SymbolTable, origin: AnswerOrigin) -> Bool {
      guard let last = table.lastIndex(upTo: address) else { return false }
      lastStart = max(lastStart ?? table.start(last), table.start(last))
      if let index = table.index(of: address),
        best.map({ $0.table.start($0.index) < table.start(index) }) ?? true
      {
        best = (table, index, origin)
      }
      guard let found = best else { return false }
      if found.table.hasSize(found.index) { return true }
      // Without a size it reaches to the next symbol, wherever that is.
      if let lastStart, found.table.start(found.index) < lastStart { best = nil }
      return false
    }
  }

  // MARK: - Reading

  private func readSymbolTable() -> SymbolTable? {
    let starts = objectFile.format == .machO ? functionStarts : nil
    return keepingFaults {
      () throws(ObjectFileError) in try objectFile.symbolTable(functionStarts: starts)
    }
  }

  private func readExports() -> SymbolTable? {
    let starts = functionStarts
    return keepingFaults {
      () throws(ObjectFileError) in try objectFile.exportedSymbols(functionStarts: starts)
    }
  }

  private func readDynamicTable() -> SymbolTable? {
    keepingFaults(objectFile.dynamicSymbolTable)
  }

  private func readMiniDebugInfo() -> SymbolTable? {
    keepingFaults { () throws(ObjectFileError) in
      guard
        let file = try objectFile.miniDebugInfo(
          inflatedSizeLimit: miniDebugInfoSizeLimit)
      else { return nil }
      for fault in file.faults { keep(SymbolFileProblem(fault)) }
      return try file.symbolTable()
    }
  }

  private func readFunctionStarts() -> FunctionStarts? {
    let starts = orProblem(program.readFunctionStarts)
    for fault in starts?.faults ?? [] { keep(SymbolFileProblem(fault)) }
    return starts
  }

  /// The table that `read` returns, with its faults kept.
  private func keepingFaults(
    _ read: () throws(ObjectFileError) -> SymbolTable?
  ) -> SymbolTable? {
    let table = orProblem(read)
    for fault in table?.faults ?? [] { keep(SymbolFileProblem(fault)) }
    return table
  }

  /// What `read` returns; nil if it throws, and the error is kept, once.
  private func orProblem<Result>(_ read: () throws(ObjectFileError) -> Result?) -> Result? {
    do {
      return try read()
    } catch {
      keep(SymbolFileProblem(error))
      return nil
    }
  }

  private func keep(_ problem: SymbolFileProblem) {
    if !problems.contains(problem) { problems.append(problem) }
  }
}

// MARK: - Refusals

extension ImageSymbols {
  /// For an address without a name: the nearest symbol before it, and why that is not its name. Nil
  /// if there is none, and for an address that has a name.
  ///
  /// Reads only the tables that the question about the name has read.
  func refusal(at address: LinkAddress) -> SymbolRefusal? {
    guard code(at: address) == nil else { return nil }
    var nearest: (table: SymbolTable, index: Int)?
    var hidden: LinkAddress?
    for table in [table, exports, dynamicTable, miniDebugInfo].compactMap(\.self) {
      if let index = table.lastIndex(upTo: address),
        nearest.map({ $0.table.start($0.index) < table.start(index) }) ?? true
      {
        nearest = (table, index)
      }
      if let start = table.lastHiddenStart(upTo: address) { hidden = max(hidden ?? start, start) }
    }
    if let hidden, nearest.map({ $0.table.start($0.index) < hidden }) ?? true {
      return SymbolRefusal(rawName: "<redacted>", start: hidden, reason: .hiddenName)
    }
    guard let nearest else { return nil }
    let symbol = nearest.table[nearest.index]
    return SymbolRefusal(
      rawName: symbol.rawName, start: symbol.addresses.lowerBound,
      reason: reason(symbol, hasSize: nearest.table.hasSize(nearest.index), address))
  }

  private func reason(
    _ symbol: Symbol, hasSize: Bool, _ address: LinkAddress
  ) -> SymbolRefusal.Reason {
    let start = symbol.addresses.lowerBound
    let own = section(holding: start)
    if let own, !own.addresses.contains(address) {
      return .anotherSection(own: own.fullName, ofAddress: section(holding: address)?.fullName)
    }
    if !hasSize, let function = functionStart(containing: address), function > start {
      return .functionStart(function)
    }
    return .endsAt(symbol.addresses.upperBound)
  }

  private func section(holding address: LinkAddress) -> Section? {
    objectFile.sections.first { $0.addresses.contains(address) }
  }
}

extension Section {
  fileprivate var fullName: String { segmentName.isEmpty ? name : "\(segmentName),\(name)" }
}

extension SymbolTable {
  /// The linkage name, as DWARF would state it, of the function that starts at `address`: the name
  /// of the symbol that starts there, if it is mangled.
  ///
  /// Compilers omit `DW_AT_linkage_name` from some functions: clang up to Xcode 8 and gcc from
  /// static ones and methods of local types, Swift 3 from nearly all. DWARF then has `init`, and
  /// the symbol `_TFC13CrashProbeiOS11SwiftHelpercfT_S0_`.
  ///
  /// - Parameter reveal: what the name of a symbol stands for, if it is hidden.
  func mangledName(
    ofFunctionAt address: LinkAddress, format: ObjectFormat,
    reveal: (String) -> String = { $0 }
  ) -> String? {
    guard let symbol = symbol(at: address), symbol.addresses.lowerBound == address else {
      return nil
    }
    let name = Symbol(rawName: reveal(symbol.rawName), addresses: symbol.addresses)
      .nameWithoutUnderscore(format)
    guard ManglingScheme(of: name) != nil else { return nil }
    // Compilers append `.cold`, `.constprop.0` and the like to C++ names of parts and copies.
    guard name.hasPrefix("_Z"), let suffix = name.firstIndex(of: ".") else { return name }
    return String(name[..<suffix])
  }
}

extension Symbol {
  /// The name without the leading underscore of every name in a Mach-O symbol table.
  func nameWithoutUnderscore(_ format: ObjectFormat) -> String {
    (format == .machO || format == .sharedCache) && rawName.utf8.first == UInt8(ascii: "_")
      ? String(Substring(rawName.utf8.dropFirst())) : rawName
  }
}
