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
