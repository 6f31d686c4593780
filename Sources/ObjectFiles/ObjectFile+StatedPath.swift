package import BinaryInput
import FileSystem
import SymbolicationModel
import SystemPackage

extension ObjectFile {
  /// Opens the ELF file at a path that another file states.
  ///
  /// That file may be from a stranger, so the path may be any. Only regular files are opened, and
  /// if the file is not ELF, the error (`unrecognized`, `empty`) holds none of its bytes.
  package static func openElf(statedPath path: String) throws(ObjectFileError) -> ObjectFile {
    let region = try StatedPath.content(of: path)
    guard SymbolFileMagic(region.prefix(4)) == .elf else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: []))
    }
    return try ElfParser.parse(region, path: path)
  }

  /// Opens the Mach-O file at a path that another file states, under the rules of
  /// `openElf(statedPath:)`: its usable slices, at least one. Throws if no slice can be used.
  package static func openMachO(statedPath path: String) throws(ObjectFileError) -> [ObjectFile] {
    try machOFiles(in: try StatedPath.content(of: path), path: path)
  }

  /// The Mach-O slices in `region`, under the rules of `openMachO(statedPath:)`.
  ///
  /// - Parameter path: what errors call the region, which may be a member of an archive.
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

/// Paths that were read from a file, which may be from a stranger.
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
  /// Whether there is no file at the path.
  package var isAbsence: Bool {
    guard case .inaccessible(let error) = reason else { return false }
    return [.noSuchFileOrDirectory, .notDirectory].contains(error.errno)
  }
}

extension ObjectFile {
  /// `path` as an absolute path without links; nil if the system does not say. Cost: the system
  /// walks over the path's folders.
  package var realPath: String? { FileLinks.realPath(of: path) }
}
