import FileSystem
import SymbolicationModel

/// Where the file with the debug information of a program or library may lie. Only paths: nothing is
/// looked at.
struct SeparateDebugFilePlaces {
  /// The program's path as it was given, and the same without links.
  private let programs: [String]
  private let debugDirectories: [String]

  /// - Parameters:
  ///   - program: its path as it was opened.
  ///   - realPath: the same without links, where known.
  ///   - debugDirectories: where a system keeps debug information apart from its programs.
  init(program: String, realPath: String?, debugDirectories: [String]) {
    self.programs = [program, realPath ?? program].withoutRepetitions
    self.debugDirectories = debugDirectories
  }

  // MARK: - Mach-O

  /// How far above the program a bundle may begin that is looked beside: of
  /// `X.app/Contents/PlugIns/Y.appex/Contents/MacOS/Y`, the path of an extension on macOS, it is 6.
  private static let bundleDepth = 6

  /// The DWARF files of the dSYMs that may be the program's, best place first.
  ///
  /// A dSYM is named after the program, or after a bundle that holds it: `X.dSYM` and `X.app.dSYM` beside
  /// `X`, and `X.app.dSYM` beside `X.app`, which may hold `Contents/MacOS/X`, `Versions/A/X` and the like.
  /// The dSYM of a bundle in a bundle lies beside the outer one, as Xcode builds them, or in the folder
  /// `dSYMs` of an archive (`X.xcarchive/Products/…`). In a dSYM the file has the program's name; where the program
  /// was renamed, most likely that of the bundle.
  var dsyms: [String] {
    var places: [String] = []
    for program in programs {
      let name = program.lastPathComponent
      let folder = program.folder
      var bundles = [folder.appendingPath(name), folder.appendingPath(name + ".app")]
      let outer = holders(of: program)
      bundles += outer
      // Beside the outermost bundle, and in an archive, lie those of all bundles.
      if let outermost = outer.last {
        for holder in outer.dropLast() {
          bundles.append(outermost.folder.appendingPath(holder.lastPathComponent))
        }
      }
      if let archive = archive(of: program) {
        let names = outer.map(\.lastPathComponent) + [name]
        bundles += names.map { archive.appendingPath("dSYMs").appendingPath($0) }
      }
      for bundle in bundles {
        let contents = bundle + "\(BundleName.dsymSuffix)/\(BundleName.dsymContent)/"
        places += [contents + name, contents + bundle.lastPathComponent.withoutExtension]
      }
    }
    return places.withoutRepetitions
  }

  /// The bundles that hold the program, innermost first.
  private func holders(of program: String) -> [String] {
    var holders: [String] = []
    var path = program
    for _ in 0..<Self.bundleDepth {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { break }
      path = String(path[..<slash])
      let name = path.lastPathComponent
      if BundleName.isOfCode(name) { holders.append(path) }
    }
    return holders
  }

  /// The archive of Xcode's that holds the program: `…/X.xcarchive`.
  private func archive(of program: String) -> String? {
    guard let mark = program.start(of: BundleName.archiveSuffix + "/Products/") else { return nil }
    return String(program[..<mark]) + BundleName.archiveSuffix
  }

  // MARK: - ELF

  /// The file by build-id below the debug directories, as gdb and Debian's debug packages have it.
  func byBuildId(_ buildId: [UInt8]) -> [String] {
    guard buildId.count > 1 else { return [] }
    let digits = buildId.hexadecimalDigits
    let file = ".build-id/\(digits.prefix(2))/\(digits.dropFirst(2)).debug"
    return debugDirectories.map { $0.appendingPath(file) }
  }

  /// The file of `.gnu_debuglink`, where gdb looks for it: beside the program, in `.debug` there, and
  /// below the debug directories in a folder of the same path. Of a name with slashes the last part counts.
  func byLink(name: String) -> [String] {
    guard let name = name.split(separator: "/").last.map(String.init), name != ".", name != ".."
    else { return [] }
    let folders = programs.map(\.folder).withoutRepetitions
    var places = folders.map { $0.appendingPath(name) }
    places += folders.map { $0.appendingPath(".debug").appendingPath(name) }
    for directory in debugDirectories {
      places += folders.filter(\.isAbsolutePath).map { (directory + $0).appendingPath(name) }
    }
    return places.withoutRepetitions
  }
}

extension String {
  /// `Letter Shuffle` for `Letter Shuffle.app`; the text itself where no dot, or nothing in front of it,
  /// is there.
  fileprivate var withoutExtension: String {
    guard let dot = lastIndex(of: "."), dot != startIndex else { return self }
    return String(self[..<dot])
  }

  /// Where the first `text` in it begins.
  fileprivate func start(of text: String) -> String.Index? {
    let own = Array(utf8)
    let wanted = Array(text.utf8)
    guard own.count >= wanted.count else { return nil }
    for start in 0...(own.count - wanted.count)
    where own[start..<(start + wanted.count)].elementsEqual(wanted) {
      return utf8.index(utf8.startIndex, offsetBy: start)
    }
    return nil
  }
}
