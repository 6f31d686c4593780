package import BinaryInput
package import SymbolicationModel

extension ObjectFile {
  /// The bytes of a file of that format; nil for any other file.
  package func content(as format: ObjectFormat) -> ByteRegion? {
    self.format == format ? region : nil
  }

  /// Whether the file has functions and lines of its image in another format than DWARF: nothing
  /// else has to be found for it.
  package var answersAlone: Bool { format.answersAlone }

  /// Whether the file belongs to the image with this identity.
  package func belongs(to identity: ImageIdentity?) -> Bool {
    SymbolFileHeader(self).belongs(to: identity)
  }

  /// The name of the image that the file belongs to, as far as its path states it: the file's own
  /// name. A file in a dSYM bundle is named after its binary. For an index it is the part before
  /// `.gsym`. A Breakpad symbol file states the name.
  package var imageName: String {
    moduleName ?? Self.imageName(ofFileAt: path, format: format)
  }

  package static func imageName(ofFileAt path: String, format: ObjectFormat) -> String {
    let name = path.lastPathComponent
    guard format == .gsym, name.hasSuffix(".gsym"), name.utf8.count > 5 else { return name }
    return String(name.dropLast(5))
  }
}
