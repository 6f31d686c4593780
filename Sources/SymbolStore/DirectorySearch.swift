import FileSystem
import ObjectFiles
import SymbolicationModel

/// The symbol files anywhere below a directory.
enum DirectorySearch {
  /// Every slice of every Mach-O, ELF and GSYM file below `root`, in the order of their paths.
  ///
  /// Other files cost one read of their first bytes and are passed over in silence: a build folder
  /// holds much that is nobody's symbol file. So are pipes, devices and links that lead nowhere. Links
  /// to files are followed and links to directories are not, so that no link can lead round in a
  /// circle.
  ///
  /// - Returns: the slices, and what is wrong with files that begin as a symbol file does, and with
  ///   files and directories that the system does not let be read: what is wanted may be there.
  static func objectFiles(
    under root: String
  ) -> (files: [ObjectFile], problems: [SymbolFileProblem]) {
    var files: [ObjectFile] = []
    var problems: [SymbolFileProblem] = []
    // Visited last first: pushed in reverse, so that paths come out ascending.
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
