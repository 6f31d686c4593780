package import BinaryInput
import Decompression
import SymbolicationModel

extension ObjectFile {
  /// Whether the file has a `.debug_info` section that is not empty. Cost: a walk over the section
  /// names.
  package var hasDebugInfo: Bool { hasDebugSection(".debug_info") }

  /// Whether the file has a section that is not empty and that `debugSection` finds by this name.
  /// Cost: a walk over the section names.
  package func hasDebugSection(_ elfName: String) -> Bool {
    guard let (section, _) = findDebugSection(elfName), let range = section.fileRange else {
      return false
    }
    return !range.isEmpty
  }

  /// The bytes of a debug section, inflated if they are compressed; nil if the file has no such
  /// section.
  ///
  /// Mach-O files have these sections in `__DWARF`, under names cut to 16 bytes: `__debug_info`,
  /// `__debug_str_offs`. Two kinds are compressed: ELF sections with `SHF_COMPRESSED` (zlib and
  /// zstd), and in both formats sections with a `z` in the name (`.zdebug_info`, `__zdebug_info`),
  /// which hold the mark `ZLIB`, the size and a zlib stream.
  ///
  /// In relocatable ELF files, sections with relocations throw `needsRelocation`; those of `.dwo`
  /// files have none. In relocatable Mach-O files the sections already hold the addresses of the
  /// file, because clang writes relocations against sections there.
  ///
  /// Throws `truncated`, `unsupportedCompression`, `damagedCompression` and `needsRelocation`.
  /// Cost: an uncompressed section is a part of the mapping and costs only the search for it. A
  /// compressed one is inflated at each call, into memory of its own.
  ///
  /// - Parameters:
  ///   - elfName: the section's name in ELF files: `.debug_info`, `.debug_str_offsets`.
  ///   - limit: the largest size to inflate to, in bytes.
  package func debugSection(
    _ elfName: String, inflatedSizeLimit limit: UInt64 = ResourceLimits().sectionSize
  ) throws(ObjectFileError) -> ByteRegion? {
    guard let (section, isMarked) = findDebugSection(elfName), let range = section.fileRange else {
      return nil
    }
    guard !section.needsRelocation else { throw error(.needsRelocation(.section(section.name))) }
    let content = try bytes(of: .section(section.name), at: range)
    if section.isCompressed { return try inflateElf(content, of: section, limit: limit) }
    if isMarked { return try inflateMarked(content, of: section, limit: limit) }
    return content
  }

  /// The section with that ELF name, and whether it was found under the name with `z`.
  func findDebugSection(_ elfName: String) -> (section: Section, isMarked: Bool)? {
    let isMachO = format == .machO
    let plain = isMachO ? machOName("__" + stem(of: elfName)) : elfName
    if let section = debugSection(named: plain) { return (section, false) }
    let marked = isMachO ? machOName("__z" + stem(of: elfName)) : ".z" + stem(of: elfName)
    return debugSection(named: marked).map { ($0, true) }
  }

  /// The first section for debug information with this name. It is called a dozen times for files
  /// with dozens of sections, so no section is copied.
  private func debugSection(named name: String) -> Section? {
    for index in sections.indices where sections[index].name == name {
      if format == .elf || sections[index].segmentName == "__DWARF" { return sections[index] }
    }
    return nil
  }

  /// `debug_info` of `.debug_info`.
  private func stem(of elfName: String) -> String {
    String(decoding: elfName.utf8.drop { $0 == UInt8(ascii: ".") }, as: UTF8.self)
  }

  /// Mach-O names have at most 16 bytes.
  private func machOName(_ name: String) -> String {
    name.utf8.count <= 16 ? name : String(decoding: name.utf8.prefix(16), as: UTF8.self)
  }

  /// Inflates a section with `SHF_COMPRESSED`: `Elf32_Chdr` or `Elf64_Chdr` (System V gABI, chapter
  /// 4, "Section Compression"), then the compressed bytes.
  private func inflateElf(
    _ content: ByteRegion, of section: Section, limit: UInt64
  ) throws(ObjectFileError) -> ByteRegion {
    let type: UInt32
    let size: UInt64
    let compressed: ByteRegion
    do throws(ByteReadError) {
      var reader = content.reader(byteOrder: byteOrder)
      type = try reader.read()
      if addressSize == 8 { try reader.skip(4) }
      size = try reader.readUnsigned(size: addressSize)
      try reader.skip(UInt64(addressSize))
      compressed = try reader.readRegion(count: UInt64(reader.remaining))
    } catch {
      throw self.error(.truncation(.section(section.name), error))
    }
    let method: Decompression.Method
    switch type {
    case 1: method = .zlib  // ELFCOMPRESS_ZLIB
    case 2: method = .zstd  // ELFCOMPRESS_ZSTD
    default: throw error(.unsupportedCompression(section: section.name, type: type))
    }
    return try inflate(compressed, method, size: size, limit: limit, section: section)
  }

  /// Inflates a `.zdebug_` section: `ZLIB`, the size as 8 big-endian bytes, the compressed bytes.
  /// GNU binutils wrote these before `SHF_COMPRESSED`; Go writes them to Mach-O files.
  private func inflateMarked(
    _ content: ByteRegion, of section: Section, limit: UInt64
  ) throws(ObjectFileError) -> ByteRegion {
    guard content.holds(Array("ZLIB".utf8), at: 0) else {
      throw error(.unsupportedCompression(section: section.name, type: nil))
    }
    let size: UInt64
    let compressed: ByteRegion
    do throws(ByteReadError) {
      var reader = content.reader(byteOrder: .big)
      try reader.skip(4)
      size = try reader.read()
      compressed = try reader.readRegion(count: UInt64(reader.remaining))
    } catch {
      throw self.error(.truncation(.section(section.name), error))
    }
    return try inflate(compressed, .zlib, size: size, limit: limit, section: section)
  }

  /// How many times its size a section may expand, if it is large. Zeros expand a thousand times
  /// with zlib, and thirty thousand with zstd; sections with debug information three to ten times.
  private static let expansion: UInt64 = 250
  private static let smallestLargeSize: UInt64 = 64 << 20

  private static func checkExpansion(
    of compressed: Int, to size: UInt64
  ) throws(DecompressionError) {
    let (product, overflow) = UInt64(clamping: compressed)
      .multipliedReportingOverflow(by: expansion)
    let atMost = max(smallestLargeSize, overflow ? .max : product)
    guard size <= atMost else {
      throw .implausible(promised: size, compressed: UInt64(clamping: compressed), atMost: atMost)
    }
  }

  /// The `size` bytes that `compressed`, a part of `section`, inflates to. Throws
  /// `damagedCompression`.
  func inflate(
    _ compressed: ByteRegion, _ method: Decompression.Method, size: UInt64, limit: UInt64,
    section: Section
  ) throws(ObjectFileError) -> ByteRegion {
    do throws(DecompressionError) {
      return try compressed.withRawSpan { (input) throws(DecompressionError) -> ByteRegion in
        let capacity = try Decompression.checkedSize(
          of: input, method: method, promised: size, limit: limit)
        try Self.checkExpansion(of: input.byteCount, to: size)
        // The closure below may not capture the span, so it borrows the bytes again.
        let storage = try ByteStorage(capacity: capacity) {
          (output: inout OutputRawSpan) throws(DecompressionError) in
          try unsafe output.withUnsafeMutableBytes { (room, count) throws(DecompressionError) in
            try compressed.withRawSpan { (input) throws(DecompressionError) in
              try unsafe Decompression.inflate(input, method: method, into: room)
            }
            count = room.count
          }
        }
        guard let storage else { throw DecompressionError.outOfMemory(size: size) }
        return ByteRegion(storage)
      }
    } catch {
      throw self.error(.damagedCompression(section: section.name, error))
    }
  }
}

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
