package import ObjectFiles
package import SymbolicationModel

/// What a report states about an image for which a symbol file is wanted.
package struct ImageDescription: Hashable, Sendable {
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  /// Of `names`, made once: a set takes long to hash, and a description is looked up often.
  private let namesHash: Int
  /// The names by which the image goes: in its frames, in its line, and its file's.
  package let names: Set<String>
  /// Whether a report says that it is a part of Apple's system.
  package let isOfAppleSystem: Bool

  package init(
    identity: ImageIdentity?, architecture: Architecture?, names: Set<String>,
    isOfAppleSystem: Bool = false
  ) {
    self.identity = identity
    self.architecture = architecture
    self.names = names
    namesHash = names.reduce(0) { $0 ^ $1.hashValue }
    self.isOfAppleSystem = isOfAppleSystem
  }

  /// A report may have thousands of images of one identity, with a name each.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(namesHash)
  }
}

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

/// A symbol file for an image.
package struct SymbolMatch: Sendable {
  package let objectFile: ObjectFile
  /// The image's program or library, if it is among the files too and `objectFile` is a debug file
  /// made from it: it has what a debug file lacks, such as symbol stubs.
  package let program: ObjectFile?
  package let basis: Basis

  package var candidate: SymbolCandidate { SymbolCandidate(objectFile) }

  /// Whether the file has a `.debug_info` section that is not empty.
  package var hasDebugInfo: Bool { objectFile.hasDebugInfo }
  /// Whether it is a program or library without debug information, and not a dSYM.
  package var isStripped: Bool {
    standalone == nil && !hasDebugInfo && !candidate.path.contains(".dSYM/")
  }
  package var isElf: Bool { objectFile.format == .elf }
  /// The format of a file that answers alone, such as an index; nil for others.
  package var standalone: StandaloneFormat? { objectFile.format.standalone }

  /// How many reports its names were learnt from; nil for a real symbol file.
  package var reportCount: Int? { objectFile.reportCount }

  package enum Basis: Hashable, Sendable {
    /// Its UUID or build-id is the image's.
    case identity
    /// Only its name is: the report does not state which build of the image it was.
    case name
  }
}
