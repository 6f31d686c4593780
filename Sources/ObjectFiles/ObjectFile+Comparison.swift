import BinaryInput

extension ObjectFile {
  /// How much of a large section is compared at its start and at its end, in bytes.
  private static let comparedSize: UInt64 = 1 << 16

  /// Whether both files most likely hold the same debug information: `.debug_info` has the same
  /// size, and the same bytes at its start and at its end. A copy in another container (a thin file
  /// and a slice of a fat one) has the same.
  package func hasSameDebugInfo(as other: ObjectFile) -> Bool {
    guard let own = content(of: ".debug_info"), let others = other.content(of: ".debug_info") else {
      return false
    }
    guard own.count == others.count else { return false }
    let size = UInt64(own.count)
    let part = min(size, Self.comparedSize)
    return [0, size - part].allSatisfy { offset in
      guard let bytes = try? own.subregion(offset: offset, count: part).bytes else { return false }
      return others.holds(bytes, at: offset)
    }
  }

  /// The bytes of a debug section as they are in the file; nil if there are none.
  private func content(of elfName: String) -> ByteRegion? {
    guard let (section, _) = findDebugSection(elfName), let range = section.fileRange else {
      return nil
    }
    return try? bytes(of: .section(section.name), at: range)
  }
}
