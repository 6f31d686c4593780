import FileSystem
import SymbolicationModel

/// The content of a `….dSYM` directory.
enum DsymBundle {
  /// The DWARF files of the bundle at `path`, sorted by name. Throws `emptyBundle` if there are
  /// none.
  static func dwarfFiles(in path: String) throws(SymbolFileProblem) -> [String] {
    let folder = path.appendingPath(BundleName.dsymContent)
    var entries: [Directory.Entry] = []
    do throws(FileSystemError) {
      if try FileStatus(path: folder).kind == .directory {
        entries = try Directory.entries(of: folder)
      }
    } catch  where !error.isAbsence {
      throw SymbolFileProblem(error)
    } catch {}
    var files: [String] = []
    for entry in entries {
      let file = folder.appendingPath(entry.name)
      do throws(FileSystemError) {
        let status = try FileStatus(path: file)
        if status.kind == .regularFile, !KernelFiles.contain(status, at: file) {
          files.append(file)
        }
      } catch  where !error.isAbsence {
        throw SymbolFileProblem(error)
      } catch {}
    }
    guard !files.isEmpty else { throw SymbolFileProblem(path: path, kind: .emptyBundle) }
    return files
  }
}
