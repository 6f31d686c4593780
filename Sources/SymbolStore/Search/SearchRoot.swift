import FileSystem
package import SymbolicationModel

/// A directory that is searched.
package struct SearchRoot: Hashable, Sendable {
  /// As it was given.
  let path: String
  /// Without links; `path` if the system does not say.
  let realPath: String
  /// Whether links to directories are followed.
  let followsLinks: Bool

  package init(_ path: String, followsLinks: Bool) {
    self.path = path
    self.realPath = FileLinks.realPath(of: path) ?? path
    self.followsLinks = followsLinks
  }

  /// Whether a link to the directory at `path` is followed: not if the root lies in it, and not to
  /// what the kernel shows as files (`KernelFiles`), nor to `/dev`, which lies in no file system of
  /// its own in some containers. If the system does not say where the link leads, it is followed,
  /// and reading it reports the error.
  package func followsLink(to path: String) -> Bool {
    guard let real = FileLinks.realPath(of: path) else { return true }
    guard !realPath.isInFolder(real) else { return false }
    // That folder holds ordinary files, in memory.
    guard real.isInFolder("/dev/shm") || !real.isInFolder("/dev") else { return false }
    return (try? FileStatus(path: real)).map { !KernelFiles.contain($0, at: real) } ?? true
  }

  /// The slices of all symbol files below the root, and its archives, in the order of their paths.
  ///
  /// With a cache, what has not changed since the last search is not read again. A cache that
  /// cannot be used or written costs time and nothing else.
  func search(
    _ settings: SearchSettings
  ) -> (entries: [SymbolFileEntry], archives: [String], problems: [SymbolFileProblem]) {
    let known = settings.cache?.tree(of: self)
    if let known, known.isCurrent(root: path, jobs: settings.jobs) {
      return (known.entries(root: path), known.archives(root: path), [])
    }
    let scan = DirectoryScan(
      root: self, settings: settings, known: known.map { KnownTree($0) })
    let (tree, problems) = scan.run()
    settings.progress?(nil)
    if tree != known { settings.cache?.store(tree, of: self) }
    return (tree.entries(root: path), tree.archives(root: path), problems)
  }

  /// A directory that the system says nothing about is searched, and the search reports the error.
  private static func isSearched(_ path: String) -> Bool {
    do throws(FileSystemError) {
      return try FileStatus(path: path).kind == .directory
    } catch {
      return !error.isAbsence
    }
  }

  /// The directories as roots whose links are followed. Those that do not exist are left out, and
  /// those in another root, which is searched with all its subfolders.
  static func distinct(_ directories: [String], beside others: [SearchRoot]) -> [SearchRoot] {
    var roots: [SearchRoot] = []
    for directory in directories where isSearched(directory) {
      let root = SearchRoot(directory, followsLinks: true)
      guard !(others + roots).contains(where: { root.realPath.isInFolder($0.realPath) }) else {
        continue
      }
      roots.append(root)
    }
    return roots
  }
}

/// How directories are searched.
package struct SearchSettings: Sendable {
  /// The threads that search at a time; at least 1.
  package var jobs = ParallelWork.processorCount
  /// Where indexes of searched directories are kept; nil if none are.
  package var cache: SearchIndexCache?
  /// What was changed so many seconds before it is read, or fewer, is read again by the next
  /// search: a later change may leave the same time. File systems record times in steps of up to
  /// two seconds (FAT).
  package var unsettledSeconds: Int64 = 2
  /// How many files and folders are looked at below a directory.
  package var entryLimit = Int(clamping: ResourceLimits().searchedFiles)
  /// Called from any of the threads while directories are searched.
  package var progress: SearchProgress?

  package init() {}

  /// The settings that `places` ask for, with the user's cache.
  package init(
    for places: SymbolPlaces, jobs: Int = ParallelWork.processorCount,
    progress: SearchProgress? = nil
  ) {
    self.jobs = jobs
    self.entryLimit = Int(clamping: places.limits.searchedFiles)
    self.cache =
      places.usesSearchIndex ? SearchIndexCache.user(directory: places.cacheDirectory) : nil
    self.progress = progress
  }
}

/// Reports how far a search through directories has come.
///
/// - Parameter fileCount: the files looked at so far; nil when the search has ended.
package typealias SearchProgress = @Sendable (_ fileCount: Int?) -> Void
