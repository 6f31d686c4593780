import Archives
import FileSystem
import Platform
package import SymbolIndex
package import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// The same refusal as a problem of the symbol file, or directory, at that path.
  init(_ error: FileSystemError) {
    self.init(path: error.path, kind: .inaccessible(errno: error.errno.rawValue))
  }

  /// The member is an archive in an archive that is a member itself. No more are opened.
  init(nestedTooDeeply member: ArchiveMember, in archive: ArchiveFile) {
    self.init(
      path: archive.path + "/" + member.name, kind: .unusableArchive(.nestedTooDeeply))
  }

  /// Whether the system failed: neither is the file as it is meant to be, nor is it forbidden.
  var isFaultOfTheSystem: Bool {
    guard case .inaccessible(let errno, _) = kind else { return false }
    return ![ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EACCES, EPERM].contains(errno)
  }
}

extension FileKind {
  /// The kind of what `path` leads to. Throws `inaccessible`.
  init(orProblemAt path: String) throws(SymbolFileProblem) {
    do throws(FileSystemError) {
      self = try FileStatus(path: path).kind
    } catch {
      throw SymbolFileProblem(error)
    }
  }
}

extension SymbolFileProblem.Kind {
  package init(_ error: IndexFileError) {
    switch error {
    case .inaccessible(let errno): self = .inaccessible(errno: errno)
    case .gsym(let error): self.init(error)
    case .trailer(.unsupportedVersion(let version)):
      self = .unsupported(structure: "version of the index trailer", value: UInt64(version))
    case .trailer(.bodySize(let size, let available)):
      self = .truncated(
        structure: "index trailer", offset: 0, wanted: size, available: available)
    case .trailer(.checksum(let stated)):
      self = .malformed(structure: "checksum of the index trailer", value: stated)
    case .trailer(.contentSize(let expected, let actual)):
      self = .malformed(
        structure: "size before the index trailer", value: actual, expected: .exactly(expected))
    }
  }

  package init(_ error: GsymError) {
    switch error {
    case .notGsym(let magic):
      self = .malformed(
        structure: "GSYM magic number", value: UInt64(magic),
        expected: .exactly(UInt64(SymbolFileMagic.gsymNumber)))
    case .unsupportedVersion(let version): self = .unsupportedIndexVersion(version)
    case .unsupportedAddressOffsetSize(let size):
      self = .malformed(structure: "size of GSYM address offsets", value: UInt64(size))
    case .oversizedUuid(let size, let limit):
      self = .malformed(
        structure: "size of the GSYM UUID", value: size, expected: .atMost(UInt64(limit)))
    case .unsupportedStringEncoding(let encoding):
      self = .unsupported(structure: "GSYM string encoding", value: UInt64(encoding))
    case .unendedDirectory(let entries):
      self = .malformed(
        structure: "number of entries of the GSYM directory", value: UInt64(entries),
        expected: .below(UInt64(entries)))
    case .missingTable(let table):
      self = .malformed(
        structure: "number of entries of the GSYM directory for the \(table.rawValue)", value: 0,
        expected: .atLeast(1))
    case .tableSize(let table, let stated, let expected):
      self = .malformed(
        structure: "size of the \(table.rawValue)", value: stated, expected: .exactly(expected))
    case .outOfBounds(let table, let offset, let count, let available):
      self = .truncated(
        structure: table.rawValue, offset: offset, wanted: count, available: available)
    case .malformedFunction(let index, let offset):
      self = .unreadableDebugInformation(
        section: "GSYM", offset: offset, detail: "the record of function \(index)")
    case .changed(let offset):
      self = .unreadableDebugInformation(
        section: "GSYM", offset: offset, detail: "the bytes are not those that were written")
    }
  }
}

extension IndexRefusal {
  package init(_ error: IndexFileError) {
    switch error {
    case .gsym(.notGsym): self = .foreign
    case .gsym, .trailer, .inaccessible: self = .unreadable(SymbolFileProblem.Kind(error))
    }
  }
}
