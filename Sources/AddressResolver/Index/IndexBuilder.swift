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
    /// There was something to read, but no function in what could be read.
    case noFunctions([SymbolFileProblem])
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
    do {
      let empty = try GsymWriter(uuid: objectFile.identity?.bytes ?? [])
      let units = IndexedUnits(writer: empty)
      if objectFile.hasDebugInfo { decodeUnits(into: units, jobs, table, progress, &problems) }
      let writer = units.finish { Self.symbolUnit(of: table, in: objectFile, around: $0) }
      let layout = try writer.layout(omitsOverlaps: true)
      guard layout.functionCount > 0 else {
        let isEmpty =
          !objectFile.hasDebugInfo && problems.isEmpty && (table?.count ?? 0) == 0
        throw isEmpty
          ? BuildError.nothingToIndex : .noFunctions(problems.withoutRepetitions)
      }
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
    into units: IndexedUnits, _ jobs: Int, _ table: SymbolTable?,
    _ progress: (@Sendable (Int, Int) -> Void)?, _ problems: inout [SymbolFileProblem]
  ) {
    let files = ImageReferencedFiles(objectFile, in: store)
    let sections = DwarfSections(objectFile, limits: store.limits, problems: &problems)
    let source: DwarfIndexSource
    do {
      source = try DwarfIndexSource(sections: sections, referencedFiles: files)
    } catch {
      problems.append(SymbolFileProblem(error, path: objectFile.path))
      return
    }
    let count = source.unitCount
    let symbols = table.map { NamingSymbols(table: $0, format: objectFile.format) }
    ParallelWork.perform(count: count, jobs: jobs) { index in
      let done = units.add(IndexedUnit(index, of: source, symbols), at: index)
      progress?(done, count)
    }
    for fault in source.faults + units.faults {
      problems.append(SymbolFileProblem(fault, path: objectFile.path))
    }
    problems += files.problems
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

  /// The symbols before, between and after `functions`, which are in the order of their starts.
  static func symbolUnit(
    of table: SymbolTable?, in objectFile: ObjectFile, around functions: [Range<LinkAddress>]
  ) -> GsymUnit {
    guard let table else { return GsymUnit() }
    var unit = GsymUnit(functionCount: functions.isEmpty ? table.count : 0)
    var next = 0
    // The end of the functions passed so far.
    var reached = LinkAddress(0)
    let hasOtherTables = objectFile.hasOtherElfSymbols
    var longNames: [UInt32: UInt64] = [:]
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
      let key = table.longNameKey(index)
      let name =
        key.flatMap { longNames[$0] } ?? unit.name(symbol.nameWithoutUnderscore(objectFile.format))
      if let key { longNames[key] = name }
      let function = GsymFunction(
        range: symbol.addresses.lowerBound..<end, name: name, rows: [], inlinedCalls: [],
        inlinedRanges: [])
      // Symbols too large for the format are left out: lookups find them in the symbol table.
      try? unit.add(function)
    }
    return unit
  }
}
