import BinaryInput
import SystemPackage

extension ObjectFile {
  /// Opens the ELF file at a path that another file states.
  ///
  /// That file may be a stranger's, so that the path may be any: only regular files are opened, and of
  /// one that is not ELF no byte is in the error (`unrecognized`, `empty`).
  package static func openElf(statedPath path: String) throws(ObjectFileError) -> ObjectFile {
    let region: ByteRegion
    do {
      region = try MappedFile.openRegularFile(path: path)
    } catch {
      throw ObjectFileError(path: path, reason: .inaccessible(error))
    }
    guard !region.isEmpty else { throw ObjectFileError(path: path, reason: .empty) }
    guard region.holds(ElfParser.magic, at: 0) else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: []))
    }
    return try ElfParser.parse(region, path: path)
  }
}

extension ObjectFileError {
  /// Whether there is nothing at the path.
  package var isAbsence: Bool {
    guard case .inaccessible(let error) = reason else { return false }
    return [.noSuchFileOrDirectory, .notDirectory].contains(error.errno)
  }
}
