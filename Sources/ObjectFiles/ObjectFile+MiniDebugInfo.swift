import BinaryInput
import Decompression
import SymbolicationModel

extension ObjectFile {
  /// The ELF file in `.gnu_debugdata`, which distributions leave in stripped files ("MiniDebugInfo"
  /// in GDB's documentation); nil if there is no such section.
  ///
  /// It is compressed with xz. It has a symbol table with those functions that are not in
  /// `.dynsym`, and sections without bytes. Its path is this file's path followed by `
  /// (.gnu_debugdata)`.
  ///
  /// Throws `truncated`, `damagedCompression`, and whatever opening an ELF file throws. Cost: the
  /// section is inflated at each call.
  package func miniDebugInfo(
    inflatedSizeLimit limit: UInt64 = ResourceLimits().miniDebugInfoSize
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

  /// Whether there is a section with MiniDebugInfo. Cost: a walk over the section names.
  package var hasMiniDebugInfo: Bool {
    format == .elf && sections.contains { $0.name == Self.miniDebugInfoSection }
  }

  private static let miniDebugInfoSection = ".gnu_debugdata"
}
