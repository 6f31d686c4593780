import FileSystem
import ObjectFiles
import SymbolicationModel

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
