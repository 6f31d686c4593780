package import BinaryInput
import SymbolicationModel

extension ObjectFile {
  /// The bytes of an index; nil of any other file.
  package var gsym: ByteRegion? { format == .gsym ? region : nil }

  /// The name of the image that the file belongs to, as far as a path tells it: the file's own name, in
  /// a dSYM bundle that of the binary it was made from, and for an index what stands before `.gsym`.
  package var imageName: String {
    let name = path.lastPathComponent
    guard format == .gsym, name.hasSuffix(".gsym"), name.utf8.count > 5 else { return name }
    return String(name.dropLast(5))
  }
}
