import CrashLogParser
import SymbolicationModel

/// What a report says about the function of a frame, as far as it was read.
///
/// Most frames of an `.ips` have a name, and nothing but its existence matters until the frame is
/// shown. So the name stays in the bytes of the report.
enum FrameStatement: Sendable {
  /// The report shows no symbol.
  case none
  case read(StatedSymbol)
  /// The object of the frame has a name, and neither a line nor a mark of an inlined call.
  case inObject(isTrampoline: Bool)

  init(_ symbol: FrameSymbol?) { self = symbol.map { .read(StatedSymbol($0)) } ?? .none }

  /// Reads as much of a frame as matters before it is shown.
  ///
  /// - Returns: the statement, and what the frame says about its place in an image.
  static func reading(_ frame: StackFrame) -> (FrameStatement, ImageRelativeAddress?) {
    switch frame.nameStatement {
    case .some(.none): return (.none, nil)
    case .plain: return (.inObject(isTrampoline: false), nil)
    case .trampoline: return (.inObject(isTrampoline: true), nil)
    case .unread, nil: break
    }
    let statement = frame.statement
    return (FrameStatement(statement.symbol), statement.address)
  }

  /// Whether the report shows a symbol.
  @inline(__always)
  var isNamed: Bool {
    switch self {
    case .none: false
    case .read, .inObject: true
    }
  }

  /// Whether the report shows the frame as a call inlined into the next one.
  @inline(__always)
  var isInlined: Bool {
    switch self {
    case .none, .inObject: false
    case .read(let stated): stated.symbol.isInlined
    }
  }

  @inline(__always)
  var hasLine: Bool {
    switch self {
    case .none, .inObject: false
    case .read(let stated): stated.symbol.line != nil
    }
  }

  /// Whether the name is that of a signal trampoline.
  @inline(__always)
  var isTrampoline: Bool {
    switch self {
    case .none: false
    case .read(let stated): SignalTrampoline.isName(stated.symbol.name)
    case .inObject(let isTrampoline): isTrampoline
    }
  }
}

/// A symbol that a report shows, in a box: it is large, and most frames have none.
final class StatedSymbol: Sendable {
  let symbol: FrameSymbol

  init(_ symbol: FrameSymbol) { self.symbol = symbol }
}
