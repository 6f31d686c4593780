import FileSystem
import SymbolicationModel

/// Where the files may lie that a symbol file's debug information refers to. Only paths: nothing is
/// looked at.
///
/// A relative path is never relative to the program's working directory: what a symbol file says
/// is relative to itself, or to the folder in which it was compiled.
struct SupplementaryFilePlaces {
  /// The symbol file's path, and the same without links.
  private let symbolFiles: [String]
  /// The folders of the symbol file, under both paths.
  private let folders: [String]
  private let debugDirectories: [String]

  /// - Parameters:
  ///   - symbolFile: its path as it was opened.
  ///   - realPath: the same without links, where known.
  ///   - debugDirectories: where a system keeps debug information apart from its programs.
  init(symbolFile: String, realPath: String?, debugDirectories: [String]) {
    symbolFiles = [symbolFile, realPath ?? symbolFile].withoutRepetitions
    folders = symbolFiles.map(\.folder).withoutRepetitions
    self.debugDirectories = debugDirectories
  }

  /// The file with what several files share, best place first.
  ///
  /// `name` is looked up as the file states it, then under the debug directories: with the whole
  /// path; from `.dwz` on, where Debian and Fedora keep these files; and by build-id, as gdb does it.
  /// A symbol file below a `usr/lib/debug` that is not the system's (an unpacked package, another
  /// system's root) has an absolute path's file below the same root. Last is a file of that name
  /// beside the symbol file.
  ///
  /// - Parameter buildId: of the file wanted; empty where it is not known by one.
  func sharedInformation(name: String, buildId: [UInt8]) -> [String] {
    guard !name.isEmpty else { return [] }
    var places: [String] = []
    if name.isAbsolutePath {
      places += roots.map { $0 + name }
      places.append(name)
      places += debugDirectories.filter { !name.hasPrefix($0 + "/") }.map { $0 + name }
    } else {
      places += folders.map { $0.appendingPath(name) }
    }
    let components = name.split(separator: "/")
    if let start = components.lastIndex(of: ".dwz") {
      let rest = components[start...].joined(separator: "/")
      places += debugDirectories.map { $0.appendingPath(rest) }
    }
    if buildId.count > 1 {
      let digits = buildId.hexadecimalDigits
      let file = ".build-id/\(digits.prefix(2))/\(digits.dropFirst(2)).debug"
      places += debugDirectories.map { $0.appendingPath(file) }
    }
    if let last = components.last { places += folders.map { $0.appendingPath(String(last)) } }
    return places.withoutRepetitions
  }

  /// The package of the symbol file's split units: named after it, as `dwp` and `llvm-dwp` name it by
  /// default. A separate debug file `X.debug` may have that of `X`.
  var packages: [String] {
    var places = symbolFiles.map { $0 + ".dwp" }
    for path in symbolFiles where path.hasSuffix(".debug") {
      places.append(path.dropLast(".debug".count) + ".dwp")
    }
    return places.withoutRepetitions
  }

  /// The file of one split unit, best place first: where it was compiled; at the same relative path
  /// from the symbol file's folder; beside the symbol file.
  func splitUnit(name: String, compilationDirectory: String?) -> [String] {
    guard !name.isEmpty else { return [] }
    var places: [String] = []
    if name.isAbsolutePath {
      places.append(name)
    } else {
      if let compilationDirectory, !compilationDirectory.isEmpty {
        let compiled = compilationDirectory.appendingPath(name)
        places += compiled.isAbsolutePath ? [compiled] : folders.map { $0.appendingPath(compiled) }
      }
      places += folders.map { $0.appendingPath(name) }
    }
    if let last = name.split(separator: "/").last {
      places += folders.map { $0.appendingPath(String(last)) }
    }
    return places.withoutRepetitions
  }

  /// What stands before `/usr/lib/debug/` in the symbol file's path: the root of the system it
  /// belongs to.
  private var roots: [String] {
    let mark = Array("/usr/lib/debug/".utf8)
    return symbolFiles.compactMap { path in
      let bytes = Array(path.utf8)
      guard bytes.count >= mark.count else { return nil }
      for start in 1..<max(1, bytes.count - mark.count + 1)
      where bytes[start..<(start + mark.count)].elementsEqual(mark) {
        return String(decoding: bytes[..<start], as: UTF8.self)
      }
      return nil
    }
  }
}
