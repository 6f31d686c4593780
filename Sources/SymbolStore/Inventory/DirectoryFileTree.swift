import FileSystem
import ObjectFiles
import PropertyLists
import SymbolicationModel

/// A directory with all its subfolders.
///
/// Links to files are followed. Links to directories are followed after all real ones: each
/// directory once (by device and inode), and never one that holds the root, so that links cannot
/// form a loop.
/// A file that several paths lead to, such as the binary of a framework on macOS, counts once,
/// under the first of them. Pipes, devices, what the kernel shows as files, and links that lead
/// nowhere are ignored.
struct DirectoryFileTree: FileTree {
  let path: String
  /// How many files and folders are looked at.
  let entryLimit: Int

  func content() -> FileTreeContent {
    var entries: [FileTreeContent.Entry] = []
    var emptyDirectories: [String] = []
    var problems: [SymbolFileProblem] = []
    var known: Set<FileIdentity> = []
    // The last is visited first: entries are pushed in reverse, so that paths come out ascending.
    var pending = [(relative: "", isLink: false)]
    var visited: Set<FileIdentity> = []
    var links: ArraySlice<String> = []
    var count = 0
    while let (relative, isLink) = pending.popLast() ?? nextLink(&links) {
      guard count < entryLimit else {
        problems.append(
          SymbolFileProblem(
            path: path, kind: .exceedsLimit(.searchedFiles, value: UInt64(clamping: entryLimit))))
        break
      }
      count += 1
      let path = relative.isEmpty ? self.path : self.path.appendingPath(relative)
      let status: FileStatus
      do throws(FileSystemError) {
        status = try FileStatus(path: path)
      } catch {
        // A link that leads nowhere, or to itself, is ordinary.
        let leadsNowhere = error.isAbsence || error.isLinkLoop
        if !isLink || !leadsNowhere { problems.append(SymbolFileProblem(error)) }
        continue
      }
      guard !KernelFiles.contain(status, at: path) else { continue }
      switch status.kind {
      case .directory where isLink:
        links.append(relative)
      case .directory where visited.insert(status.identity).inserted:
        do throws(FileSystemError) {
          let names = try Directory.entries(of: path)
          if names.isEmpty { emptyDirectories.append(relative) }
          for entry in names.reversed() {
            pending.append(
              (relative.isEmpty ? entry.name : relative.appendingPath(entry.name), entry.isLink))
          }
        } catch {
          problems.append(SymbolFileProblem(error))
        }
      case .regularFile where known.insert(status.identity).inserted:
        entries.append(
          FileTreeContent.Entry(path: relative, shownPath: path, size: status.size))
      case .regularFile, .directory, .special, .symbolicLink:
        continue
      }
    }
    // Those behind links came last.
    entries.sort { $0.path.walksBefore($1.path) }
    return FileTreeContent(
      entries: entries, emptyDirectories: emptyDirectories, problems: problems)
  }

  /// Takes a link to a directory that does not hold the root, to be listed like a real one. Links
  /// are taken in the order in which they were found.
  private func nextLink(
    _ links: inout ArraySlice<String>
  ) -> (relative: String, isLink: Bool)? {
    guard !links.isEmpty else { return nil }
    let root = SearchRoot(path, followsLinks: true)
    while let link = links.popFirst() {
      if root.followsLink(to: path.appendingPath(link)) { return (link, false) }
    }
    return nil
  }

  func objectContainer(
    of entry: FileTreeContent.Entry
  ) throws(SymbolFileProblem) -> ObjectContainer? {
    try ObjectContainer.openIfObjectFile(path: entry.shownPath)
  }

  func propertyList(of entry: FileTreeContent.Entry) -> PropertyList? {
    try? PropertyList(contentsOfFile: entry.shownPath)
  }
}

/// One file.
struct SingleFileTree: FileTree {
  let path: String

  func content() -> FileTreeContent {
    do throws(FileSystemError) {
      let size = try FileStatus(path: path).size
      return FileTreeContent(
        entries: [
          FileTreeContent.Entry(path: path.lastPathComponent, shownPath: path, size: size)
        ])
    } catch {
      return FileTreeContent(entries: [], problems: [SymbolFileProblem(error)])
    }
  }

  func objectContainer(
    of entry: FileTreeContent.Entry
  ) throws(SymbolFileProblem) -> ObjectContainer? {
    try ObjectContainer.openIfObjectFile(path: entry.shownPath, isWanted: true)
  }

  /// A property list alone is about no build.
  func propertyList(of entry: FileTreeContent.Entry) -> PropertyList? { nil }
}

extension ObjectContainer {
  /// The object file at `path`; nil if the file is empty or begins like something else.
  ///
  /// - Parameter isWanted: whether a user named the file. Of other files, many begin like a fat
  ///   file and are none: most of these are Java classes.
  static func openIfObjectFile(
    path: String, isWanted: Bool = false
  ) throws(SymbolFileProblem) -> ObjectContainer? {
    do {
      return try open(path: path)
    } catch {
      let problem = SymbolFileProblem(error)
      switch problem.kind {
      case .notASymbolFile, .empty: return nil
      default:
        guard isWanted || error.isAboutAnObjectFile || problem.isRefusalOfTheSystem else {
          return nil
        }
        throw problem
      }
    }
  }
}

extension SymbolFileProblem {
  fileprivate var isRefusalOfTheSystem: Bool {
    if case .inaccessible = kind { true } else { false }
  }
}
