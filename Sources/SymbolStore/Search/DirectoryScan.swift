import BinaryInput
import FileSystem
import ObjectFiles
import Platform
import SymbolicationModel
import Synchronization
import SystemPackage

/// A search for symbol files anywhere below a directory, on several threads, that reads headers
/// alone.
///
/// All files that are not Mach-O, ELF, GSYM or Breakpad files are ignored, at the cost of reading
/// their first bytes. Those with the name of an archive are noted. Pipes, devices and links that
/// lead nowhere are ignored, too. Of a dSYM only the folder of its DWARF files is listed.
///
/// Links to files are followed. Links to directories are followed if the root says so: each
/// directory once (by device and inode), after all real ones, and never one that holds the root, so
/// that links can form no loop and the search stays below the root or where its links lead. What
/// the kernel shows as files is not looked at, whatever leads there.
///
/// A thread has at most two files open.
struct DirectoryScan: Sendable {
  let root: SearchRoot
  let settings: SearchSettings
  /// What an earlier scan found: folders and files that have not changed since are not read again.
  let known: KnownTree?
  /// No further file or folder is looked at after so many; nil for those of the settings, which is
  /// then a problem.
  var entryLimit: Int?

  /// - Returns: what was found, and the problems of files that begin like a symbol file and of
  ///   files and directories that cannot be read: the file that is wanted may be among them.
  func run() -> (tree: DirectoryTree, problems: [SymbolFileProblem]) {
    let state = State(start: Clock.secondsSince1970)
    let limit = entryLimit ?? settings.entryLimit
    var level = [""]
    var links = PathHeap()
    var visited: Set<FileIdentity> = []
    var isCut = false
    while true {
      while !level.isEmpty {
        let listed = inParallel(level, state) { self.list($0, state) }
        level = []
        var files: [String] = []
        for listing in listed {
          // A link may lead to a folder that holds one that was visited.
          if let identity = listing.identity, !visited.insert(identity).inserted { continue }
          level += listing.folders
          for link in listing.links { links.insert(link) }
          files += listing.files
          if let folder = listing.record { state.add(folder) }
        }
        let room = max(limit - state.entryCount, 0)
        if files.count > room {
          files.removeLast(files.count - room)
          isCut = true
        }
        state.add(inParallel(files, state) { self.examine($0, state) }.compactMap(\.self))
        if !level.isEmpty, state.entryCount + level.count > limit {
          level = []
          isCut = true
        }
      }
      // The real directories come first, so that the result does not depend on where links lie.
      guard root.followsLinks, !isCut, let next = nextLink(&links, visited) else { break }
      level = [next]
    }
    var (tree, problems) = state.result
    tree.sort()
    if isCut, entryLimit == nil {
      problems.append(
        SymbolFileProblem(
          path: root.path, kind: .exceedsLimit(.searchedFiles, value: UInt64(clamping: limit))))
    }
    problems.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return (tree, problems)
  }

  /// Takes the first link that leads to a directory that was not visited.
  private func nextLink(_ links: inout PathHeap, _ visited: Set<FileIdentity>) -> String? {
    while let link = links.removeFirst() {
      let path = fullPath(link)
      guard let status = try? FileStatus(path: path), status.kind == .directory,
        !visited.contains(status.identity), root.followsLink(to: path)
      else { continue }
      return link
    }
    return nil
  }

  private func fullPath(_ path: String) -> String {
    path.isEmpty ? root.path : root.path.appendingPath(path)
  }

  // MARK: - Folders

  private struct Listing: Sendable {
    var folders: [String] = []
    var links: [String] = []
    var files: [String] = []
    var identity: FileIdentity?
    var record: DirectoryTree.Folder?
  }

  /// Lists the folder at `path`, or the folder of the DWARF files if it is a dSYM.
  private func list(_ path: String, _ state: State) -> Listing {
    var path = path
    if BundleName.isDsym(path.isEmpty ? root.path : path) {
      let content =
        path.isEmpty ? BundleName.dsymContent : path.appendingPath(BundleName.dsymContent)
      if FileKind(path: fullPath(content)) == .directory { path = content }
    }
    var listing = Listing()
    do throws(FileSystemError) {
      let status = try FileStatus(path: fullPath(path))
      listing.identity = status.identity
      guard !KernelFiles.contain(status, at: fullPath(path)) else { return listing }
      let stamp = settled(status, state)
      if let stamp, let content = known?.content(ofFolder: path, stamp: stamp) {
        listing.folders = content.folders
        listing.links = content.links
        listing.files = content.files
      } else {
        try fill(&listing, from: path, state)
      }
      listing.record = DirectoryTree.Folder(path: path, stamp: stamp, links: listing.links)
    } catch {
      state.add(SymbolFileProblem(error))
      listing.record = DirectoryTree.Folder(path: path, stamp: nil)
    }
    return listing
  }

  private func fill(
    _ listing: inout Listing, from folder: String, _ state: State
  ) throws(FileSystemError) {
    for entry in try Directory.unsortedEntries(of: fullPath(folder)) {
      let path = folder.isEmpty ? entry.name : folder.appendingPath(entry.name)
      switch entry.kind {
      case .directory: listing.folders.append(path)
      case .regularFile: listing.files.append(path)
      case .link:
        // A link that leads nowhere may lead to either one day.
        let kind = FileKind(path: fullPath(path))
        if kind == .directory || kind == nil { listing.links.append(path) }
        if kind != .directory { listing.files.append(path) }
      case .special: break
      }
    }
  }

  /// The stamp; nil if the file was changed too shortly before the scan.
  private func settled(_ status: FileStatus, _ state: State) -> FileStamp? {
    let age = state.start.subtractingReportingOverflow(status.changeTime.seconds)
    return age.overflow || age.partialValue > settings.unsettledSeconds ? FileStamp(status) : nil
  }

  // MARK: - Files

  /// Reads the headers of the file at `path`; nil if it is not a symbol file.
  private func examine(_ path: String, _ state: State) -> DirectoryTree.File? {
    let fullPath = fullPath(path)
    let stamp: FileStamp?
    var isEmpty = false
    do throws(FileSystemError) {
      let status = try FileStatus(path: fullPath)
      // A link may lead to a pipe, or to the kernel.
      guard status.isOrdinaryFile(at: fullPath) else { return nil }
      isEmpty = status.size == 0
      stamp = settled(status, state)
    } catch {
      // A link that leads nowhere, or a file that was just removed.
      if error.isAbsence || error.errno == .tooManySymbolicLinkLevels {
        return DirectoryTree.File(path: path, stamp: .absent, slices: [])
      }
      state.add(SymbolFileProblem(error))
      return DirectoryTree.File(path: path, stamp: nil, slices: [])
    }
    if let stamp, let file = known?.file(at: path, stamp: stamp) { return file }
    do throws(ObjectFileError) {
      let headers = try SymbolFileHeaders.read(path: fullPath)
      for fault in headers.faults { state.add(SymbolFileProblem(fault)) }
      return DirectoryTree.File(
        path: path, stamp: headers.faults.isEmpty ? stamp : nil, slices: headers.slices)
    } catch {
      if case .unrecognized = error.reason, path.lastPathComponent.hasArchiveName {
        return DirectoryTree.File(path: path, stamp: stamp, slices: [], isArchive: true)
      }
      // It was there a moment ago. A result that is being written changes its name, for example.
      if error.isAbsence { return DirectoryTree.File(path: path, stamp: .absent, slices: []) }
      if error.isAboutAnObjectFile || error.isRefusalOfTheSystem {
        state.add(SymbolFileProblem(error))
        return DirectoryTree.File(path: path, stamp: nil, slices: [])
      }
      // Something may still be writing it.
      guard isEmpty || stamp == nil else { return nil }
      return DirectoryTree.File(path: path, stamp: stamp, slices: [])
    }
  }

  // MARK: - Threads

  /// Calls `body` for each path and returns what it returns, in the same order.
  private func inParallel<Value: Sendable>(
    _ paths: [String], _ state: State, _ body: @Sendable (String) -> Value
  ) -> [Value] {
    let size = 32
    let count = (paths.count + size - 1) / size
    let results = Mutex<[Int: [Value]]>([:])
    ParallelWork.perform(count: count, jobs: settings.jobs) { chunk in
      let values = paths[(chunk * size)..<min(paths.count, (chunk + 1) * size)].map(body)
      results.withLock { $0[chunk] = values }
      let total = state.count(values.count)
      settings.progress?(total)
    }
    return results.withLock { results in (0..<count).flatMap { results[$0] ?? [] } }
  }

  /// What the threads have found so far.
  private final class State: Sendable {
    let start: Int64
    private let entries = Atomic(0)
    private let found = Mutex(Found())

    private struct Found {
      var tree = DirectoryTree()
      var problems: [SymbolFileProblem] = []
    }

    init(start: Int64) { self.start = start }

    var entryCount: Int { entries.load(ordering: .relaxed) }
    var result: (tree: DirectoryTree, problems: [SymbolFileProblem]) {
      found.withLock { ($0.tree, $0.problems) }
    }

    func count(_ count: Int) -> Int { entries.wrappingAdd(count, ordering: .relaxed).newValue }
    func add(_ folder: DirectoryTree.Folder) { found.withLock { $0.tree.folders.append(folder) } }
    func add(_ files: [DirectoryTree.File]) { found.withLock { $0.tree.files += files } }
    func add(_ problem: SymbolFileProblem) { found.withLock { $0.problems.append(problem) } }
  }
}

extension ObjectFileError {
  fileprivate var isRefusalOfTheSystem: Bool {
    if case .inaccessible(let error) = reason {
      error.operation != .refuseSpecialFile
    } else {
      false
    }
  }
}

extension String {
  /// Whether the path is `folder` or lies below it; both absolute and without links.
  func isInFolder(_ folder: String) -> Bool {
    self == folder || folder == "/" || hasPrefix(folder + "/")
  }
}

/// Paths. The first one in the order of their bytes is taken out next: a binary heap.
package struct PathHeap {
  private var paths: [String] = []

  package init() {}

  package mutating func insert(_ path: String) {
    paths.append(path)
    var child = paths.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { return }
      paths.swapAt(child, parent)
      child = parent
    }
  }

  /// The first path; nil if there is none.
  package mutating func removeFirst() -> String? {
    guard let last = paths.popLast() else { return nil }
    guard let first = paths.first else { return last }
    paths[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < paths.count && precedes(child, least) {
        least = child
      }
      if least == parent { return first }
      paths.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    paths[left].utf8.lexicographicallyPrecedes(paths[right].utf8)
  }
}
