package import SymbolicationModel

/// What a report states about an image for which a symbol file is wanted.
package struct ImageDescription: Hashable, Sendable {
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  /// The names by which the image goes: in its frames, in its line, and its file's.
  package let names: Set<String>

  package init(identity: ImageIdentity?, architecture: Architecture?, names: Set<String>) {
    self.identity = identity
    self.architecture = architecture
    self.names = names
  }
}
