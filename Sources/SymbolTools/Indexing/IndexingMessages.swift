import FileSystem
import AddressResolver
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import SystemPackage
import Wording

extension ImageIndexer.Failure {
  /// One sentence: why `image` gets no index, and what to try.
  func message(for image: SymbolCandidate) -> String {
    func noIndex(_ reason: String) -> String {
      "no index for \(image.path) (\(image.architecture)): \(reason)"
    }
    return switch self {
    case .symbolFile(let problem): problem.message
    case .noFunctions:
      noIndex("there is no function in what could be read of its debug information and symbols")
    case .noIdentity:
      noIndex("it has no UUID or build-id to find it by in the cache; use -o DIRECTORY")
    case .exposedCache(let path, let exposure):
      "cannot create indexes in \(path): \(exposure.reason)"
    case .debugMap:
      noIndex(
        "its debug information is in the object files it was linked from, where lookups read it; make a dSYM with dsymutil and index that"
      )
    case .limit(let limit, let value):
      noIndex("\(limit.message(value)); lookups read the file itself")
    case .changedMeanwhile: noIndex("the file changed while it was read; try again")
    case .cannotCreate(let path, let errno): "cannot create \(path): \(Errno(rawValue: errno))"
    case .cannotWrite(let path, let errno): "cannot write \(path): \(Errno(rawValue: errno))"
    }
  }
}

extension ImageIndexer.Limit {
  fileprivate func message(_ value: UInt64) -> String {
    switch self {
    case .uuidSize: "its UUID or build-id has \(value) bytes; an index holds at most 20"
    case .functionSize:
      "a function of \(value) bytes, or its lines and inlined calls, exceeds the 32 bits of the index format"
    case .functionCount: "it has \(value) functions; an index holds fewer than 4294967296"
    case .sourceFileCount: "it has \(value) source files; an index holds fewer than 4294967296"
    case .stringTableSize: "its names take \(value) bytes; an index holds less than 4 GiB of them"
    case .fileSize:
      "a function's record would begin at byte \(value) of the index, which exceeds the 32 bits of its offsets"
    }
  }
}

extension IndexRun {
  /// Two symbol files without identity have the same name, and so the same index.
  static func replacementMessage(index: String, newSource: String, oldSource: String) -> String {
    "\(index) is now the index of \(newSource), not of \(oldSource): they have the same name, and no UUID or build-id"
  }

  /// `removed` of the `written` indexes of a run are gone at its end.
  static func displacementMessage(removed: Int, written: Int) -> String {
    "\(removed) of these \(written) indexes had to make room for others, because the cache is too small for all of them; raise SYMBOLICATE_CACHE_LIMIT, or write them to a directory with -o"
  }
}

extension IndexCleaning {
  static func message(_ removal: IndexCache.Removal, from directory: String) -> String {
    let files = removal.fileCount == 1 ? "1 file" : "\(removal.fileCount) files"
    return "removed \(files), \(removal.byteCount) bytes, from \(directory)"
      .withoutControlCharacters
  }

  static func message(_ failure: IndexCache.Removal.Failure) -> String {
    "cannot remove \(failure.path): \(Errno(rawValue: failure.errno))".withoutControlCharacters
  }
}

extension NoCacheDirectory {
  package var message: String {
    "there is no directory for the cache: neither XDG_CACHE_HOME nor HOME is an absolute path; give a directory with -o"
  }
}

extension CacheLimit.Unreadable {
  package var message: String {
    "\(CacheLimit.variable) is '\(value)'; expected a number of bytes, such as 500M or 2G"
      .withoutControlCharacters
  }
}
