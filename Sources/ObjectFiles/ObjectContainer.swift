package import BinaryInput
package import FileSystem
package import SymbolicationModel

// Mach-O, ELF, GSYM and Breakpad files: the architectures in a file, the build that each belongs to
// (`ImageIdentity`), where its code lies, its symbols, and its DWARF sections under one set of
// names.
//
// Start at `ObjectContainer`: it opens a file and holds its slices, each an `ObjectFile`. Opening
// reads headers and load commands, and the notes of an ELF file, which hold its build-id. Symbol
// tables and debug sections are read when they are asked for, and the caller keeps them.
//
// Any byte of a file may be wrong. Damage that makes a slice unusable is thrown; damage that leaves
// the rest usable is a fault, kept beside the result. Both are `ObjectFileError`s.

/// A file with one object file, or with several: slices, or the libraries of a shared cache.
package struct ObjectContainer: Sendable {
  /// The path as it was given.
  package let path: String
  package let kind: Kind
  /// In file order. A thin file has one; every file has at least one.
  package let objectFiles: [ObjectFile]
  /// Slices that cannot be read, and contradictions between the fat header and a slice. Damage
  /// inside a usable slice is among the faults of that slice.
  package let faults: [ObjectFileError]

  /// How the object files are contained in the file.
  package enum Kind: Hashable, Sendable {
    /// One object file.
    case thin
    /// A fat header with 32-bit offsets (`FAT_MAGIC`).
    case fat
    /// A fat header with 64-bit offsets (`FAT_MAGIC_64`).
    case fat64
    /// A dyld shared cache, whose libraries are the object files.
    case sharedCache
  }

  /// Maps the file at `path` and reads its headers. Throws if nothing in it can be used.
  package static func open(path: String) throws(ObjectFileError) -> ObjectContainer {
    let region: ByteRegion
    do {
      region = try MappedFile.open(path: path) { SymbolFileMagic($0) != nil }
    } catch {
      throw ObjectFileError(path: path, reason: .inaccessible(error))
    }
    return try parse(region, path: path)
  }

  /// `open(path:)` for a path that nobody gave by name: only a regular file is opened.
  package static func open(regularFileAt path: String) throws(ObjectFileError) -> ObjectContainer {
    try parse(try StatedPath.content(of: path), path: path)
  }

  /// `open(regularFileAt:)` for one of many files in a folder that only this user writes to, with
  /// what the system knows about the file: see `MappedFile.openOwnFile`.
  package static func open(
    ownFileAt path: String
  ) throws(ObjectFileError) -> (container: ObjectContainer, status: FileStatus) {
    let file: (bytes: ByteRegion, status: FileStatus)
    do throws(FileAccessError) {
      file = try MappedFile.openOwnFile(path: path)
    } catch {
      throw ObjectFileError(path: path, reason: .inaccessible(error))
    }
    guard !file.bytes.isEmpty else { throw ObjectFileError(path: path, reason: .empty) }
    return (try parse(file.bytes, path: path), file.status)
  }

  /// Reads the headers of the object files in `region`. Throws if nothing in it can be used.
  ///
  /// - Parameter path: what errors call the region.
  package static func parse(
    _ region: ByteRegion, path: String
  ) throws(ObjectFileError) -> ObjectContainer {
    if let header = try FatHeader.parse(region, path: path) {
      return try parse(region, slices: header, path: path)
    }
    if let container = try SharedCache.container(region, path: path) { return container }
    let objectFile = try parseThin(region, path: path)
    return ObjectContainer(path: path, kind: .thin, objectFiles: [objectFile], faults: [])
  }

  private static func parse(
    _ region: ByteRegion, slices header: FatHeader, path: String
  ) throws(ObjectFileError) -> ObjectContainer {
    var objectFiles: [ObjectFile] = []
    var faults: [ObjectFileError] = []
    var taken: [Range<UInt64>] = []
    for (index, slice) in header.slices.enumerated() {
      do throws(ObjectFileError) {
        let (range, bytes) = try slice.content(index: index, in: region, path: path)
        // Without this check, a small file could state the same large headers many times.
        guard !taken.contains(where: { $0.overlaps(range) }) else {
          throw ObjectFileError(
            path: path, architecture: slice.architecture, reason: .overlappingSlice(index: index))
        }
        let objectFile = try MachOParser.parse(
          bytes, path: path, statedArchitecture: slice.architecture)
        taken.append(range)
        objectFiles.append(objectFile)
        if objectFile.architecture != slice.architecture {
          faults.append(objectFile.error(.architectureMismatch(fatHeader: slice.architecture)))
        }
      } catch {
        faults.append(error)
      }
    }
    guard !objectFiles.isEmpty else {
      throw ObjectFileError(path: path, reason: .noUsableSlice(faults))
    }
    return ObjectContainer(path: path, kind: header.kind, objectFiles: objectFiles, faults: faults)
  }

  private static func parseThin(
    _ region: ByteRegion, path: String
  ) throws(ObjectFileError) -> ObjectFile {
    let magic = SymbolFileMagic(region.prefix(SymbolFileMagic.size))
    if let head = magic?.standaloneHead { return try head.init(region).objectFile(path: path) }
    if magic == .elf { return try ElfParser.parse(region, path: path) }
    return try MachOParser.parse(region, path: path, statedArchitecture: nil)
  }

  /// The object file for `architecture`: its own, else that of its `fallback`, else one of unknown
  /// architecture, else nil. If there are several, it is the first in the file.
  package func objectFile(for architecture: Architecture) -> ObjectFile? {
    if let exact = objectFiles.first(where: { $0.architecture == architecture }) { return exact }
    if let fallback = architecture.fallback,
      let file = objectFiles.first(where: { $0.architecture == fallback })
    {
      return file
    }
    return objectFiles.first { $0.architecture == .unknown }
  }

  /// The first object file of the image with that identity, or nil.
  package func objectFile(identity: ImageIdentity) -> ObjectFile? {
    objectFiles.first { $0.belongs(to: identity) }
  }
}

extension ObjectContainer {
  /// `open(path:)`, with the error as a `SymbolFileProblem`.
  package static func openForUse(path: String) throws(SymbolFileProblem) -> ObjectContainer {
    do {
      return try open(path: path)
    } catch {
      throw SymbolFileProblem(error)
    }
  }

  /// The object file to use if only one can be.
  ///
  /// With an architecture, this is the one of `objectFile(for:)`; throws `missingArchitecture` if
  /// there is none. Without one, it is the first that the file has of arm64, arm64e, x86_64 and
  /// x86_64h, in this order, or else the file's first. (Apple's tools take the architecture of the
  /// Mac they run on, which does not help here.)
  package func preferredObjectFile(
    for architecture: Architecture?
  ) throws(SymbolFileProblem) -> ObjectFile {
    let candidates = architecture.map { [$0] } ?? [.arm64, .arm64e, .x86_64, .x86_64h]
    for candidate in candidates {
      if let objectFile = objectFile(for: candidate) { return objectFile }
    }
    guard let architecture else {
      guard let first = objectFiles.first else {
        throw SymbolFileProblem(
          path: path,
          kind: .malformed(structure: "number of slices", value: 0, expected: .atLeast(1)))
      }
      return first
    }
    throw SymbolFileProblem(
      path: path,
      kind: .missingArchitecture(wanted: architecture, found: objectFiles.map(\.architecture)))
  }
}
