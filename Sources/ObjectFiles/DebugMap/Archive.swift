package import BinaryInput
import SymbolicationModel

/// The members of a static library (`.a`) in the archive format of `ar`.
///
/// Long names are read as BSD and Apple write them (`#1/SIZE`, the name before the content) and as
/// GNU writes them (`/OFFSET` into the member `//`). Members with symbol tables (`__.SYMDEF`,
/// `__.SYMDEF_64`, `/`, `/SYM64/`) are kept like any other, and nobody asks for them. Thin archives
/// (`!<thin>`), which only name files, are not read.
package struct Archive: Sendable {
  /// Whether the archive is damaged somewhere. Members after the damage are missing.
  package let isDamaged: Bool
  private let members: [String: [Member]]

  /// One file in the archive.
  package struct Member: Sendable {
    /// The bytes of the file, without the name that may precede them.
    package let content: ByteRegion
    /// When the member was last changed, in seconds since 1970; 0 if the archive does not state it.
    package let modificationTime: Int64
  }

  /// The members of that name, in the order of the archive. There may be several, or none.
  package func members(named name: String) -> [Member] { members[name] ?? [] }

  private static let magic = Array("!<arch>\n".utf8)

  /// Nil if `region` is not an archive. Cost: a read of 60 bytes for each member.
  package init?(_ region: ByteRegion) {
    guard region.holds(Self.magic, at: 0) else { return nil }
    var members: [String: [Member]] = [:]
    var longNames: ByteRegion?
    var offset = UInt64(Self.magic.count)
    var isDamaged = false
    while offset < UInt64(region.count) {
      guard let header = Header(region, at: offset),
        let content = try? region.subregion(offset: offset + Header.size, count: header.size)
      else {
        isDamaged = true
        break
      }
      if header.name == "//" {
        longNames = content
      } else if let (name, content) = header.named(content, longNames) {
        members[name, default: []].append(
          Member(content: content, modificationTime: header.time))
      }
      // Members begin at even offsets. Nothing overflows, because the content is in the region.
      offset += Header.size + header.size
      offset += offset % 2
    }
    self.members = members
    self.isDamaged = isDamaged
  }

  /// `struct ar_hdr` of `<ar.h>`: text, padded with spaces.
  private struct Header {
    static let size: UInt64 = 60
    /// In bytes. Longer names are not names of files.
    static let nameLimit: UInt64 = 4096

    let name: String
    let time: Int64
    let size: UInt64

    init?(_ region: ByteRegion, at offset: UInt64) {
      guard let bytes = try? region.subregion(offset: offset, count: Self.size).bytes,
        // ARFMAG
        bytes[58] == UInt8(ascii: "`"), bytes[59] == UInt8(ascii: "\n"),
        let size = Self.number(bytes[48..<58])
      else { return nil }
      var name = bytes[0..<16]
      while name.last == UInt8(ascii: " ") { name.removeLast() }
      self.name = String(decoding: name, as: UTF8.self)
      self.time = Int64(clamping: Self.number(bytes[16..<28]) ?? 0)
      self.size = size
    }

    /// The decimal number at the start of `field`, before its spaces; nil if there is none. A field
    /// has at most 12 digits, so nothing overflows.
    private static func number(_ field: ArraySlice<UInt8>) -> UInt64? {
      var value: UInt64 = 0
      var digits = 0
      for byte in field {
        if byte == UInt8(ascii: " ") { break }
        guard byte.isDecimalDigit else { return nil }
        value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
        digits += 1
      }
      return digits > 0 ? value : nil
    }

    /// The member's whole name, and its content without the name; nil if the name cannot be found.
    func named(
      _ content: ByteRegion, _ longNames: ByteRegion?
    ) -> (name: String, content: ByteRegion)? {
      let text = name.utf8
      if name.hasPrefix("#1/") {
        guard let count = Self.number(Array(text.dropFirst(3))[...]), count <= Self.nameLimit,
          let stated = try? content.subregion(offset: 0, count: count),
          let rest = try? content.subregion(
            offset: count, count: UInt64(content.count) &- count)
        else { return nil }
        // The name is padded with zeros.
        return (String(decoding: stated.bytes.prefix { $0 != 0 }, as: UTF8.self), rest)
      }
      if text.first == UInt8(ascii: "/"), text.count > 1,
        let start = Self.number(Array(text.dropFirst())[...])
      {
        guard let longNames, start < UInt64(longNames.count),
          let stated = try? longNames.subregion(
            offset: start, count: min(Self.nameLimit, UInt64(longNames.count) - start))
        else { return nil }
        // GNU ends long names with `/` and a line end, others with a line end alone or a zero.
        var bytes = stated.bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return (String(decoding: bytes, as: UTF8.self), content)
      }
      // GNU ends short names with `/`, so that they may end in spaces.
      if text.count > 1, text.last == UInt8(ascii: "/") {
        return (String(name.dropLast()), content)
      }
      return (name, content)
    }
  }
}

extension Archive {
  /// `archives(in:path:)` for the file at a path that another file states; only regular files are
  /// opened, as by `ObjectFile.openElf(statedPath:)`. Throws `inaccessible` and `empty`.
  package static func open(statedPath path: String) throws(ObjectFileError) -> [Archive] {
    archives(in: try StatedPath.content(of: path), path: path)
  }

  /// The archives in `region`, which is one archive, or a fat file with one for each architecture,
  /// as Apple's `lipo` makes it. Empty for anything else. Slices that are not archives are left
  /// out.
  ///
  /// - Parameter path: what errors call the region.
  package static func archives(in region: ByteRegion, path: String) -> [Archive] {
    if let archive = Archive(region) { return [archive] }
    guard let header = try? FatHeader.parse(region, path: path) else { return [] }
    var taken: [Range<UInt64>] = []
    return header.slices.enumerated().compactMap { index, slice in
      guard let (range, bytes) = try? slice.content(index: index, in: region, path: path),
        !taken.contains(where: { $0.overlaps(range) })
      else { return nil }
      taken.append(range)
      return Archive(bytes)
    }
  }
}
