import Foundation

/// Changes of a thin 64-bit little-endian Mach-O file, for tests of damaged and foreign builds.
public struct MachOPatch {
  public private(set) var bytes: [UInt8]

  public init(contentsOf path: String) throws { bytes = try Fixtures.bytes(of: path) }

  /// The offsets of the load commands with this number (`<mach-o/loader.h>`).
  private func commands(_ wanted: UInt32) -> [Int] {
    var offset = 32
    var found: [Int] = []
    for _ in 0..<number(at: 16) {
      if number(at: offset) == wanted { found.append(offset) }
      offset += Int(number(at: offset + 4))
    }
    return found
  }

  /// `LC_UUID`
  public mutating func setUuid(_ uuid: [UInt8]) {
    for offset in commands(0x1b) { bytes.replaceSubrange((offset + 8)..<(offset + 24), with: uuid) }
  }

  /// Makes `LC_UUID` a command that readers do not know.
  public mutating func removeUuid() {
    for offset in commands(0x1b) { bytes[offset] = 0x7f }
  }

  /// Gives the sections of `__DWARF` with these names a size of 0.
  public mutating func emptySections(_ names: Set<String>) {
    for offset in sections() where names.contains(name(at: offset)) {
      for index in 40..<48 { bytes[offset + index] = 0 }
    }
  }

  /// Replaces the first occurrence of `old` in the section by `new`, which has as many bytes.
  public mutating func replace(_ old: String, with new: String, in section: String) {
    precondition(old.utf8.count == new.utf8.count)
    for offset in sections() where name(at: offset) == section {
      let start = Int(number(at: offset + 48))
      let range = start..<(start + Int(number(at: offset + 40)))
      let old = Array(old.utf8)
      for place in range.dropLast(old.count)
      where bytes[place..<(place + old.count)].elementsEqual(old) {
        bytes.replaceSubrange(place..<(place + old.count), with: new.utf8)
        return
      }
    }
    preconditionFailure("\(old) is not in \(section)")
  }

  /// The offsets of the section headers (`section_64`) in all `LC_SEGMENT_64`.
  private func sections() -> [Int] {
    commands(0x19).flatMap { segment in
      (0..<Int(number(at: segment + 64))).map { segment + 72 + $0 * 80 }
    }
  }

  private func name(at offset: Int) -> String {
    String(decoding: bytes[offset..<(offset + 16)].prefix { $0 != 0 }, as: UTF8.self)
  }

  private func number(at offset: Int) -> UInt32 {
    (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
  }

  /// A fat file of thin ones (`<mach-o/fat.h>`).
  public static func fat(_ slices: [[UInt8]]) -> [UInt8] {
    func big(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let alignment = 1 << 14
    var header = [0xca, 0xfe, 0xba, 0xbe] + big(slices.count)
    var content: [UInt8] = []
    for slice in slices {
      let offset = alignment + (content.count + alignment - 1) / alignment * alignment
      content += Array(repeating: 0, count: offset - alignment - content.count)
      // cputype and cpusubtype as in the slice's own header, but big-endian.
      header += slice[4..<8].reversed() + slice[8..<12].reversed()
      header += big(offset) + big(slice.count) + big(14)
      content += slice
    }
    return header + Array(repeating: 0, count: alignment - header.count) + content
  }
}
