import AddressResolver
import SymbolicationModel

/// Our answers beside the referee's, with the differences that are understood told apart.
struct Comparison {
  var agreements = 0
  /// By class; docs/differences.md says who is right and why.
  var explained: [Difference: Int] = [:]
  /// Up to 20 of the rest, in words.
  var unexplained: [String] = []
  var unexplainedCount = 0

  enum Difference: Hashable {
    /// The referee takes the outermost name from the symbol table, where a part of a function that the
    /// compiler split off has a name of its own (`area_of.cold`, `f.part.0`); DWARF has the function's.
    case outermostNameFromSymbolTable
    /// A line row covers the address and no function does, in DWARF or in the symbol table: filling
    /// between functions. The referee gives the line; an answer of ours begins with a name.
    case lineWithoutFunction
  }

  mutating func compare(
    _ address: UInt64, ours: ResolvedAddress?, theirs: [Referee.Frame]
  ) {
    let own = (ours?.frames ?? []).map {
      Referee.Frame(
        function: $0.rawName, file: Self.normalised($0.location?.path ?? ""),
        line: $0.location?.line ?? 0)
    }
    let other = theirs.map {
      Referee.Frame(function: $0.function, file: Self.normalised($0.file), line: $0.line)
    }
    if own.count == other.count, zip(own, other).allSatisfy({ Self.agree($0, $1) }) {
      agreements += 1
    } else if let difference = Self.explanation(own, other) {
      explained[difference, default: 0] += 1
    } else {
      unexplainedCount += 1
      if unexplained.count < 20 {
        unexplained.append("0x\(String(address, radix: 16)): ours \(own), theirs \(other)")
      }
    }
  }

  private static func explanation(
    _ own: [Referee.Frame], _ other: [Referee.Frame]
  ) -> Difference? {
    if own.isEmpty, other.count == 1, other[0].function.isEmpty { return .lineWithoutFunction }
    guard own.count == other.count, let outermost = own.last, let theirs = other.last else {
      return nil
    }
    if zip(own, other).dropLast().allSatisfy({ agree($0, $1) }),
      outermost.file == theirs.file, outermost.line == theirs.line,
      theirs.function.hasPrefix(outermost.function + ".")
    {
      return .outermostNameFromSymbolTable
    }
    return nil
  }

  private static func agree(_ own: Referee.Frame, _ other: Referee.Frame) -> Bool {
    own.file == other.file && own.line == other.line && agree(own.function, other.function)
  }

  /// The referee strips one underscore of some names, which in Mach-O symbol tables has to go.
  private static func agree(_ own: String, _ other: String) -> Bool {
    own == other || own == "_" + other
  }

  /// `a/./b` is `a/b`.
  private static func normalised(_ path: String) -> String { path.replacing("/./", with: "/") }
}
