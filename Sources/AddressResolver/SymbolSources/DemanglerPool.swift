import Demangling
import SymbolicationModel
import Synchronization

/// Demanglers for several threads. Each remembers the names that it has demangled, which the parts
/// of an image have in common.
final class DemanglerPool: Sendable {
  private let style: DemanglingStyle
  /// Those that no thread uses at the moment.
  private let free = Mutex<[SymbolDemangler]>([])

  init(style: DemanglingStyle) { self.style = style }

  /// Calls `body` with a demangler that no other thread uses.
  func use<Result>(_ body: (inout SymbolDemangler) -> Result) -> Result {
    var demangler = free.withLock { $0.popLast() } ?? SymbolDemangler(style: style)
    let result = body(&demangler)
    free.withLock { free in
      // Swapped and not copied: the next thread must be its only owner.
      free.append(SymbolDemangler(style: style))
      swap(&free[free.count - 1], &demangler)
    }
    return result
  }
}
