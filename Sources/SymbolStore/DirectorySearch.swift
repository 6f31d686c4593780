import FileSystem
import ObjectFiles
import SymbolicationModel

/// The symbol files anywhere below a directory.
enum DirectorySearch {
  /// Every slice of every Mach-O, ELF, GSYM and Breakpad file below `root`, in the order of their
  /// paths.
  ///
  /// All other files are ignored, at the cost of reading their first bytes: most files of a build
  /// folder are not symbol files. Pipes, devices and links that lead nowhere are ignored, too.
  /// Links to files are followed and links to directories are not, so that links cannot form a
  /// loop.
  ///
  /// - Returns: the slices, and the problems of files that begin like a symbol file and of files
  ///   and directories that cannot be read: the file that is wanted may be among them.
  static func objectFiles(
    under root: String
  ) -> (files: [ObjectFile], problems: [SymbolFileProblem]) {
    var files: [ObjectFile] = []
    var problems: [SymbolFileProblem] = []
    // The last is visited first: entries are pushed in reverse, so that paths come out ascending.
    var pending = [(path: root, isLink: false)]
    while let (path, isLink) = pending.popLast() {
      let kind: FileKind
      do throws(FileSystemError) {
        kind = try FileStatus(path: path).kind
      } catch {
        if !isLink { problems.append(SymbolFileProblem(error)) }
        continue
      }
      switch kind {
      case .directory where !isLink:
        do throws(FileSystemError) {
          for entry in try Directory.entries(of: path).reversed() {
            pending.append((path.appendingPath(entry.name), entry.isLink))
          }
        } catch {
          problems.append(SymbolFileProblem(error))
        }
      case .regularFile:
        do {
          let container = try ObjectContainer.open(path: path)
          files += container.objectFiles
          problems += container.faults.map { SymbolFileProblem($0) }
        } catch {
          if error.isAboutAnObjectFile || error.isRefusalOfTheSystem {
            problems.append(SymbolFileProblem(error))
          }
        }
      case .directory, .special, .symbolicLink:
        continue
      }
    }
    return (files, problems)
  }
}

extension ObjectFileError {
  fileprivate var isRefusalOfTheSystem: Bool {
    if case .inaccessible = reason { true } else { false }
  }
}
