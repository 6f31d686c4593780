package import ReportSymbolication
import SymbolicationModel
import Wording

/// A signal handler, and what it calls: frames that stand above those of the crash.
package enum SignalHandler {
  /// The index of the innermost frame of what the outermost signal interrupted; 0 if no handler
  /// ran. If nothing is below the handler, because the text breaks off, it is that of the system's
  /// function that called it. A program that handles a signal often crashes again there.
  package static func end(_ frames: [ShownFrame]) -> Int {
    guard let index = frames.indices.last(where: { isTrampoline(at: $0, frames) }) else {
      return endOfSwiftServer(frames)
    }
    // A walk through the trampoline may give the names of Mono's handlers once more.
    let again = frames[(index + 1)...].prefix(3).lastIndex { frame in
      frame.function.map { $0.hasPrefix("mono_") && $0.hasSuffix("_signal_handler") } ?? false
    }
    let end = min((again ?? index) + 1, frames.count - 1)
    // A walk through the trampoline of Intel processors may give a frame that is none. The
    // allocator calls nothing, so no such frame is above its own.
    let isNone =
      end + 1 < frames.count && frames[end].function == nil
      && frames[end].imageName == unknownImageName && frames[end].address?.value != 0
      && frames[end + 1].imageFileName == allocator
    return isNone ? end + 1 : end
  }

  /// The number of frames if the handler itself got another signal, and the text ends before the
  /// frames that the first one interrupted; else 0. Between the two are only those of its clean-up:
  ///
  /// ```text
  /// 2  Board                     fatal_error_signal + 314
  /// 3  libsystem_platform.dylib  _sigtramp + 43
  /// 5  libsystem_c.dylib         abort + 155
  /// 6  Board                     shut_down + 98
  /// 7  Board                     fatal_error_signal + 254
  /// ```
  ///
  /// Source: sigaction(2); github.com/emacs-mirror/emacs, src/emacs.c
  /// (`terminate_due_to_signal`).
  package static func endOfCleanUp(_ frames: [ShownFrame]) -> Int {
    guard let index = frames.indices.last(where: { isTrampoline(at: $0, frames) }), index > 0,
      let handler = frames[index - 1].function
    else { return 0 }
    let isAgain = frames[(index + 1)...].prefix(32).contains { frame in
      frame.function == handler && frame.imageName == frames[index - 1].imageName
    }
    return isAgain ? frames.count : 0
  }

  package static let allocator = "libsystem_malloc.dylib"

  /// Whether a frame right below a handler has an address in the first page. It is that of no code:
  /// on Intel processors, the kernel leaves room for a return address of the trampoline and writes
  /// nothing there, and a walk by frame pointers takes what is there for a frame. It does not see
  /// the function that was interrupted if that called nothing, so the next frame is that function's
  /// caller, or the function itself.
  ///
  /// Source: github.com/apple-oss-distributions/xnu, bsd/dev/i386/unix_signal.c (`sendsig`).
  package static func isEmptySlot(at index: Int, _ frames: [ShownFrame]) -> Bool {
    guard index > 0, let address = frames[index].address?.value, address < 4096,
      frames[index].imageName == unknownImageName
    else { return false }
    return (max(0, index - 4)..<index).contains { isTrampoline(at: $0, frames) }
  }

  /// By its name; without one by its image: libsystem_platform calls nothing outside the C library
  /// but signal handlers.
  package static func isTrampoline(at index: Int, _ frames: [ShownFrame]) -> Bool {
    if let name = frames[index].function {
      // Hardly any function begins with these letters.
      switch name.utf8.first {
      case UInt8(ascii: "_"), UInt8(ascii: "s"), UInt8(ascii: "S"): break
      default: return false
      }
      return names.contains(name.hasSuffix("()") ? String(name.dropLast(2)) : name)
        || isOfLlvm(at: index, frames)
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

  /// The same for the handler of the package swift-backtrace. The system's function that calls
  /// handlers stands below it, and has no name in these traces.
  ///
  /// Source: github.com/swift-server/swift-backtrace, Sources/Backtrace/Backtrace.swift.
  private static func endOfSwiftServer(_ frames: [ShownFrame]) -> Int {
    let own = frames.prefix(4).lastIndex { frame in
      guard let name = frame.function else { return false }
      // Hardly any function begins with these characters.
      switch name.utf8.first {
      case UInt8(ascii: "B"), UInt8(ascii: "c"), UInt8(ascii: "@"): break
      default: return false
      }
      return swiftServerStarts.contains { name.hasPrefixBytes($0) }
        || name.hasPrefixBytes("@objc ") && name.hasBytes(of: " in static Backtrace.Backtrace.")
    }
    guard let own else { return 0 }
    let end = own + 1 < frames.count && frames[own + 1].function == nil ? own + 2 : own + 1
    return min(end, frames.count - 1)
  }

  package static func isOfSwiftServer(_ frames: [ShownFrame]) -> Bool {
    endOfSwiftServer(frames) > 0
  }

  private static let swiftServerStarts = [
    "Backtrace.(printBacktrace in ", "Backtrace.printBacktrace(",
    "closure #1 (Swift.Int32) -> () in static Backtrace.Backtrace.",
  ]

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
