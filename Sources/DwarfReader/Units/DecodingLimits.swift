import BinaryInput
import Synchronization

/// Limits on how much is decoded of data that units and DIEs share.
///
/// Several units may refer to the same abbreviation table, line table or range list, several DIEs
/// to the same range list or string, and `.debug_aranges` may lead to overlapping units. Files
/// written by tools cause each of these to be decoded a few times at most. In a hostile file, a
/// hundred thousand units can share half a megabyte, which would keep the reader busy for hours or
/// fill the memory.
///
/// So of each kind of data a reader decodes at most a multiple of the size that its files have of
/// it. Data beyond the limit is left out, and `decodingLimit` is among the faults. (With several
/// threads, it is not defined which units are left out.)
final class DecodingLimits: Sendable {
  /// How many bytes a byte of `.debug_info` or `.debug_line` may take when it is decoded: twice
  /// what was seen.
  static let expansion: UInt64 = 16

  /// Whether something was forgotten, or left out, that may be asked about again.
  private let mayRepeat = Atomic(false)

  /// The bytes of units and functions that are walked. A unit is walked for its functions, again if
  /// an address is in none of them, both once more if further addresses are asked about, and each
  /// function is walked for its inlined calls. The parts of a package are searched for a split
  /// unit.
  let walks = DecodingLimit(factor: 6)
  /// The bytes of single DIEs: the first ones of units, and those that give names.
  let dies = DecodingLimit(factor: 16)
  /// The bytes of abbreviation tables. Each is compiled once for a unit, or for all that share it.
  let abbreviations = DecodingLimit(factor: 8)
  /// The bytes of line tables. Each is run once for the ranges of a unit that states none, once for
  /// its lines, and once more if further addresses are asked about.
  let lines = DecodingLimit(factor: 4)
  /// The bytes of range lists. They are read for a unit, and once or twice for a function.
  let ranges = DecodingLimit(factor: 8)
  /// The bytes of names and paths. Names are read once for each function and inlined call, paths
  /// for each file of a unit.
  let texts = DecodingLimit(factor: 4, atLeast: 16 << 20)

  /// Notes that what was decoded may have to be decoded again, because memory is scarce.
  func noteForgotten() { mayRepeat.store(true, ordering: .relaxed) }

  /// To be called before new questions: what was decoded for others, and is not there any more,
  /// does not count for them.
  func renewIfForgotten() {
    guard mayRepeat.exchange(false, ordering: .relaxed) else { return }
    walks.reset()
    dies.reset()
    abbreviations.reset()
    lines.reset()
    ranges.reset()
    texts.reset()
  }

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

/// A limit on the decoded bytes of one kind: ask `permitsMore` before decoding something, and call
/// `add` afterwards.
struct DecodingLimit: ~Copyable, Sendable {
  private let factor: Int
  private let limit: Atomic<Int>
  private let decoded = Atomic<Int>(0)

  /// - Parameters:
  ///   - factor: how many times the data of a file may be decoded.
  ///   - atLeast: the limit for the smallest file, in bytes.
  init(factor: Int, atLeast: Int = 1 << 20) {
    self.factor = factor
    self.limit = Atomic(atLeast)
  }

  /// Raises the limit for a file with `byteCount` bytes of data.
  func raise(by byteCount: Int) {
    // Sections lie in memory, so a small multiple of their size does not overflow.
    limit.wrappingAdd(factor &* byteCount, ordering: .relaxed)
  }

  /// Whether the limit has not been exceeded yet. What is decoded next may exceed it.
  var permitsMore: Bool { decoded.load(ordering: .relaxed) <= limit.load(ordering: .relaxed) }

  /// Counts anew.
  func reset() { decoded.store(0, ordering: .relaxed) }

  /// Counts `byteCount` decoded bytes.
  func add(_ byteCount: Int) {
    decoded.wrappingAdd(byteCount, ordering: .relaxed)
  }
}
