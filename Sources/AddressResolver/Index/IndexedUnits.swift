import DwarfReader
import ObjectFiles
import SymbolicationModel
import SymbolIndex
import Synchronization

/// Collects the units of an image, which threads finish in any order, and adds them to the writer
/// in the order of the debug information.
///
/// Adding is work, and must be done by one thread at a time. A thread that has finished a unit adds
/// all units whose turn it is, unless another thread is doing so: that one then goes on. So adding
/// takes place while the other threads decode.
final class IndexedUnits: Sendable {
  private let arrived = Mutex(Arrived())
  private let added: Mutex<Added>

  private struct Arrived {
    /// By index: the units that wait for their turn.
    var waiting: [Int: IndexedUnit] = [:]
    var done = 0
    /// The index of the next unit to add.
    var next = 0
  }

  private struct Added {
    var writer: GsymWriter
    var functions: [Range<LinkAddress>] = []
    var faults: [DwarfReadError] = []
  }

  init(writer: GsymWriter) { self.added = Mutex(Added(writer: writer)) }

  /// What could not be read of the units, in their order.
  var faults: [DwarfReadError] {
    added.withLock {
      addWaiting(to: &$0)
      return $0.faults
    }
  }

  /// Adds the unit with `index`. Indices are 0, 1 and so on, and none may be missing in the end.
  /// - Returns: how many units have been added or wait.
  func add(_ unit: IndexedUnit, at index: Int) -> Int {
    let done = arrived.withLock { arrived in
      arrived.waiting[index] = unit
      arrived.done += 1
      return arrived.done
    }
    // A unit that arrives after the last look at those waiting is added by its own thread.
    while hasNext, added.withLockIfAvailable({ addWaiting(to: &$0) }) != nil {}
    return done
  }

  /// The writer with all units and the one that `lastUnit` makes.
  ///
  /// - Parameter lastUnit: gets the ranges of the functions of all units, ascending by start.
  func finish(_ lastUnit: (_ functions: [Range<LinkAddress>]) -> GsymUnit) -> GsymWriter {
    added.withLock { added in
      addWaiting(to: &added)
      added.functions.sort { $0.lowerBound < $1.lowerBound }
      added.writer.add(lastUnit(added.functions))
      return added.writer
    }
  }

  private var hasNext: Bool { arrived.withLock { $0.waiting[$0.next] != nil } }

  private func addWaiting(to added: inout Added) {
    while let unit = takeNext() {
      added.writer.add(unit.content)
      added.functions += unit.ranges
      added.faults += unit.faults
    }
  }

  private func takeNext() -> IndexedUnit? {
    arrived.withLock { arrived in
      guard let unit = arrived.waiting.removeValue(forKey: arrived.next) else { return nil }
      arrived.next += 1
      return unit
    }
  }
}

/// The symbols that name functions without a linkage name in DWARF.
struct NamingSymbols: Sendable {
  let table: SymbolTable
  let format: ObjectFormat

  /// The name that lookups in the symbol file show for `function`, if it comes from a symbol.
  func name(of function: DwarfFunction, in unit: DwarfUnitFunctions) -> String? {
    guard unit.mayHaveMangledSymbol(function.name) else { return nil }
    return table.mangledName(ofFunctionAt: function.range.lowerBound, format: format)
  }
}

/// One unit of debug information, translated for the index.
struct IndexedUnit: Sendable {
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
    content.trim()
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
    // Sharing the memory would make the next function allocate its own.
    result.inlinedRanges.removeAll(keepingCapacity: true)
    result.inlinedRanges.append(contentsOf: function.callRanges)
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
