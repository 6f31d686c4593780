/// The functions of an image, unit by unit, for making an index.
package struct DwarfIndexSource: Sendable {
  private let file: DwarfFile
  /// The units whose headers cannot be read; of thousands, the first ones.
  package let faults: [DwarfReadError]
  private let units: [DwarfUnitHeader]

  /// Reads the headers of the units.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`.
  package init(
    sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)?
  ) throws(DwarfReadError) {
    self.file = try DwarfFile(imageSections: sections, referencedFiles: referencedFiles)
    let list = file.unitList
    self.faults = list.faults
    self.units = list.unitsWithDies
  }

  /// The number of units that may contain functions.
  package var unitCount: Int { units.count }

  /// Decodes the unit with `index`, which must be below `unitCount`. May be called from several
  /// threads.
  ///
  /// Throws if nothing of the unit can be read.
  package func unit(_ index: Int) throws(DwarfReadError) -> DwarfUnitFunctions {
    DwarfUnitFunctions(try DwarfUnit(units[index], of: file))
  }
}

/// The functions of one unit with their names, rows and inlined calls. It belongs to one thread.
package final class DwarfUnitFunctions {
  private let dieUnit: DwarfUnit
  private let lines: LineProgram.Result?
  private let functions: ScopeTable
  /// What could not be read so far.
  package private(set) var faults: [DwarfReadError] = []
  /// By name number.
  private var names: [String] = []
  /// By name number.
  private var haveMangledSymbols: [Bool] = []
  /// By the offset of the DIE: the number of its name, −1 if it has none.
  private var nameNumbers = OffsetTable()

  init(_ unit: DwarfUnit) {
    var faults: [DwarfReadError] = []
    let dieUnit = unit.unitHoldingDies { faults.append($0) }
    let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: false)
    if let fault = found.fault { faults.append(fault) }
    self.functions = found.content.functions
    // Without functions, no rows are needed.
    self.lines =
      functions.scopes.isEmpty ? nil : LineProgram.run(for: unit, record: { faults.append($0) })
    self.dieUnit = dieUnit
    self.faults = faults
  }

  /// The name with `number`.
  package func name(_ number: Int) -> String { names[number] }

  /// Whether the symbol of the function whose name has `number` may have a better name
  /// (`FunctionNames.mayHaveMangledSymbol`).
  package func mayHaveMangledSymbol(_ number: Int) -> Bool { haveMangledSymbols[number] }

  /// The path of the file with `index` in the unit's file table; nil if there is none.
  package func path(ofFile index: UInt32) -> String? { lines?.files.path(at: index) }

  /// Calls `body` with each contiguous range of each function, in the order of `.debug_info`.
  ///
  /// This leaves out functions without a name, functions that overlap another function of the unit,
  /// and functions whose inlined calls are not properly nested: an index could not give the same
  /// answers for them as the reader.
  package func forEachFunction(_ body: (DwarfFunction) -> Void) {
    var function = DwarfFunction()
    var calls = InlinedCallTable()
    for (index, scope) in functions.scopes.enumerated() {
      guard let name = nameNumber(at: scope.dieOffset) else { continue }
      let read = InlinedCallWalk.read(
        functionAt: scope.dieOffset, of: dieUnit, into: &calls)
      if let fault = read.fault { faults.append(fault) }
      for range in functions.ranges[functions.ranges(ofScope: index)] {
        guard functions.hasAlone(range, scope: index) else { continue }
        // Each range of a function walks over all its calls.
        guard dieUnit.file.limits.walks.permitsMore else {
          faults.append(.decodingLimit(section: .info))
          return
        }
        dieUnit.file.limits.walks.add(read.content.calls.count)
        let isWhole = function.fill(
          range, name: name, calls: calls, read.content, lines: lines?.table,
          nameOfCall: { nameNumber(at: $0) })
        if isWhole { body(function) }
      }
      calls.removeAll()
    }
  }

  private func nameNumber(at offset: UInt64) -> Int? {
    if let known = nameNumbers[offset] { return known >= 0 ? Int(known) : nil }
    let read = dieUnit.names(at: offset)
    if let fault = read.fault { faults.append(fault) }
    guard let name = read.content.linkageName ?? read.content.name, !name.isEmpty,
      let number = Int32(exactly: names.count)
    else {
      nameNumbers.insert(-1, at: offset)
      return nil
    }
    nameNumbers.insert(number, at: offset)
    names.append(name)
    haveMangledSymbols.append(
      read.content.mayHaveMangledSymbol(inLanguage: dieUnit.root.language))
    return Int(number)
  }
}

/// Numbers by offset. A unit asks for the name of each inlined call, and a dictionary would take
/// longer to find it than reading the call takes.
struct OffsetTable {
  private struct Entry {
    var offset: UInt64
    var number: Int32
    var isUsed: Bool
  }

  /// A hash table with linear probing. The count is a power of two, and at least half are free.
  private var entries = [Entry](
    repeating: Entry(offset: 0, number: 0, isUsed: false), count: 256)
  private var count = 0
  /// Random, so that no file can make its offsets collide; odd, so that no bit is lost.
  private let factor = UInt64.random(in: .min ... .max) | 1

  /// The number at `offset`; nil if there is none.
  subscript(offset: UInt64) -> Int32? {
    let entry = entries[place(of: offset)]
    return entry.isUsed ? entry.number : nil
  }

  /// Adds the number at `offset`, which must have none.
  mutating func insert(_ number: Int32, at offset: UInt64) {
    if (count + 1) * 2 > entries.count { grow() }
    entries[place(of: offset)] = Entry(offset: offset, number: number, isUsed: true)
    count += 1
  }

  /// The index in `entries` of `offset`, or of the free entry for it.
  @inline(__always)
  private func place(of offset: UInt64) -> Int {
    let mask = entries.count - 1
    // The high bits of the product depend on all bits of the offset.
    var place = Int(truncatingIfNeeded: (offset &* factor) &>> 32) & mask
    while entries[place].isUsed, entries[place].offset != offset { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](
      repeating: Entry(offset: 0, number: 0, isUsed: false), count: old.count * 2)
    for entry in old where entry.isUsed { entries[place(of: entry.offset)] = entry }
  }
}
