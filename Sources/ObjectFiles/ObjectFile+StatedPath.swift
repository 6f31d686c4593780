package import BinaryInput
import SymbolicationModel
import SystemPackage

extension ObjectFile {
  /// Opens the ELF file at a path that another file states.
  ///
  /// That file may be a stranger's, so that the path may be any: only regular files are opened, and of
  /// one that is not ELF no byte is in the error (`unrecognized`, `empty`).
  package static func openElf(statedPath path: String) throws(ObjectFileError) -> ObjectFile {
    let region = try StatedPath.content(of: path)
    guard SymbolFileMagic(region.prefix(4)) == .elf else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: []))
    }
    return try ElfParser.parse(region, path: path)
  }

  /// The slices of the Mach-O file at a path that another file states, or that was made up of one. As
  /// `openElf(statedPath:)`; slices that cannot be read are left out unless all are.
  package static func openMachO(statedPath path: String) throws(ObjectFileError) -> [ObjectFile] {
    try machOFiles(in: try StatedPath.content(of: path), path: path)
  }

  /// The same for bytes that are a file's or a part of it: `path` says which.
  package static func machOFiles(
    in region: ByteRegion, path: String
  ) throws(ObjectFileError) -> [ObjectFile] {
    let files: [ObjectFile]
    do {
      files = try ObjectContainer.parse(region, path: path).objectFiles
    } catch {
      if case .unrecognized = error.reason {
        throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: []))
      }
      throw error
    }
    guard files.contains(where: { $0.format == .machO }) else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: []))
    }
    return files
  }
}

/// Paths that were read from a file, which may be a stranger's.
enum StatedPath {
  /// The bytes of the regular file at `path`, mapped. Throws `inaccessible` and `empty`.
  static func content(of path: String) throws(ObjectFileError) -> ByteRegion {
    let region: ByteRegion
    do {
      region = try MappedFile.openRegularFile(path: path)
    } catch {
      throw ObjectFileError(path: path, reason: .inaccessible(error))
    }
    guard !region.isEmpty else { throw ObjectFileError(path: path, reason: .empty) }
    return region
  }
}

extension ObjectFileError {
  /// Whether there is nothing at the path.
  package var isAbsence: Bool {
    guard case .inaccessible(let error) = reason else { return false }
    return [.noSuchFileOrDirectory, .notDirectory].contains(error.errno)
  }
}
