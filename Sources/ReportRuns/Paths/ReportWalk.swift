package import FileSystem
import ReportSymbolication
import SymbolStore
import SymbolicationModel

/// A walk through a directory and all folders below it, for the files that may be reports. No file
/// is opened: which of them holds a report, a symbol file or neither, shows when it is read.
///
/// - Symbolic links are followed as in searches for symbols (`SearchRoot`): each folder is listed
///   once (by device and inode), the real ones first, and none that holds the directory itself. So
///   links can form no loop; one that leads to itself is left out. A link that leads nowhere counts
///   as a file, because a report may be missing there.
/// - Bundles (dSYMs, archives of Xcode, apps, frameworks) are not entered. A bundle of Xcode's
///   Organizer (`.xccrashpoint`) stands for the reports in it; one without reports counts as a
///   file, which cannot be read.
/// - Pipes, devices, sockets, and what the kernel shows as files (`KernelFiles`) are left out:
///   reading them may wait for ever, or do something.
/// - So is everything whose name begins with a dot, such as `.git` and `.DS_Store`.
///
/// The result follows from the files alone, whatever the order in which the system lists them.
package struct ReportWalk: Sendable {
  /// As it was given.
  package let directory: String
  /// The paths of the files, which begin with `directory`, in the order of their bytes.
  package private(set) var paths: [String] = []
  /// The folders that cannot be listed, in the order of their paths.
  package private(set) var problems: [FileSystemError] = []
  /// How many bundles were not entered.
  package private(set) var bundleCount = 0
  /// How many pipes, devices and sockets, and files and folders of the kernel were left out.
  package private(set) var specialFileCount = 0

  /// Walks through `directory`.
  ///
  /// Cost: each folder is listed once; memory for the paths alone.
  ///
  /// - Parameter excluded: a folder that is not entered, such as one for results. It need not
  ///   exist.
  package init(_ directory: String, excluding excluded: String? = nil) {
    var visited = Self.visited(excluded)
    self.init(directory, visited: &visited)
  }

  /// - Parameter visited: folders that are not listed any more. Those that are listed are added.
  init(_ directory: String, visited: inout Set<FileIdentity>) {
    self.directory = directory
    let root = SearchRoot(directory, followsLinks: true)
    var folders = [directory]
    var links = PathHeap()
    while true {
      while let folder = folders.popLast() {
        list(folder, &visited, &folders, &links)
      }
      guard let link = nextFolder(&links, visited, root) else { break }
      folders = [link]
    }
    paths.sort { $0.precedesInBytes($1) }
    problems.sort { $0.path.precedesInBytes($1.path) }
  }

  /// The path from the directory to one of `paths`: `sub/App.crash`.
  package func relativePath(of path: String) -> String {
    String(path.utf8.dropFirst(relativeStart)) ?? path
  }

  /// Where that part begins in each of `paths`, in bytes.
  var relativeStart: Int {
    directory.utf8.count + (directory.utf8.last == UInt8(ascii: "/") ? 0 : 1)
  }

  /// The folder, if it exists, as visited.
  static func visited(_ folder: String?) -> Set<FileIdentity> {
    Set([folder.flatMap { try? FileStatus(path: $0).identity }].compactMap(\.self))
  }

  private mutating func list(
    _ folder: String, _ visited: inout Set<FileIdentity>, _ folders: inout [String],
    _ links: inout PathHeap
  ) {
    do throws(FileSystemError) {
      let status = try FileStatus(path: folder)
      guard visited.insert(status.identity).inserted else { return }
      guard !KernelFiles.contain(status, at: folder) else {
        specialFileCount += 1
        return
      }
      for entry in try Directory.unsortedEntries(of: folder) where !entry.name.hasPrefix(".") {
        let path = folder.appendingPath(entry.name)
        switch entry.kind {
        case .regularFile: paths.append(path)
        case .directory: addFolder(path, name: entry.name) { folders.append(path) }
        case .special: specialFileCount += 1
        case .link:
          let status: FileStatus?
          do throws(FileSystemError) {
            status = try FileStatus(path: path)
          } catch {
            guard !error.isLinkLoop else { continue }
            status = nil
          }
          switch status?.kind {
          case .directory: addFolder(path, name: entry.name) { links.insert(path) }
          case .special: specialFileCount += 1
          case .regularFile where status?.isOrdinaryFile(at: path) == false:
            specialFileCount += 1
          case .regularFile, .symbolicLink, nil: paths.append(path)
          }
        }
      }
    } catch {
      problems.append(error)
    }
  }

  /// Calls `enter` for a folder that is neither a bundle nor one of Xcode's Organizer.
  private mutating func addFolder(_ path: String, name: String, enter: () -> Void) {
    if CrashPoint.hasName(name) {
      let reports = CrashPoint.reports(in: path)
      paths += reports.isEmpty ? [path] : reports
    } else if BundleFolder.isOne(path, name: name) {
      bundleCount += 1
    } else {
      enter()
    }
  }

  /// Takes the first link that leads to a folder that was not listed and does not hold the root.
  private mutating func nextFolder(
    _ links: inout PathHeap, _ visited: Set<FileIdentity>, _ root: SearchRoot
  ) -> String? {
    while let link = links.removeFirst() {
      guard let status = try? FileStatus(path: link), !visited.contains(status.identity),
        let target = FileLinks.realPath(of: link)
      else { continue }
      guard root.followsLink(to: link) else {
        specialFileCount += KernelFiles.contain(status, at: link) ? 1 : 0
        continue
      }
      // The link may have another name than the bundle it leads to.
      guard !BundleFolder.isOne(target, name: target.lastPathComponent) else {
        bundleCount += 1
        continue
      }
      return link
    }
    return nil
  }
}

extension String {
  /// Whether the bytes of this path come before those of the other.
  fileprivate func precedesInBytes(_ other: String) -> Bool {
    hasPathBytes || other.hasPathBytes
      ? pathBytes.lexicographicallyPrecedes(other.pathBytes)
      : utf8.lexicographicallyPrecedes(other.utf8)
  }
}
