import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// Where a crash happened: the innermost frame that is useful to the author of the code.
package struct CrashSite {
  package let frame: ShownFrame
  /// The library that the frame belongs to, if no frame belongs to the user's own code; nil for the
  /// user's own.
  package let library: String?

  /// The first frame of the user's own code that names a place somebody wrote.
  ///
  /// Compiler-generated code, thunks, merged and outlined code and the C++ standard library are
  /// skipped, both among the calls inlined at one address and from a frame to its caller. If no
  /// function up to the next frame of others has a place, the result is the first of them.
  ///
  /// - A frame whose line is unknown (no debug information, or no symbols at all) is not skipped: a
  ///   frame further out would be a different place.
  /// - A function with line 0 in a file that somebody wrote is not skipped either. The optimiser
  ///   merged its lines, but it is nearer to the crash than any caller with a line. A call inlined
  ///   into it counts only if it has a line.
  /// - A thunk that names a function of the user's (`@objc Board.draw()`) stands for it if the
  ///   function itself has no frame.
  /// - Frames of libraries are skipped like the system's. If the user's own code has no frame, or
  ///   only `main` and code that the compiler generated, the innermost frame of a library is the
  ///   place. A crash SDK is one only if it failed itself: if its frame is innermost.
  /// - Frames above a signal handler, or above the runtime that ends the process for an exception
  ///   that nobody caught, are the handler's. What failed is below it.
  ///
  /// - Parameter frames: the frames of a backtrace, innermost first.
  /// - Returns: nil if every frame belongs to the operating system.
  init?(among frames: [ShownFrame], _ owners: CodeOwners) {
    var withoutLine: ShownFrame?
    var skipped: ShownFrame?
    var ofLibrary: (frame: ShownFrame, title: String)?
    var ofHandler: (frame: ShownFrame, title: String)?
    var found: ShownFrame?
    let start = Self.start(frames, owners)
    let limit = RunLoop.start(frames[start...]) ?? frames.count
    let end = max(start, min(limit, Self.entryPoint(frames, owners) ?? frames.count))
    search: for frame in frames[start..<end] {
      switch owners.owner(of: frame) {
      case .user: break
      case .library(let title) where LibraryCode.isCrashHandler(title):
        // What threw is no handler of that exception.
        let isAtWork =
          frame.ownFunction != nil
          && (frame.traits?.machinery == nil || TerminateHandler.throwsException(frames[start]))
        if ofHandler == nil, frame.index == frames[start].index || isAtWork {
          ofHandler = (frame, title)
        }
        continue
      case .library(let title):
        // What stops the process says less about the place than what it was called by.
        let stops = { (frame: ShownFrame) in frame.traits?.machinery != nil }
        if ofLibrary.map({ stops($0.frame) && !stops(frame) }) ?? true {
          ofLibrary = (frame, title)
        }
        if withoutLine != nil { break search }
        continue
      case .system:
        if withoutLine != nil { break search }
        if let thunk = skipped, thunk.wrapsFunction {
          withoutLine = thunk
          break search
        }
        continue
      }
      // A name that is another function's makes nothing of it.
      let isMisnamed = owners.version != .first && frame.isFarFromNamedFunction
      switch (isMisnamed ? .user : frame.authorship, frame.lineKnowledge) {
      case (.trap, _): break
      case (.toolchain, _):
        if skipped?.wrapsFunction != true {
          skipped = frame.wrapsFunction ? frame : skipped ?? frame
        }
      case (.user, .line):
        found = frame
        break search
      case (.user, .unknown) where ofLibrary != nil && frame.isCutInName:
        skipped = skipped ?? frame
      // Generic code of Swift's standard library is compiled into the program that uses it.
      case (.user, .unknown)
      where owners.version != .first
        && frame.traits?.machinery?.title == FrameMachinery.swiftRuntimeTitle:
        skipped = skipped ?? frame
      case (.user, .unknown):
        found = withoutLine ?? frame
        break search
      case (.user, .zero) where !frame.isInlined:
        found = withoutLine ?? frame
        break search
      // Linkers fold equal code that the compiler generated, so its name may be that of another
      // function. A library nearer to the crash says more.
      case (.user, .none) where ofLibrary != nil: skipped = skipped ?? frame
      case (.user, .zero), (.user, .none): withoutLine = withoutLine ?? frame
      }
    }
    if let frame = found ?? withoutLine ?? (ofLibrary == nil ? skipped : nil),
      ofLibrary == nil && ofHandler == nil || frame.function == nil || !Self.isMain(frame),
      // A function far away from its name, in an image that is not known, is no place.
      ofLibrary == nil || frame.function == nil || frame.ownFunction != nil
        || frame.imageOffset != nil
    {
      self.frame = frame
      library = nil
    } else if let ofOthers = ofLibrary ?? ofHandler {
      frame = ofOthers.frame
      library = ofOthers.title
    } else {
      return nil
    }
  }

  /// The index of the first frame that can be the place: behind handlers, and behind functions that
  /// only end the process.
  static func start(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    max(
      SignalHandler.end(frames), TerminateHandler.end(frames, owners),
      TerminateHandler.endByNames(frames, owners), FatalHelper.end(frames, owners),
      owners.version == .first
        ? 0
        : max(
          FatalMemory.end(frames), KotlinThrowable.end(frames), RepeatedPanic.end(frames),
          RustPanicHook.end(frames)))
  }

  /// The index of the first frame that only starts the program: `main`, and what the compiler puts
  /// around it, if a framework runs the app. These frames are outermost for every event that the
  /// framework handles, so they say nothing about the crash. Nil if there are none.
  static func entryPoint(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int? {
    var index = frames.count
    var isStart = false
    while index > 0 {
      let frame = frames[index - 1]
      if isStart, runningLibraries.contains(frame.imageFileName), owners.version != .first {
        return index
      }
      let startsProgram =
        switch owners.owner(of: frame) {
        case .system: isOfLoader(frame)
        case .user: isMain(frame) || isOfLoader(frame)
        // A runtime that calls the app's own `main`.
        case .library: true
        }
      guard startsProgram else { break }
      if case .library = owners.owner(of: frame) {} else { isStart = true }
      index -= 1
    }
    guard isStart || owners.version == .first, index > 0 else { return nil }
    let runner = frames[index - 1]
    let name =
      owners.version == .first
      ? runner.image?.fileName ?? runner.imageName : runner.imageFileName
    // What runs the views that a program shows in others.
    let isViewService = owners.version != .first && name == "ViewBridge"
    return runningImages.contains(name) || isViewService ? index : nil
  }

  /// Whether this is `main`, its Swift equivalent (`static App.main()`, `static App.$main()`) or
  /// that of .NET (`Game_Application_Main_string__`). A nameless frame that calls a framework that
  /// runs apps most likely is.
  private static func isMain(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function else { return true }
    return function == "main" || function == "__debug_main_executable_dylib_entry_point"
      || mainEndings.contains { function.hasSuffix($0) }
      || managedMains.contains { function.hasBytes(of: $0) }
  }

  private static let mainEndings = [".main()", ".$main()", "_Main_string__"]
  private static let managedMains = [".Main(String[]", ".Main (System.String[]"]

  private static func isOfLoader(_ frame: ShownFrame) -> Bool {
    loaders.contains(frame.imageFileName) || frame.function == "start"
      || frame.function == nil && frame.imageName == unknownImageName
  }

  private static let loaders = ["dyld", "libdyld.dylib", "dyld_sim"]

  /// Images with a function that runs the program and never returns to `main`: `UIApplicationMain`,
  /// `xpc_main`, …; and the runtimes that call the app's code from their own `main`.
  private static let runningImages: Set = [
    "UIKit", "UIKitCore", "AppKit", "SwiftUI", "WatchKit", "ExtensionFoundation", "PlugInKit",
    "libxpc.dylib", "libhostfxr.dylib",
  ]

  /// Runtimes in which the whole app runs, and whose frames are its only ones.
  private static let runningLibraries: Set = ["Electron Framework", "nwjs Framework"]
}

extension ShownFrame {
  /// The function of this frame, readable; nil if the name that the report or the symbol file gives
  /// is that of another function.
  package var ownFunction: String? { ownWords?.readable }

  /// That name in the forms that rules compare.
  var ownWords: FunctionWords? {
    isNamedAfterNextFunction || isFarFromNamedFunction ? nil : traits?.words
  }

  /// Whether the compiler made it around one function that somebody wrote, whose name it has.
  fileprivate var wrapsFunction: Bool {
    guard let readable = traits?.readable, !readable.hasBytes(of: "thunk for ") else {
      return false
    }
    return Self.wrappings.contains { readable.hasPrefixBytes($0) }
  }

  private static let wrappings = [
    "@objc ", "@nonobjc ", "partial apply for ", "protocol witness for ", "vtable thunk for ",
    "dispatch thunk of ",
  ]
}

/// A signal handler, and what it calls: frames that stand above those of the crash.
enum SignalHandler {
  /// The index of the innermost frame of what the outermost signal interrupted; 0 if no handler
  /// ran. If nothing is below the handler, because the text breaks off, it is that of the system's
  /// function that called it. A program that handles a signal often crashes again there.
  static func end(_ frames: [ShownFrame]) -> Int {
    guard let index = frames.indices.last(where: { isTrampoline(at: $0, frames) }) else { return 0 }
    // A walk through the trampoline may give the names of Mono's handlers once more.
    let again = frames[(index + 1)...].prefix(3).lastIndex { frame in
      frame.function.map { $0.hasPrefix("mono_") && $0.hasSuffix("_signal_handler") } ?? false
    }
    return min((again ?? index) + 1, frames.count - 1)
  }

  /// By its name; without one by its image: libsystem_platform calls nothing outside the C library
  /// but signal handlers.
  static func isTrampoline(at index: Int, _ frames: [ShownFrame]) -> Bool {
    if let name = frames[index].function {
      return names.contains(name) || isOfLlvm(at: index, frames)
    }
    guard index > 0 else { return false }
    let image = frames[index].imageFileName
    if image == "libc.so.6" { return isOfLlvm(at: index - 1, frames) }
    guard image == "libsystem_platform.dylib" else { return false }
    let called = frames[index - 1].imageFileName
    return !["libsystem_", "libdispatch.", "libxpc.", "libdyld.", "dyld"].contains {
      called.hasPrefix($0)
    }
  }

  /// Whether it is the handler of LLVM's programs, such as compilers, that prints the stack.
  ///
  /// Source: github.com/llvm/llvm-project, llvm/lib/Support/Unix/Signals.inc.
  private static func isOfLlvm(at index: Int, _ frames: [ShownFrame]) -> Bool {
    index > 0 && frames[index].function?.hasPrefixBytes("SignalHandler(int") == true
      && frames[index - 1].function?.hasPrefixBytes("llvm::sys::RunSignalHandlers") == true
  }

  /// What the system calls handlers with, and what gdb shows for it.
  ///
  /// Source: github.com/apple-oss-distributions/libplatform, src/setjmp; glibc,
  /// sysdeps/unix/sysv/linux.
  private static let names = [
    "_sigtramp", "__sigtramp", "__restore_rt", "signal handler called",
  ]
}

/// The handler that the runtime calls for an exception that nobody caught, such as that of a crash
/// SDK: frames above those of the runtime, which end the process.
enum TerminateHandler {
  /// The index of the runtime's frame that called the handler, or of who asked the runtime to end
  /// the process; 0 if no handler ran.
  ///
  /// Of C++ only images count, because names depend on who wrote the report: libc++abi, and libobjc
  /// above it, call nothing of an app but such a handler.
  ///
  /// Source: github.com/llvm/llvm-project, libcxxabi/src/cxa_handlers.cpp;
  /// apple-oss-distributions/objc4, runtime/objc-exception.mm.
  static func end(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    let inner = frames.prefix(frameLimit)
    guard let handler = inner.firstIndex(where: { owners.owner(of: $0) != .system }), handler > 0,
      // Else the handler failed itself.
      inner[..<handler].allSatisfy({ frame in
        abortImages.contains(frame.imageFileName) || throwImages.contains(frame.imageFileName)
      })
    else { return 0 }
    // A hook of exceptions: `__exceptionPreprocess` calls it.
    if handler == 1, inner[0].imageFileName == "CoreFoundation", inner.count > 2,
      inner[2].imageFileName == "libobjc.A.dylib"
    {
      return 2
    }
    for index in inner[handler...].indices {
      if inner[index].imageFileName == "libc++abi.dylib" { return index }
      if index + 1 < frames.count, inner[index].function.map(isFatalMessage) == true {
        return index + 1
      }
      if index + 1 < frames.count, inner[index].function.map(isLogOfMono) == true {
        let caller = frames[index...].firstIndex { $0.function.map(isLogOfMono) != true }
        return caller ?? index + 1
      }
    }
    return 0
  }

  /// The index of the function that threw, or of the lowest one that reports an exception which
  /// nobody caught. What is above it ends the process, whoever wrote it: hooks of exceptions, and
  /// methods that somebody put in the place of AppKit's.
  static func endByNames(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    // A bad access while something is thrown is a crash of its own.
    guard !owners.isOfMemoryFault else { return 0 }
    var reporter: Int?
    for (index, frame) in frames.prefix(40).enumerated() {
      guard let words = frame.traits?.words else { continue }
      if throwersAndReporters.contains(words.lastWord) {
        if throwers.contains(words.lastWord) { return index }
        reporter = index
      } else if words.first == UInt8(ascii: "-") || words.first == UInt8(ascii: "+"),
        appKitReporters.contains(words.readable)
      {
        reporter = index
      }
    }
    guard var end = reporter else { return 0 }
    // A method in the place of AppKit's calls that.
    while end + 1 < frames.count, let function = frames[end + 1].traits?.readable,
      function.hasBytes(of: "eportException") || function.hasBytes(of: "crashOnException")
    {
      end += 1
    }
    return end == reporter ? end : end + 1
  }

  /// Whether the runtime ended the process for an exception that was thrown nobody knows where: its
  /// frames of libc++abi are above all others, and those of Objective-C do not throw. Only images
  /// count, so that symbols of the system change nothing.
  static func isUnknown(_ frames: [ShownFrame]) -> Bool {
    let inner = frames.prefix(frameLimit)
    guard let last = inner.lastIndex(where: { $0.imageFileName == "libc++abi.dylib" }),
      inner[...last].allSatisfy({
        abortImages.contains($0.imageFileName) || $0.imageFileName == "libobjc.A.dylib"
          || $0.imageFileName == "libc++abi.dylib"
      })
    else { return false }
    return last + 1 == frames.count || frames[last + 1].imageFileName != "libobjc.A.dylib"
  }

  static func throwsException(_ frame: ShownFrame) -> Bool {
    frame.traits.map { throwers.contains($0.words.lastWord) } ?? false
  }

  static func reportsException(_ frame: ShownFrame) -> Bool {
    frame.traits.map { reporters.contains($0.words.lastWord) } ?? false
  }

  private static let throwers: Set = [
    "objc_exception_throw", "__cxa_throw", "objc_exception_rethrow", "__cxa_rethrow",
  ]
  private static let reporters: Set = [
    "_objc_terminate", "std::__terminate", "std::terminate", "__handleUncaughtException",
    "uncaughtErrorProc", "NSApplicationUncaughtExceptionHandler",
  ]
  private static let throwersAndReporters = throwers.union(reporters)
  private static let appKitReporters: Set = [
    "-[NSApplication _crashOnException:]", "+[NSApplication _crashOnException:]",
    "-[NSApplication reportException:]",
  ]

  /// Qt passes a fatal message to the app's own handler, which may end the process itself.
  /// Flutter's engine ends it when a fatal message is complete. Mono passes its message about an
  /// unhandled exception to a function of the program's, such as Xamarin's `log_callback()`.
  ///
  /// Source: Qt, qtbase/src/corelib/global/qlogging.cpp (`qInstallMessageHandler`);
  /// github.com/flutter/flutter, engine/src/flutter/fml/logging.cc; github.com/dotnet/runtime,
  /// src/mono/mono/metadata/object.c; github.com/dotnet/macios, runtime/runtime.m.
  private static func isFatalMessage(_ function: String) -> Bool {
    [
      "QMessageLogger::fatal(", "qFatal(", "fml::LogMessage::~LogMessage(", "_Py_FatalError",
      "Py_FatalError", "mono_unhandled_exception",
    ].contains { function.hasPrefix($0) }
  }

  /// Mono passes a message that it logs to a function of the program's, such as Xamarin's
  /// `log_callback()`, which ends the process if the message is fatal. Failed checks are messages,
  /// too.
  ///
  /// Source: github.com/dotnet/runtime, src/mono/mono/eglib/goutput.c; github.com/dotnet/macios,
  /// runtime/runtime.m (`log_callback`).
  private static func isLogOfMono(_ function: String) -> Bool {
    ["monoeg_g_log", "monoeg_assertion_message", "mono_assertion_message"].contains {
      function.hasPrefix($0)
    }
  }

  static let abortImages: Set = [
    "libsystem_kernel.dylib", "libsystem_pthread.dylib", "libsystem_c.dylib",
    "libsystem_sim_c.dylib",
  ]

  /// What reports an exception that nobody caught.
  private static let throwImages: Set = ["AppKit", "CoreFoundation", "libobjc.A.dylib"]

  private static let frameLimit = 24
}

/// What calls out for events, timers and blocks. Whoever started it, further out, is no place of
/// what they do.
///
/// Source: CoreFoundation, CFRunLoop.c; Qt, qtbase/src/corelib/kernel/qeventloop.cpp and
/// src/plugins/platforms/cocoa/qcocoaeventdispatcher.mm.
enum RunLoop {
  /// The index of the innermost frame of a run loop that called something; nil if there is none, or
  /// if it only waits.
  static func start(_ frames: ArraySlice<ShownFrame>) -> Int? {
    let index = frames.firstIndex { frame in
      frame.function.map { name in
        firstBytes.contains(name.utf8.first ?? 0)
          && runners.contains { name.hasPrefixBytes($0) }
      } ?? false
    }
    guard let index, index > frames.startIndex,
      frames[index - 1].function.map({ waits.contains($0) }) != true
    else { return nil }
    return index
  }

  private static let runners = [
    "__CFRunLoopRun", "CFRunLoopRun", "_CFRunLoopRun", "-[NSRunLoop(NSRunLoop) run",
    "-[NSRunLoop run", "-[NSApplication run]", "QEventLoop::exec(", "QEventLoop::processEvents(",
    "QCocoaEventDispatcher::processEvents(",
  ]
  /// They rule most names out.
  private static let firstBytes = runners.compactMap(\.utf8.first)
  private static let waits: Set = ["__CFRunLoopServiceMachPort", "mach_msg", "mach_msg_trap"]
}

/// V8 gives up for lack of memory. What it calls then belongs to the embedder, or has the name of a
/// neighbour, as programs without symbols have only exported ones.
///
/// Source: github.com/v8/v8, src/api/api.cc and src/heap/heap.cc; github.com/nodejs/node,
/// src/node_errors.cc.
enum FatalMemory {
  /// The index of the frame that asked for memory; 0 if V8 did not give up, or nothing is below.
  static func end(_ frames: [ShownFrame]) -> Int {
    let last = frames.prefix(24).lastIndex { frame in
      frame.ownFunction.map { name in
        name.hasBytes(of: "FatalProcessOutOfMemory") && name.hasPrefix("v8::")
      } ?? false
    }
    return last.flatMap { $0 + 1 < frames.count ? $0 + 1 : nil } ?? 0
  }
}

/// A panic of Go runs deferred functions, which may recover from it, clean up and panic again, as
/// the event loops of programs for terminals do. Each `panic` on the stack is an older one, and the
/// oldest says what happened: its words stand first, too (`panic: … [recovered]`).
///
/// Source: github.com/golang/go, src/runtime/panic.go (`printpanics`).
enum RepeatedPanic {
  /// The index of the frame that called the oldest panic; 0 if nothing panicked, or nothing but the
  /// runtime is below it.
  static func end(_ frames: [ShownFrame]) -> Int {
    guard let last = frames.lastIndex(where: { $0.function == "runtime.gopanic" }),
      frames[(last + 1)...].contains(where: { $0.function?.hasPrefix("runtime.") == false })
    else { return 0 }
    return last + 1
  }
}

/// Rust calls the program's hook for a panic before it ends the process or unwinds. A hook that
/// writes a report, as those of the crates `human-panic` and `sentry` do, has its own frames above
/// those of the panic.
///
/// Source: github.com/rust-lang/rust, library/std/src/panicking.rs (`rust_panic_with_hook`).
enum RustPanicHook {
  /// The index of the frame below those of the library that called the hook; 0 if none did.
  static func end(_ frames: [ShownFrame]) -> Int {
    let caller = frames.prefix(40).lastIndex { frame in
      frame.traits.map { callers.contains($0.readable.withoutHash) } ?? false
    }
    guard var end = caller else { return 0 }
    // The text may end within a name: `std:`.
    while end < frames.count, frames[end].traits?.readable.hasPrefixBytes("std:") == true {
      end += 1
    }
    return end
  }

  private static let callers: Set<Substring> = [
    "std::panicking::rust_panic_with_hook", "rust_panic_with_hook",
  ]
}

extension String {
  /// `std::panicking::rust_panic_with_hook` of that with `::h0a1b2c3d4e5f6071` behind it.
  fileprivate var withoutHash: Substring {
    hasBytes(of: "::h") && utf8.count > 19 ? dropLast(19) : self[...]
  }
}

/// The stack that an exception of Kotlin keeps is that of where it was made, and begins with the
/// constructors of its classes.
///
/// Source: github.com/JetBrains/kotlin, kotlin-native/runtime/src/main/kotlin/kotlin/Throwable.kt.
enum KotlinThrowable {
  /// The index of the frame that made the exception; 0 if the stack is none of an exception.
  static func end(_ frames: [ShownFrame]) -> Int { last(frames).map { $0.index + 1 } ?? 0 }

  /// The class of the exception: `kotlin.IllegalStateException`.
  static func type(_ frames: [ShownFrame]) -> String? { last(frames)?.type }

  /// The outermost of the constructors, if something is below it.
  private static func last(_ frames: [ShownFrame]) -> (index: Int, type: String)? {
    guard
      let start = frames.prefix(4).firstIndex(where: { type(madeIn: $0) == "kotlin.Throwable" })
    else { return nil }
    var found = (index: start, type: "kotlin.Throwable")
    for index in start + 1..<max(start + 1, min(frames.count - 1, start + 16)) {
      guard let type = type(madeIn: frames[index]), isException(type) else { break }
      found = (index, type)
    }
    return found.index + 1 < frames.count ? found : nil
  }

  private static func type(madeIn frame: ShownFrame) -> String? {
    guard let name = frame.ownFunction, name.hasBytes(of: ".<init>("),
      let end = name.firstRange(of: ".<init>(")?.lowerBound
    else { return nil }
    return String(name[..<end])
  }

  /// Other classes may make an exception while they are made.
  private static func isException(_ type: String) -> Bool {
    ["Exception", "Error", "Throwable"].contains { type.hasSuffix($0) }
  }
}

/// Functions of programs that do nothing but end the process, as `ggml_abort()`,
/// `av_assert0_fail()` and the `terminate_due_to_signal()` of Emacs: who called them is the place.
/// Methods of Objective-C, such as `-[Player abort]`, mostly do more.
enum FatalHelper {
  /// The index of the frame that called such a function, which called `abort()`; 0 if none did.
  static func end(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    var index = 0
    while index < frames.count, TerminateHandler.abortImages.contains(frames[index].imageFileName) {
      index += 1
    }
    guard index > 0 else { return 0 }
    let first = index
    while index < frames.count, owners.owner(of: frames[index]) == .user,
      frames[index].ownWords.map(isFatal) == true
    {
      index += 1
    }
    guard index > first, index < frames.count else { return 0 }
    return owners.owner(of: frames[index]) == .user ? index : 0
  }

  /// Whether a word in the name of a function says that it ends the process.
  static func isFatal(_ function: FunctionWords) -> Bool {
    guard !function.readable.hasPrefix("-["), !function.readable.hasPrefix("+[") else {
      return false
    }
    var words: [String] = []
    var word = ""
    for character in function.lastWord {
      if character.isUppercase || !character.isLetter {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
    }
    words.append(word)
    return words.contains { fatalWords.contains($0) }
      || words.contains("signal") && words.contains { $0 == "handler" || $0 == "handle" }
  }

  private static let fatalWords: Set = [
    "abort", "fatal", "panic", "assert", "assertion", "bug", "die", "fail", "failed", "failure",
    "terminate",
  ]
}
