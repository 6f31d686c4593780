import FileSystem
import ObjectFiles
import SymbolicationModel

/// The debug directories, in a folder with the same path as the program's: where gdb looks for the
/// file of `.gnu_debuglink` last.
struct MirroredFolders: PathLocator {
  let debugDirectories: [String]

  func paths(for request: SymbolFileRequest) -> [String] {
    guard case .separateDebugFile(let link) = request.wanted, let name = link?.fileName,
      let askingFile = request.askingFile
    else { return [] }
    let folders = askingFile.distinctPaths.map(\.folder).filter(\.isAbsolutePath)
      .withoutRepetitions
    return debugDirectories.flatMap { directory in
      folders.map { (directory + $0).appendingPath(name) }
    }
  }
}

extension DebugLink {
  /// The last component of the name stated; nil for a name that leads to a folder.
  var fileName: String? {
    guard let name = name.split(separator: "/").last, name != ".", name != ".." else { return nil }
    return String(name)
  }
}

/// The folders `.dwz` of the debug directories, where Debian and Fedora keep supplementary files. A
/// stated path counts from its last `.dwz` on.
struct DwzDirectories: PathLocator {
  let debugDirectories: [String]

  func paths(for request: SymbolFileRequest) -> [String] {
    guard case .supplementaryFile(let link) = request.wanted else { return [] }
    let components = link.path.split(separator: "/")
    guard let start = components.lastIndex(of: ".dwz") else { return [] }
    let rest = components[start...].joined(separator: "/")
    return debugDirectories.map { $0.appendingPath(rest) }
  }
}

/// The folders `.build-id` of the debug directories, as gdb and Debian's debug packages lay them
/// out: `.build-id/aa/bbbb….debug`.
struct BuildIdDirectories: PathLocator {
  let debugDirectories: [String]

  /// The build-id alone decides here, and not the checksum of a link.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    request.withoutChecksum.firstFile(at: paths(for: request), skipping: known)
  }

  func paths(for request: SymbolFileRequest) -> [String] {
    switch request.wanted {
    case .separateDebugFile where !request.isForMachO:
      Self.path(of: request.identity?.bytes ?? []).map(below) ?? []
    // Not `identity`: an identifier of zeros is not an identity, but it still gives a path.
    case .supplementaryFile(let link) where link.form == .gnu && !link.path.isEmpty:
      Self.path(of: link.identifier).map(below) ?? []
    default: []
    }
  }

  private func below(_ path: String) -> [String] {
    debugDirectories.map { $0.appendingPath(path) }
  }

  /// Relative to a debug directory; nil for an identity that is too short to have a folder.
  private static func path(of identity: [UInt8]) -> String? {
    guard identity.count > 1 else { return nil }
    let digits = identity.hexadecimalDigits
    return ".build-id/\(digits.prefix(2))/\(digits.dropFirst(2)).debug"
  }
}
