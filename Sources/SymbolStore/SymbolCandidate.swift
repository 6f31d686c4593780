import ObjectFiles
package import SymbolicationModel

/// What distinguishes a slice of a symbol file from others.
package struct SymbolCandidate: Hashable, Sendable {
  package let path: String
  /// The file's own name; in a bundle that of the binary it was made from, for an index that of its
  /// image.
  package let name: String
  /// `unknown` if the file does not state it.
  package let architecture: Architecture
  package let identity: ImageIdentity?

  init(_ objectFile: ObjectFile) {
    self.path = objectFile.path
    self.name = objectFile.imageName
    self.architecture = objectFile.architecture
    self.identity = objectFile.identity
  }

  init(path: String, name: String, architecture: Architecture, identity: ImageIdentity?) {
    self.path = path
    self.name = name
    self.architecture = architecture
    self.identity = identity
  }
}
