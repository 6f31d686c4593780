import DwarfReader
import SymbolIndex
import SymbolicationModel
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
