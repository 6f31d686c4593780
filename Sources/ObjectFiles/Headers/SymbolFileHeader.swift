package import SymbolicationModel

/// What the headers of a symbol file state about one of its slices. Unlike an `ObjectFile`, it
/// holds neither the file's bytes nor a mapping of it.
package struct SymbolFileHeader: Hashable, Sendable {
  package let format: ObjectFormat
  package let fileType: ObjectFileType
  package let architecture: Architecture
  /// `LC_UUID` or the GNU build-id; nil if there is none.
  package let identity: ImageIdentity?
  /// Whether there is a `.debug_info` section that is not empty.
  package let hasDebugInfo: Bool
  /// The name of the image, if the file states it: Breakpad only.
  package let moduleName: String?
  /// `ObjectFile.isIdentityPrefix`
  package let isIdentityPrefix: Bool

  package init(
    format: ObjectFormat, fileType: ObjectFileType, architecture: Architecture,
    identity: ImageIdentity?, hasDebugInfo: Bool, moduleName: String? = nil,
    isIdentityPrefix: Bool = false
  ) {
    self.format = format
    self.fileType = fileType
    self.architecture = architecture
    self.identity = identity
    self.hasDebugInfo = hasDebugInfo
    self.moduleName = moduleName
    self.isIdentityPrefix = isIdentityPrefix
  }

  package init(_ file: ObjectFile) {
    self.init(
      format: file.format, fileType: file.fileType, architecture: file.architecture,
      identity: file.identity, hasDebugInfo: file.hasDebugInfo, moduleName: file.moduleName,
      isIdentityPrefix: file.isIdentityPrefix)
  }

  /// Whether the file has functions and lines of its image in another format than DWARF.
  package var answersAlone: Bool { format.answersAlone }

  /// Whether the file belongs to the image with this identity.
  package func belongs(to identity: ImageIdentity?) -> Bool {
    guard self.identity != identity else { return true }
    return isIdentityPrefix && self.identity.isStart(of: identity)
  }
}

/// The headers of all slices of a symbol file.
package struct SymbolFileHeaders: Hashable, Sendable {
  /// In file order; at least one.
  package let slices: [SymbolFileHeader]
  /// `ObjectContainer.faults`
  package let faults: [ObjectFileError]

  /// Reads the headers of the regular file at `path`.
  ///
  /// The result and the error are those of `ObjectContainer.open(regularFileAt:)`. That function
  /// maps the file, and touching a mapping loads the pages around each header. This one reads the
  /// headers alone with `pread`, and hands to the other what is not plainly sound: damage, more
  /// than 65,279 sections, formats without a reader here.
  ///
  /// Cost for a thin Mach-O file whose load commands have up to 8 KB, or for any file that is not
  /// a symbol file: one read. ELF: three more, and one for each section of notes.
  package static func read(path: String) throws(ObjectFileError) -> SymbolFileHeaders {
    if let slices = try HeaderFile.slices(path: path) {
      return SymbolFileHeaders(slices: slices, faults: [])
    }
    let container = try ObjectContainer.open(regularFileAt: path)
    return SymbolFileHeaders(
      slices: container.objectFiles.map { SymbolFileHeader($0) }, faults: container.faults)
  }
}

extension ImageIdentity? {
  /// Whether both are known and `identity` begins with this one.
  func isStart(of identity: ImageIdentity?) -> Bool {
    guard let self, let identity else { return false }
    return identity.bytes.starts(with: self.bytes)
  }
}
