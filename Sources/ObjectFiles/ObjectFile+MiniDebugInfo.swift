import BinaryInput
import Decompression
import SymbolicationModel

extension ObjectFile {
  /// The largest MiniDebugInfo that is inflated, in bytes: 128 MiB. (It is a symbol table and its names:
  /// those of ten million functions.)
  package static let miniDebugInfoSizeLimit: UInt64 = 128 << 20

  /// What `.gnu_debugdata` holds, which distributions leave in stripped ELF files ("MiniDebugInfo" in
  /// GDB's documentation): an ELF file of its own, xz-compressed, with a symbol table of functions that
  /// `.dynsym` has not, and sections without bytes. Nil where there is no such section. It is named by
  /// this file's path with ` (.gnu_debugdata)` behind.
  ///
  /// Throws `truncated`, `damagedCompression`, and all that opening an ELF file throws. Cost: it is
  /// inflated at each call.
  package func miniDebugInfo(
    inflatedSizeLimit limit: UInt64 = miniDebugInfoSizeLimit
  ) throws(ObjectFileError) -> ObjectFile? {
    guard format == .elf,
      let section = sections.first(where: { $0.name == Self.miniDebugInfoSection }),
      let range = section.fileRange, !range.isEmpty
    else { return nil }
    let compressed = try bytes(of: .section(section.name), at: range)
    let size: UInt64
    do throws(DecompressionError) {
      size = try compressed.withRawSpan { (input) throws(DecompressionError) in
        try Decompression.statedXzSize(of: input)
      }
    } catch {
      throw self.error(.damagedCompression(section: section.name, error))
    }
    let content = try inflate(compressed, .xz, size: size, limit: limit, section: section)
    return try ElfParser.parse(content, path: path + " (\(Self.miniDebugInfoSection))")
  }

  /// Whether there is mini debug info. Cost: a walk over the section names.
  package var hasMiniDebugInfo: Bool {
    format == .elf && sections.contains { $0.name == Self.miniDebugInfoSection }
  }

  private static let miniDebugInfoSection = ".gnu_debugdata"
}
