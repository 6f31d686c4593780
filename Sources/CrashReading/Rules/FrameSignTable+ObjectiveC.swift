import FunctionNames
import ReportSymbolication

extension FrameSignTable {
  /// What the Objective-C runtime ends a process with. Swift's runtime calls it, as in its checks
  /// of actors, so its frames are nearer to the end than theirs.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-errors.mm; of Mac OS X 10.6 and
  /// earlier runtime/objc-errors.m, and runtime/objc-class.m for `_freedHandler()`.
  static let objectiveCRuntime = [
    // Its words are only in the system's log. `_objc_fatal()` calls `_objc_trap()`, too.
    FrameSign(
      .objectiveCRuntime,
      "fatal error of the Objective-C runtime about an object, such as a message to one that was freed",
      "__objc_error", "_objc_error"),
    FrameSign(
      .objectiveCRuntime, "fatal error of the Objective-C runtime", "_objc_fatal", "_objc_fatalv",
      detail: FatalObjectiveC.detail),
  ]
}

/// What the functions that call `_objc_fatal()` complain about.
///
/// Source: github.com/apple-oss-distributions/objc4, runtime/objc-runtime-new.mm (`Attempt to use
/// unknown class`, `Memory corruption in class list`), objc-cache.mm (`Method cache corrupted`),
/// objc-weak.mm (`Cannot form weak reference to instance`), objc-initialize.mm (`+initialize may
/// have been in progress in another thread when fork() was called`), NSObject.mm (`autorelease pool
/// page corrupted`, `Invalid autorelease pools are a fatal error`).
enum FatalObjectiveC {
  /// - Parameter callers: of the outermost frame of `_objc_fatal()` or a function it calls.
  static func detail(_ callers: FrameSign.Callers) -> String? {
    for case let name? in callers.names.prefix(4) {
      let word = name.lastWord.split(separator: ":").last ?? ""
      if ["_objc_fatal", "_objc_fatalv"].contains(word) { continue }
      return complaints.first { $0.functions.contains { word.hasPrefix($0) } }?.words
    }
    return nil
  }

  private static let complaints: [(functions: [String], words: String)] = [
    (
      ["lookUpImpOrForward", "lookUpImpOrNil", "checkIsKnownClass"],
      ": a message to an object with an unknown or damaged class, as after it was freed or overwritten"
    ),
    (
      ["bad_cache"],
      ": a damaged cache of methods, as after a message to a freed object or an overwrite"
    ),
    (
      ["weak_register_no_lock"],
      ": a weak reference to an object that is being deallocated"
    ),
    (
      ["performForkChildInitialize"],
      ": +initialize may have been running in another thread at fork()"
    ),
    (["busted", "badPop"], ": a damaged autorelease pool, or one that was emptied twice"),
  ]
}

/// What Core Data throws if it is asked for objects and has no store to take them from.
///
/// Source: the names are those of the methods of NSPersistentStoreCoordinator in Core Data's
/// class-dumps (github.com/nst/iOS-Runtime-Headers). With the reason of the exception, `This
/// NSPersistentStoreCoordinator has no persistent stores (corrupt file). It cannot perform a save
/// operation.`, they are in issues on github.com: the-blue-alliance/the-blue-alliance-ios 875,
/// residentsummer/watoi 58, matomo-org/matomo-sdk-ios 85.
enum CoreDataStores {
  /// `Core Data has no persistent stores (disk full)`; nil if the function is another one.
  static func reason(_ function: String) -> String? {
    let words = "Core Data has no persistent stores, because none was opened before"
    guard function.hasPrefix("-[NSPersistentStoreCoordinator ") else { return nil }
    guard let start = function.firstRange(of: neverOpened)?.upperBound else {
      return function.hasSuffix(" _introspectLastErrorAndThrow]") ? words : nil
    }
    let detail = details.first { function[start...].hasPrefix($0.end) }
    return detail.map { "\(words) (\($0.words))" } ?? words
  }

  private static let neverOpened = " _coordinator_you_never_successfully_opened_the_database_"

  private static let details = [
    (end: "corrupted:", words: "corrupt file"), (end: "disk_full:", words: "disk full"),
    (end: "schema_mismatch:", words: "schema mismatch or migration failure"),
    (end: "device_locked:", words: "device locked"), (end: "io_error:", words: "I/O error"),
    (end: "missing_directory:", words: "missing directory"),
  ]
}

/// What the compiler makes to copy or destroy what a block uses, and which throws nothing. Blocks
/// of the system have no exported names, so a frame that throws under such a name is one of them.
///
/// Source: github.com/llvm/llvm-project, clang, lib/CodeGen/CGBlocks.cpp.
enum BlockHelpers {
  static func isHelper(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function, function.hasPrefix("_") else { return false }
    let name = function.drop { $0 == "_" }
    return names.contains { name.hasPrefix($0) }
  }

  /// Who waits for a block of its own, the frame with an index.
  static func caller(of index: Int, _ frames: [ShownFrame]) -> ShownFrame? {
    frames[(index + 1)...].prefix(6).first { frame in
      frame.imageFileName == frames[index].imageFileName && frame.traits?.machinery == nil
        && frame.function != nil
    }
  }

  private static let names = [
    "copy_helper_block_", "destroy_helper_block_", "Block_byref_object_",
  ]
}
