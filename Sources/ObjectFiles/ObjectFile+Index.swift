package import BinaryInput
import SymbolicationModel

extension ObjectFile {
  /// The bytes of a GSYM index; nil for any other file.
  package var gsym: ByteRegion? { format == .gsym ? region : nil }

  /// The name of the image that the file belongs to, as far as its path states it: the file's own
  /// name. A file in a dSYM bundle is named after its binary. For an index it is the part before
  /// `.gsym`.
  package var imageName: String { Self.imageName(path: path, format: format) }

  /// The image name of the file of that path and format.
  package static func imageName(path: String, format: ObjectFormat) -> String {
    let name = path.lastPathComponent
    guard format == .gsym, name.hasSuffix(".gsym"), name.utf8.count > 5 else { return name }
    return String(name.dropLast(5))
  }
}
