import FunctionNames
package import ReportSymbolication
import Wording

/// The handler that the runtime calls for an exception that nobody caught, such as that of a crash
/// SDK: frames above those of the runtime, which end the process.
package enum TerminateHandler {
  /// The index of the runtime's frame that called the handler, or of who asked the runtime to end
  /// the process; 0 if no handler ran.
  ///
  /// Of C++ only images count, because names depend on who wrote the report: libc++abi, and libobjc
  /// above it, call nothing of an app but such a handler.
  ///
  /// Source: github.com/llvm/llvm-project, libcxxabi/src/cxa_handlers.cpp;
  /// apple-oss-distributions/objc4, runtime/objc-exception.mm.
  package static func end(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
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
      if firstBytes.utf8.contains(words.wordFirst), throwersAndReporters.contains(words.lastWord) {
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
  package static func isUnknown(_ frames: [ShownFrame]) -> Bool {
    let inner = frames.prefix(frameLimit)
    guard let last = inner.lastIndex(where: { $0.imageFileName == "libc++abi.dylib" }),
      inner[...last].allSatisfy({
        abortImages.contains($0.imageFileName) || $0.imageFileName == "libobjc.A.dylib"
          || $0.imageFileName == "libc++abi.dylib"
      })
    else { return false }
    return last + 1 == frames.count || frames[last + 1].imageFileName != "libobjc.A.dylib"
  }

  package static func throwsException(_ frame: ShownFrame) -> Bool {
    frame.traits.map { throwers.contains($0.words.lastWord) } ?? false
  }

  package static func reportsException(_ frame: ShownFrame) -> Bool {
    guard let words = frame.traits?.words, firstBytes.utf8.contains(words.wordFirst) else {
      return false
    }
    return reporters.contains(words.lastWord)
  }

  private static let throwers: Set = [
    "objc_exception_throw", "__cxa_throw", "objc_exception_rethrow", "__cxa_rethrow",
  ]
  private static let reporters: Set = [
    "_objc_terminate", "std::__terminate", "std::terminate", "__handleUncaughtException",
    "uncaughtErrorProc", "NSApplicationUncaughtExceptionHandler",
  ]
  static let throwersAndReporters = throwers.union(reporters)
  /// With which these begin. They rule most names out, and a text costs a start less than a set.
  static let firstBytes = "o_suN"
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

  package static let abortImages: Set = [
    "libsystem_kernel.dylib", "libsystem_pthread.dylib", "libsystem_c.dylib",
    "libsystem_sim_c.dylib",
  ]

  /// What reports an exception that nobody caught.
  private static let throwImages: Set = ["AppKit", "CoreFoundation", "libobjc.A.dylib"]

  private static let frameLimit = 24
}

/// Functions of programs that do nothing but end the process, as `ggml_abort()`,
/// `av_assert0_fail()` and the `terminate_due_to_signal()` of Emacs: who called them is the place.
/// Methods of Objective-C, such as `-[Player abort]`, mostly do more.
package enum FatalHelper {
  /// The index of the frame that called such a function, which called `abort()`; 0 if none did.
  package static func end(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    var index = 0
    while index < frames.count, TerminateHandler.abortImages.contains(frames[index].imageFileName) {
      index += 1
    }
    // A program that shows its own stack begins with who looked at it.
    if index == 0, let first = frames.first, owners.owner(of: first) == .user,
      first.ownWords?.showsStack == true
    {
      index = 1
    }
    guard index > 0 else { return 0 }
    let first = index
    while index < frames.count, owners.owner(of: frames[index]) == .user,
      frames[index].ownWords?.endsProcess == true
    {
      index += 1
    }
    guard index > first, index < frames.count, owners.owner(of: frames[index]) == .user else {
      return 0
    }
    let next = index + 1
    return frames[index].isNamedAfterNextFunction && next < frames.count
      && owners.owner(of: frames[next]) == .user ? next : index
  }
}
