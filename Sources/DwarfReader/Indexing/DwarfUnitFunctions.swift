/// The functions of one unit, with all that is known of them. It belongs to one thread.
package final class DwarfUnitFunctions {
  private let dieUnit: DwarfUnit
  private let lines: LineProgram.Result?
  private let functions: ScopeTable
  /// What could not be read of the unit so far.
  package private(set) var faults: [DwarfReadError] = []
  private var names: [String] = []
  /// By number.
  private var haveMangledSymbols: [Bool] = []
  /// By the offset of the entry: the number of its name, −1 where it has none.
  private var nameNumbers: [UInt64: Int] = [:]

  init(_ unit: DwarfUnit) {
    var faults: [DwarfReadError] = []
    let dieUnit = unit.unitHoldingDies { faults.append($0) }
    let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: false)
    if let fault = found.fault { faults.append(fault) }
    self.functions = found.content.functions
    // Without functions nothing asks for lines.
    self.lines =
      functions.scopes.isEmpty ? nil : LineProgram.run(for: unit, record: { faults.append($0) })
    self.dieUnit = dieUnit
    self.faults = faults
  }

  /// The name with `number`.
  package func name(_ number: Int) -> String { names[number] }

  /// Whether the symbol of the function whose name has `number` may tell more
  /// (`FunctionNames.mayHaveMangledSymbol`).
  package func mayHaveMangledSymbol(_ number: Int) -> Bool { haveMangledSymbols[number] }

  /// The path of the file with `index`; nil where the unit has no such file.
  package func path(ofFile index: UInt32) -> String? { lines?.files.path(at: index) }

  /// Calls `body` with each contiguous piece of each function, in the order of `.debug_info`.
  ///
  /// Left out are functions without a name, those that claim addresses of another function of the unit,
  /// and those with inlined calls that do not lie in each other: of them an index could not say what
  /// the reader says.
  package func forEachFunction(_ body: (DwarfFunction) -> Void) {
    var function = DwarfFunction()
    var calls = InlinedCallTable()
    for (index, scope) in functions.scopes.enumerated() {
      guard let name = nameNumber(at: scope.dieOffset) else { continue }
      let read = InlinedCallWalk.read(
        functionAt: scope.dieOffset, of: dieUnit, into: &calls)
      if let fault = read.fault { faults.append(fault) }
      for place in functions.ranges(ofScope: index) {
        let range = functions.ranges[place]
        guard functions.hasAlone(range, scope: index) else { continue }
        // Each piece of a function looks through all calls.
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
    if let known = nameNumbers[offset] { return known >= 0 ? known : nil }
    let read = dieUnit.names(at: offset)
    if let fault = read.fault { faults.append(fault) }
    guard let name = read.content.linkageName ?? read.content.name, !name.isEmpty else {
      nameNumbers[offset] = -1
      return nil
    }
    nameNumbers[offset] = names.count
    names.append(name)
    haveMangledSymbols.append(
      read.content.mayHaveMangledSymbol(inLanguage: dieUnit.root.language))
    return names.count - 1
  }
}
