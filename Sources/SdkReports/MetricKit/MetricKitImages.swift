import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// The images of a diagnostic. It lists none: its frames name them by UUID, and each says where its
/// image begins.
struct MetricKitImages {
  private var entries: [Entry] = []
  private var indices: [Key: Int] = [:]
  /// The names of images that iOS 27 has beside the stacks.
  private var names: [UInt128: JsonValue] = [:]
  /// Frames of an image mostly follow one another.
  private var last: (key: Key, index: Int)?
  /// Where they are said to be in the input: an empty range, because their bytes are the frames'.
  private let byteRange: Range<Int>

  private struct Key: Hashable {
    let uuid: UInt128
    let base: UInt64
  }

  private struct Entry {
    let key: Key
    var name: JsonValue?
  }

  /// - Parameter offset: a place in the report before all frames.
  init(at offset: Int) { byteRange = offset..<offset }

  /// Reads `binaryInfo`: an object with UUIDs as keys, or the array of keys and values by turns
  /// that Swift writes for keys that are no strings.
  mutating func takeNames(from info: JsonValue) {
    for member in info.members { takeName(of: member.value, key: UInt128(uuid: member.key)) }
    var key: UInt128?
    for element in info.elements {
      if element.kind == .object {
        takeName(of: element, key: key)
        key = nil
      } else {
        key = element.uuid
      }
    }
  }

  private mutating func takeName(of entry: JsonValue, key: UInt128?) {
    guard let uuid = entry["uuid"]?.uuid ?? key, let name = entry["name"], name.kind == .string
    else { return }
    names[uuid] = name
  }

  /// The index of the image of a frame; nil if no more images may be read.
  mutating func index(
    of frame: CallStackFrame, uuid: UInt128, base: LoadAddress, _ allowance: ReportAllowance,
    _ faults: inout [ParseFault]
  ) -> Int? {
    let key = Key(uuid: uuid, base: base.value)
    if let last, last.key == key { return last.index }
    let index: Int
    if let known = indices[key] {
      index = known
      if entries[known].name == nil { entries[known].name = frame.imageName }
    } else {
      guard allowance.takeImage(at: frame.byteRange, &faults) else { return nil }
      index = entries.count
      indices[key] = index
      entries.append(Entry(key: key, name: frame.imageName ?? names[uuid]))
    }
    last = (key, index)
    return index
  }

  /// In the order in which frames name them.
  var images: [BinaryImage] {
    entries.map { entry in
      var values = BinaryImage.Values(byteRange: byteRange)
      values.name = entry.name?.string
      values.identity = ImageIdentity(
        bytes: (0..<16).map { UInt8(truncatingIfNeeded: entry.key.uuid >> (120 - 8 * $0)) })
      let base = LoadAddress(entry.key.base)
      return BinaryImage(loadAddress: base, endAddress: base, values)
    }
  }
}

extension UInt128 {
  /// The number of a UUID; nil for any other text.
  fileprivate init?(uuid text: String) {
    let digits = text.filter { $0 != "-" }
    guard digits.utf8.count == 32, let number = UInt128(digits, radix: 16) else { return nil }
    self = number
  }
}
