import DwarfReader
package import ObjectFiles
package import SymbolIndex
package import SymbolStore
package import SymbolicationModel
import Synchronization

/// Makes the index of an image: a GSYM file of its DWARF, merged with its symbol table.
package struct IndexBuilder {
  private let objectFile: ObjectFile
  private let store: SymbolStore

  /// - Parameter store: finds the files to which the DWARF of `objectFile` refers.
  package init(_ objectFile: ObjectFile, store: SymbolStore = SymbolStore()) {
    self.objectFile = objectFile
    self.store = store
  }

  /// An index, ready to be written.
  package struct Index: Sendable {
    /// The file's bytes, in pieces to be written one after the other.
    package let pieces: [[UInt8]]
    package let functionCount: Int
    /// What could not be read of the symbol file and is missing from the index.
    package let problems: [SymbolFileProblem]
  }

  /// Why no index can be made.
  package enum BuildError: Error, Hashable, Sendable {
    /// The symbol file has neither DWARF nor a symbol.
    case nothingToIndex
    case limit(GsymLimitError)
  }

  /// Decodes the whole file on up to `jobs` threads. The same file gives the same bytes for any
  /// number of jobs.
  ///
  /// - Parameter progress: called from the threads, with the number of units that are done and of
  ///   all units.
  package func build(
    jobs: Int, progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) throws(BuildError) -> Index {
    var problems: [SymbolFileProblem] = []
    let table = symbolTable(&problems)
    let units = objectFile.hasDebugInfo ? decodeUnits(jobs, table, progress, &problems) : []
    let symbols = symbolUnit(of: table, around: units)
    var writer: GsymWriter
    do {
      writer = try GsymWriter(uuid: objectFile.identity?.bytes ?? [])
      for unit in units { writer.add(unit.content) }
      writer.add(symbols)
      let layout = try writer.layout(omitsOverlaps: true)
      guard layout.functionCount > 0 else { throw BuildError.nothingToIndex }
      let parts = Mutex<[GsymLayout.Part]>([])
      ParallelWork.perform(count: layout.partCount, jobs: jobs) { index in
        let part = layout.encodePart(index)
        parts.withLock { $0.append(part) }
      }
      return Index(
        pieces: try layout.assemble(parts.withLock { $0 }), functionCount: layout.functionCount,
        problems: problems.withoutRepetitions)
    } catch let error as BuildError {
      throw error
    } catch let error as GsymLimitError {
      throw .limit(error)
    } catch {
      throw .nothingToIndex
    }
  }

  // MARK: - Debug information

  private func decodeUnits(
    _ jobs: Int, _ table: SymbolTable?, _ progress: (@Sendable (Int, Int) -> Void)?,
    _ problems: inout [SymbolFileProblem]
  ) -> [IndexedUnit] {
    let files = ImageReferencedFiles(objectFile, in: store)
    let sections = DwarfSections(objectFile, problems: &problems)
    let source: DwarfIndexSource
    do {
      source = try DwarfIndexSource(sections: sections, referencedFiles: files)
    } catch {
      problems.append(SymbolFileProblem(error, path: objectFile.path))
      return []
    }
    let count = source.unitCount
    let symbols = table.map { NamingSymbols(table: $0, format: objectFile.format) }
    let results = Mutex((units: [IndexedUnit?](repeating: nil, count: count), done: 0))
    ParallelWork.perform(count: count, jobs: jobs) { index in
      let unit = IndexedUnit(index, of: source, symbols)
      let done = results.withLock { results in
        results.units[index] = unit
        results.done += 1
        return results.done
      }
      progress?(done, count)
    }
    let units = results.withLock { $0.units.compactMap(\.self) }
    for fault in source.faults + units.flatMap(\.faults) {
      problems.append(SymbolFileProblem(fault, path: objectFile.path))
    }
    problems += files.problems
    return units
  }

  // MARK: - Symbols

  private func symbolTable(_ problems: inout [SymbolFileProblem]) -> SymbolTable? {
    do {
      let table = try objectFile.symbolTable()
      problems += table.faults.map { SymbolFileProblem($0) }
      return table
    } catch {
      problems.append(SymbolFileProblem(error))
      return nil
    }
  }

  /// The symbols before, between and after the functions of `units`.
  private func symbolUnit(of table: SymbolTable?, around units: [IndexedUnit]) -> GsymUnit {
    var unit = GsymUnit()
    guard let table else { return unit }
    let functions = units.flatMap(\.ranges).sorted { $0.lowerBound < $1.lowerBound }
    var next = 0
    // The end of the functions passed so far.
    var reached = LinkAddress(0)
    let hasOtherTables = objectFile.hasOtherElfSymbols
    for index in 0..<table.count {
      let symbol = table[index]
      while next < functions.count, functions[next].lowerBound <= symbol.addresses.lowerBound {
        reached = max(reached, functions[next].upperBound)
        next += 1
      }
      guard symbol.addresses.lowerBound >= reached, !symbol.rawName.isEmpty else { continue }
      // The end of such a symbol depends on tables that are not read here.
      if hasOtherTables, !table.hasSize(index) { continue }
      var end = symbol.addresses.upperBound
      if next < functions.count { end = min(end, functions[next].lowerBound) }
      guard symbol.addresses.lowerBound < end else { continue }
      let function = GsymFunction(
        range: symbol.addresses.lowerBound..<end,
        name: unit.name(symbol.nameWithoutUnderscore(objectFile.format)), rows: [],
        inlinedCalls: [], inlinedRanges: [])
      // Symbols too large for the format are left out: lookups find them in the symbol table.
      try? unit.add(function)
    }
    return unit
  }
}

/// The symbols that name functions without a linkage name in DWARF.
private struct NamingSymbols: Sendable {
  let table: SymbolTable
  let format: ObjectFormat

  /// The name that lookups in the symbol file show for `function`, if it comes from a symbol.
  func name(of function: DwarfFunction, in unit: DwarfUnitFunctions) -> String? {
    guard unit.mayHaveMangledSymbol(function.name) else { return nil }
    return table.mangledName(ofFunctionAt: function.range.lowerBound, format: format)
  }
}

/// One unit of debug information, translated for the index.
private struct IndexedUnit: Sendable {
  let content: GsymUnit
  /// The ranges of its functions, in the order of `.debug_info`.
  let ranges: [Range<LinkAddress>]
  let faults: [DwarfReadError]

  init(_ index: Int, of source: DwarfIndexSource, _ symbols: NamingSymbols?) {
    var content = GsymUnit()
    var ranges: [Range<LinkAddress>] = []
    do throws(DwarfReadError) {
      let unit = try source.unit(index)
      var numbers = IndexNumbers()
      var gsym = GsymFunction(
        range: LinkAddress(0)..<LinkAddress(0), name: 0, rows: [], inlinedCalls: [],
        inlinedRanges: [])
      unit.forEachFunction { function in
        numbers.translate(function, of: unit, &content, into: &gsym)
        if let name = symbols?.name(of: function, in: unit) { gsym.name = content.name(name) }
        // A function too large for the format is left out: lookups find it in the debug
        // information.
        if (try? content.add(gsym)) != nil { ranges.append(function.range) }
      }
      self.faults = unit.faults
    } catch {
      self.faults = [error]
    }
    self.content = content
    self.ranges = ranges
  }
}

/// The numbers of a unit's names and files in the index.
private struct IndexNumbers {
  private var names: [UInt64?] = []
  private var files: [UInt32?] = []

  mutating func translate(
    _ function: DwarfFunction, of unit: DwarfUnitFunctions, _ content: inout GsymUnit,
    into result: inout GsymFunction
  ) {
    result.range = function.range
    result.name = name(function.name, of: unit, &content)
    result.rows.removeAll(keepingCapacity: true)
    for row in function.rows {
      result.rows.append(
        GsymLineRow(
          address: LinkAddress(row.address), file: file(row.file, of: unit, &content),
          line: row.line))
    }
    result.inlinedCalls.removeAll(keepingCapacity: true)
    for call in function.calls {
      let callFile = call.file.map { file($0, of: unit, &content) } ?? 0
      result.inlinedCalls.append(
        GsymInlinedCall(
          depth: call.depth, name: name(call.name, of: unit, &content), callFile: callFile,
          callLine: call.line, ranges: call.ranges))
    }
    result.inlinedRanges = function.callRanges
  }

  private mutating func name(
    _ number: Int, of unit: DwarfUnitFunctions, _ content: inout GsymUnit
  ) -> UInt64 {
    while names.count <= number { names.append(nil) }
    if let known = names[number] { return known }
    let name = content.name(unit.name(number))
    names[number] = name
    return name
  }

  /// 0, which means none, if the unit has no such file.
  private mutating func file(
    _ index: UInt32, of unit: DwarfUnitFunctions, _ content: inout GsymUnit
  ) -> UInt32 {
    let place = Int(index)
    if place < files.count, let known = files[place] { return known }
    // Otherwise an index beyond the unit's files would decide how much memory is allocated.
    guard let path = unit.path(ofFile: index) else { return 0 }
    while files.count <= place { files.append(nil) }
    let file = content.file(path: path)
    files[place] = file
    return file
  }
}
