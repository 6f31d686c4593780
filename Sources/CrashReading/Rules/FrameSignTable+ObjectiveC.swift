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
    // The functions between have no names where the system hides those.
    FrameSign(
      .objectiveCRuntime,
      "fatal error of the Objective-C runtime: a weak reference to an object that is being deallocated",
      "objc_initWeak", "objc_storeWeak", beside: "abort_with_reason",
      elsewhere: "the class of the object is initialized first, by code of its own"),
  ]
}

extension FrameSignTable {
  /// On Apple's processors it looks whether the thread got the right that it asked for, and traps
  /// if not.
  ///
  /// Source: pthread_jit_write_protect_np(3); developer.apple.com/documentation/apple-silicon/
  /// porting-just-in-time-compilers-to-apple-silicon; apple-oss-distributions/libpthread,
  /// src/pthread.c.
  static let runtimeCode = FrameSign(
    .memoryProtection,
    "pthread_jit_write_protect_np() may not make code that is made at run time (MAP_JIT) writable: the entitlement com.apple.security.cs.allow-jit is missing, most likely",
    "pthread_jit_write_protect_np", reach: .innermost, condition: .trap,
    elsewhere: "a list of callbacks, which the program froze, forbids it too")
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

/// The function of Swift's runtime that could not do what it was called for.
///
/// Source: github.com/swiftlang/swift, stdlib/public/runtime/Errors.cpp (`swift::fatalError`).
enum SwiftRuntimeCaller {
  /// ` in swift_getTypeByMangledName`; nil if other code gave up, or the name is not in the text.
  static func name(_ callers: FrameSign.Callers) -> String? {
    let caller = zip(callers.frames, callers.names).prefix(4).first { _, name in
      name?.readable.hasPrefix("swift::fatalError") != true
    }
    guard let caller, caller.0.imageFileName.hasPrefix("libswift"), let word = caller.1?.lastWord,
      word.hasPrefix("swift") || word.hasPrefix("_swift"), word.utf8.count < 120
    else { return nil }
    return " in \(word)"
  }
}
