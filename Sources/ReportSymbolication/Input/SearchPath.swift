import FileSystem
import SymbolStore
package import SymbolicationModel
import SystemPackage
import Wording

/// The environment variables that list directories to search for symbol files.
package enum SearchPath {
  /// Directories with colons between them, as in PATH.
  package static let variable = "SYMBOLICATE_SYMBOL_PATH"
  /// The variable of Swift's own `swift-symbolicate`, which puts semicolons between directories.
  package static let swiftVariable = "SWIFT_SYMBOLICATE_SYMBOL_PATHS"

  /// The directories of both variables, ours first. Empty entries are ignored, and so are repeated
  /// ones.
  package static func directories(
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> [String] {
    func list(_ name: String, separator: Character) -> [String] {
      (environment(name) ?? "").split(separator: separator).map(String.init)
    }
    return (list(variable, separator: ":") + list(swiftVariable, separator: ";"))
      .withoutRepetitions
  }

  /// The paths that are not directories, or cannot be read, each once.
  package static func problems(with directories: [String]) -> [SearchDirectoryProblem] {
    directories.withoutRepetitions.compactMap { path in
      do throws(FileSystemError) {
        guard try FileStatus(path: path).kind == .directory else {
          return SearchDirectoryProblem(path: path, reason: .notADirectory)
        }
        try FileAccess.check([.read, .execute], path: path)
        return nil
      } catch {
        return SearchDirectoryProblem(
          path: path, reason: error.isAbsence ? .absent : .refused(errno: error.errno.rawValue))
      }
    }
  }
}

extension SearchPath {
  /// Without the directories that the system refuses to read, as `problems` say: every path below
  /// them would be a problem of its own.
  package static func readable(
    _ directories: [String], _ problems: [SearchDirectoryProblem]
  ) -> [String] {
    let refused = problems.filter(\.isRefusal).map(\.path)
    return refused.isEmpty ? directories : directories.filter { !refused.contains($0) }
  }
}

/// Why a directory that was named for the search is not searched.
package struct SearchDirectoryProblem: Hashable, Sendable {
  package let path: String
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    case absent
    case notADirectory
    /// The value of C's `errno`.
    case refused(errno: CInt)
  }

  package var isRefusal: Bool { if case .refused = reason { true } else { false } }
}

/// The folders of reports.
package enum ReportFolder {
  /// The folder of each report, once; none for standard input (`-`).
  package static func folders(of reports: [String]) -> [String] {
    reports.filter { $0 != "-" }.map(\.folder).withoutRepetitions
  }
}

extension SearchDirectoryProblem {
  /// One sentence: which directory, and why it is not searched.
  package var message: String {
    let text =
      switch reason {
      case .absent: "cannot search \(path): there is no such directory"
      case .notADirectory:
        "cannot search \(path): it is not a directory; give symbol files with -d"
      case .refused(let errno): "cannot search \(path): \(Errno(rawValue: errno))"
      }
    return text.withoutControlCharacters
  }
}

extension SymbolPlaces {
  /// The directories and archives that are searched, as they were given: not the symbol files and
  /// bundles among the paths.
  package var searchedPaths: [String] {
    (paths.filter(Self.isSearched) + searchDirectories.filter { FileKind(path: $0) == .directory })
      .withoutRepetitions
  }

  private static func isSearched(_ path: String) -> Bool {
    let isBundle = BundleName.isBundle(
      path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path)
    return switch FileKind(path: path) {
    case .directory: !isBundle
    case .regularFile: SymbolFileKind(path: path) == .zipOrTar
    default: false
    }
  }
}
