import FileSystem
import SymbolStore
import SymbolicationModel
import SystemPackage

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
}

/// The folders of reports.
package enum ReportFolder {
  /// The folder of each report, once; none for standard input (`-`).
  package static func folders(of reports: [String]) -> [String] {
    reports.filter { $0 != "-" }.map(\.folder).withoutRepetitions
  }
}
