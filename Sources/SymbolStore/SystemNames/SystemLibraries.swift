import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// The libraries of systems at some paths: those in dyld shared caches, and Mach-O files, as Xcode
/// copies them from devices.
package struct SystemLibraries: Sendable {
  package private(set) var libraries: [Library] = []
  package private(set) var problems: [Problem] = []
  /// The shared caches.
  private var caches: [SharedCache] = []

  package struct Problem: Hashable, Sendable {
    package let problem: SymbolFileProblem
    /// Whether nothing at the path can be used.
    package let isWholePath: Bool
  }

  /// A library that was not read yet.
  package struct Library: Sendable {
    /// What is known of it before the file is opened: thousands of files are not opened at once.
    private let content: Content
    /// Where its names come from.
    package let path: String

    fileprivate enum Content: Sendable {
      case opened(ObjectFile)
      case found(SymbolFileEntry)
    }

    fileprivate init(_ file: ObjectFile) {
      content = .opened(file)
      path = file.path
    }

    fileprivate init(_ entry: SymbolFileEntry) {
      content = .found(entry)
      path = entry.path
    }

    package var identity: ImageIdentity? {
      switch content {
      case .opened(let file): file.identity
      case .found(let entry): entry.header.identity
      }
    }

    /// Nil if the file was replaced since it was found.
    package func open() throws(SymbolFileProblem) -> ObjectFile? {
      switch content {
      case .opened(let file): return file
      case .found(let entry):
        do throws(RefusedEntry) {
          return try entry.open()
        } catch {
          if let problem = error.problem { throw problem }
          return nil
        }
      }
    }
  }

  /// Cost: directories are searched, and the lists of images of caches are read.
  package init(paths: [String], jobs: Int, limits: ResourceLimits) {
    var settings = SearchSettings()
    settings.jobs = jobs
    settings.entryLimit = Int(clamping: limits.searchedFiles)
    for path in paths {
      let countBefore = libraries.count
      do throws(SymbolFileProblem) {
        if try FileKind(orProblemAt: path) == .directory {
          addDirectory(path, settings)
        } else {
          try addFile(path)
        }
        if libraries.count == countBefore {
          let problem = SymbolFileProblem(emptyDirectory: path)
          problems.append(Problem(problem: problem, isWholePath: true))
        }
      } catch {
        problems.append(Problem(problem: error, isWholePath: true))
      }
    }
  }

  /// Gives the memory back that the pages of caches take in this process.
  package func releasePages() {
    for cache in caches { cache.releasePages() }
  }

  private mutating func addDirectory(_ path: String, _ settings: SearchSettings) {
    let found = SearchRoot(path, followsLinks: true).search(settings)
    problems += found.problems.map { Problem(problem: $0, isWholePath: false) }
    var cachePaths: Set<String> = []
    for entry in found.entries {
      switch entry.header.format {
      case .sharedCache:
        guard cachePaths.insert(entry.path).inserted else { continue }
        do throws(SymbolFileProblem) {
          try addFile(entry.path)
        } catch {
          problems.append(Problem(problem: error, isWholePath: false))
        }
      case .machO where entry.header.isLibrary: libraries.append(Library(entry))
      default: break
      }
    }
  }

  private mutating func addFile(_ path: String) throws(SymbolFileProblem) {
    if SymbolFileKind(path: path) == .zipOrTar {
      throw SymbolFileProblem(path: path, kind: .archivedSystem)
    }
    let container = try ObjectContainer.openForUse(path: path)
    problems += container.faults.map {
      Problem(problem: SymbolFileProblem($0), isWholePath: false)
    }
    let files = container.objectFiles.filter {
      $0.format == .sharedCache || ($0.format == .machO && SymbolFileHeader($0).isLibrary)
    }
    libraries += files.map { Library($0) }
    if let cache = files.first?.sharedCacheImage?.cache { caches.append(cache) }
  }
}

extension SymbolFileProblem {
  /// What is wrong with a directory without a symbol file. If a part of a dyld shared cache is in
  /// it, the main file was left behind.
  package init(emptyDirectory path: String) {
    let names = ((try? Directory.entries(of: path)) ?? []).map(\.name).sorted()
    let part = names.map { path.appendingPath($0) }.first {
      (try? FileStatus(path: $0))?.isOrdinaryFile(at: $0) == true
        && SharedCache.begins(SymbolFileKind.start(ofFileAt: $0, count: 16))
    }
    self.init(path: part ?? path, kind: part == nil ? .noSymbolFiles : .partOfSharedCache)
  }
}

extension SymbolFileHeader {
  fileprivate var isLibrary: Bool {
    switch fileType {
    case .dynamicLibrary, .dynamicLinker, .bundle, .executable: identity != nil
    default: false
    }
  }
}
