import BinaryInput
import Synchronization

/// How much is decoded at most of what units and entries share.
///
/// Units may name one abbreviation table, one line table and one list of ranges, entries one list and one
/// string, and `.debug_aranges` may lead to units that lie in each other. In files that tools write each of
/// these is decoded a few times at most. In a hostile file a hundred thousand units share half a megabyte: it
/// would keep the reader busy for hours, or fill the memory. So of each kind a reader decodes up to a
/// multiple of what its files hold; what passes that is left out, and `decodingLimit` is among the faults.
/// (Where several threads read, it is chance which unit comes too late.)
final class DecodingLimits: Sendable {
  /// The bytes of whole units and functions that are walked. A unit is walked for its functions, a second
  /// time where an address is in none of them, and each function for its inlined calls; the parts of a
  /// package of split units are searched for the unit.
  let walks = DecodingLimit(factor: 6)
  /// The bytes of single entries: the first ones of units, and those that give names.
  let dies = DecodingLimit(factor: 16)
  /// The bytes of abbreviation tables: compiled once for a unit, or for all that share one.
  let abbreviations = DecodingLimit(factor: 8)
  /// The bytes of line tables: run once for the ranges of a unit that states none, and once for its lines.
  let lines = DecodingLimit(factor: 4)
  /// The bytes of lists of ranges: read for a unit, or once or twice for a function.
  let ranges = DecodingLimit(factor: 8)
  /// The bytes of names and paths: names are read once for each function and inlined call, paths for each
  /// file of a unit.
  let texts = DecodingLimit(factor: 4, atLeast: 16 << 20)

  /// Raises the limits for a file with `sections`.
  func add(_ sections: DwarfSections) {
    func size(_ names: DwarfSectionName...) -> Int {
      names.reduce(0) { $0 + (sections[$1]?.count ?? 0) }
    }
    walks.raise(by: size(.info))
    dies.raise(by: size(.info))
    abbreviations.raise(by: size(.abbreviations))
    lines.raise(by: size(.line))
    ranges.raise(by: size(.ranges, .rangeLists))
    texts.raise(by: size(.strings, .lineStrings, .info, .line))
  }
}

/// One of them: it is asked before something is decoded, and told afterwards how much that was.
struct DecodingLimit: ~Copyable, Sendable {
  private let factor: Int
  private let limit: Atomic<Int>
  private let decoded = Atomic<Int>(0)

  /// - Parameter atLeast: the limit for however small a file.
  init(factor: Int, atLeast: Int = 1 << 20) {
    self.factor = factor
    self.limit = Atomic(atLeast)
  }

  func raise(by byteCount: Int) {
    // Sizes of sections are those of memory: a small multiple of them is a number.
    limit.wrappingAdd(factor &* byteCount, ordering: .relaxed)
  }

  /// Whether the limit is not passed yet: what is decoded next may pass it.
  var permitsMore: Bool { decoded.load(ordering: .relaxed) <= limit.load(ordering: .relaxed) }

  func add(_ byteCount: Int) {
    decoded.wrappingAdd(byteCount, ordering: .relaxed)
  }
}
