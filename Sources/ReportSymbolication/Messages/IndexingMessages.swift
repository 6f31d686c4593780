import AddressResolver
import SymbolStore
import SymbolicationModel
import SystemPackage

extension ImageIndexer.Failure {
  /// One sentence: why there is no index of `image`, and what to try.
  func message(for image: SymbolCandidate) -> String {
    switch self {
    case .symbolFile(let problem): problem.message
    case .noIdentity:
      "\(image.path) (\(image.architecture)) has neither UUID nor build-id by which the cache could find its index; with -o DIR it gets one there, under the file's name"
    case .debugMap:
      "no index for \(image.path) (\(image.architecture)): its debug information is in the object files that it was linked of, and lookups read it there; make a dSYM with dsymutil and index that"
    case .limit(let limit, let value):
      "no index for \(image.path) (\(image.architecture)): \(limit.message(value)); it is symbolicated without one"
    case .changedMeanwhile:
      "no index for \(image.path) (\(image.architecture)): the file was changed while it was read; try again"
    case .cannotCreate(let path, let errno): "cannot create \(path): \(Errno(rawValue: errno))"
    case .cannotWrite(let path, let errno): "cannot write \(path): \(Errno(rawValue: errno))"
    }
  }
}

extension ImageIndexer.Limit {
  fileprivate func message(_ value: UInt64) -> String {
    switch self {
    case .uuidSize:
      "its UUID or build-id has \(value) bytes, and the index format holds up to 20"
    case .functionSize:
      "the code or the lines and calls of a function of \(value) bytes do not fit into the index format's 32 bits"
    case .functionCount:
      "it has \(value) functions, and the index format holds less than 4294967296"
    case .sourceFileCount:
      "it has \(value) source files, and the index format holds less than 4294967296"
    case .stringTableSize:
      "its names take \(value) bytes, and the index format holds less than 4 GiB of them"
    case .fileSize:
      "a function's record would begin at byte \(value) of the index, and the format's offsets have 32 bits"
    }
  }
}
