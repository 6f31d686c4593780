import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

// Where the stack of the crash begins below frames of a runtime: an allocator, V8, Mono, Go, Rust
// and Kotlin.

/// The functions with which programs ask for memory and give it back. Programs may bring their own:
/// what they call is the allocator, too, whoever wrote it, and touches nothing but the heap. So who
/// called them is nearer to a bad access there than any function above.
///
/// Source: ISO C++, [replacement.functions]; ISO C, "Memory management functions"; rust-lang/rust,
/// library/alloc/src/alloc.rs.
package enum AllocatorCall {
  /// The index of the outermost of these functions among the innermost frames: one of the program's
  /// own, or one of the system's that called nothing but the system. Nil if there is none, or
  /// nothing called it.
  package static func index(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int? {
    var isOfSystem = true
    return last(frames) { frame in
      if owners.owner(of: frame) != .system { isOfSystem = false }
      return isOfSystem || owners.owner(of: frame) != .system
    }
  }

  /// The index of the frame that called an allocator of the program's; 0 if it did not happen
  /// there. Names of the system's frames decide nothing. Who asks for memory may get an exception,
  /// and what throws it says so.
  package static func end(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    let index = last(frames) { frame in
      owners.owner(of: frame) != .system
        && (owners.isOfMemoryFault || name(of: frame).map { takesBlock($0) } == true)
    }
    return index.map { $0 + 1 } ?? 0
  }

  /// - Parameter counts: whether a frame may be such a call; asked innermost first.
  private static func last(_ frames: [ShownFrame], _ counts: (ShownFrame) -> Bool) -> Int? {
    let start = SignalHandler.end(frames)
    var found: Int?
    for index in start..<max(start, min(frames.count - 1, start + 12))
    where counts(frames[index]) && name(of: frames[index]) != nil {
      found = index
    }
    return found
  }

  /// `operator delete` of `operator delete(void*)`, and any function of the system's allocator:
  /// compilers make a jump of its last call. Nil for other functions.
  package static func name(of frame: ShownFrame) -> Substring? {
    guard let words = frame.ownWords else { return nil }
    if frame.imageFileName == SignalHandler.allocator { return words.readable[...] }
    // Hardly any function begins with these letters.
    guard "ofmcr_".utf8.contains(words.first) else { return nil }
    let name = words.readable.prefix { $0 != "(" }
    return taking.contains(name) || giving.contains(name) ? name : nil
  }

  /// Whether a function of these gets a block of memory: not only the heap may be bad then, but the
  /// pointer.
  package static func takesBlock(_ name: Substring) -> Bool {
    taking.contains(name)
      || !giving.contains(name) && ["free", "realloc", "size"].contains { name.contains($0) }
  }

  private static let taking: Set<Substring> = [
    "operator delete", "operator delete[]", "free", "realloc", "cfree", "__rust_dealloc",
    "__rust_realloc",
  ]
  private static let giving: Set<Substring> = [
    "operator new", "operator new[]", "malloc", "calloc", "__rust_alloc", "__rust_alloc_zeroed",
  ]
}

/// V8 gives up for lack of memory. What it calls then belongs to the embedder, or has the name of a
/// neighbour, as programs without symbols have only exported ones.
///
/// Source: github.com/v8/v8, src/api/api.cc and src/heap/heap.cc; github.com/nodejs/node,
/// src/node_errors.cc.
package enum FatalMemory {
  /// The index of the frame that asked for memory; 0 if V8 did not give up, or nothing is below.
  package static func end(_ frames: [ShownFrame]) -> Int {
    let last = frames.prefix(24).lastIndex { frame in
      frame.ownFunction.map { name in
        name.hasPrefixBytes("v8::") && name.hasBytes(of: "FatalProcessOutOfMemory")
      } ?? false
    }
    return last.flatMap { $0 + 1 < frames.count ? $0 + 1 : nil } ?? 0
  }
}

/// An add-on of Node.js ends the process for an error of its own.
///
/// Source: github.com/nodejs/node, src/node_api.cc (`napi_fatal_error`); nodejs/node-addon-api,
/// napi-inl.h (`Napi::Error::Fatal`).
enum NodeAddon {
  /// The index of the frame that wanted the end; 0 if no add-on did, or nothing is below.
  static func end(_ frames: [ShownFrame]) -> Int {
    let isEnd = { (frame: ShownFrame) in
      frame.ownFunction.map { name in
        name.hasPrefixBytes("napi_fatal_error") || name.hasPrefixBytes("Napi::Error::Fatal(")
      } ?? false
    }
    guard let first = frames.prefix(24).firstIndex(where: isEnd),
      let end = frames[first...].firstIndex(where: { !isEnd($0) })
    else { return 0 }
    return end
  }
}

/// Mono's handler of signals in native code prints its own frames, too, above those of the crash.
///
/// Source: github.com/mono/mono, mono/mini/mini-exceptions.c and mini-posix.c.
package enum MonoHandler {
  /// The index of the first frame below the handler; the number of frames if a text ends before it,
  /// maybe within a name, and 0 if the handler is not innermost.
  package static func end(_ frames: [ShownFrame]) -> Int {
    guard let first = frames.first, isHandler(first) else { return 0 }
    let end = frames.firstIndex { !isHandler($0) } ?? frames.count
    let isCut =
      end == frames.count - 1
      && frames[end].function.map { name in
        name.utf8.count > 5 && starts.contains { $0.hasPrefix(name) }
      } == true
    return isCut ? frames.count : end
  }

  private static func isHandler(_ frame: ShownFrame) -> Bool {
    guard let name = frame.function, name.hasPrefixBytes("mono_") else { return false }
    return starts.contains { name.hasPrefixBytes($0) }
      || ["_signal_handler", "_signal_handler_debug"].contains { name.hasSuffix($0) }
  }

  private static let starts = [
    "mono_dump_native_crash_info", "mono_handle_native_crash", "mono_handle_native_sigsegv",
    "mono_post_native_crash_handler",
  ]
}

/// What gives up may run code that gives up in turn. Each such call on the stack is older than
/// those above it, and the oldest says what happened.
///
/// - A panic of Go runs deferred functions, which may recover from it, clean up and panic again, as
///   the event loops of programs for terminals do. The words of the oldest stand first, too
///   (`panic: … [recovered]`).
/// - Python flushes its files before it ends the process, in the interpreter that failed.
///
/// Not `std::terminate()`, which is in the system: its names depend on who wrote the report.
///
/// Source: github.com/golang/go, src/runtime/panic.go (`printpanics`); github.com/python/cpython,
/// Python/pylifecycle.c (`fatal_error`, `flush_std_files`).
package enum RepeatedPanic {
  /// The index of the frame that called the oldest panic; 0 if nothing panicked, or nothing but the
  /// runtime is below it.
  package static func end(_ frames: [ShownFrame]) -> Int {
    guard let last = frames.lastIndex(where: isEnd),
      frames[last].function == "runtime.gopanic" || frames[..<last].contains(where: isEnd),
      frames[(last + 1)...].contains(where: { $0.function?.hasPrefix("runtime.") == false })
    else { return 0 }
    return last + 1
  }

  private static func isEnd(_ frame: ShownFrame) -> Bool {
    guard let name = frame.function else { return false }
    // The lengths rule most names out.
    return switch name.utf8.count {
    case 13: name == "Py_FatalError"
    case 15: name == "runtime.gopanic"
    case 18: name == "_Py_FatalErrorFunc"
    default: false
    }
  }
}

/// Rust calls the program's hook for a panic before it ends the process or unwinds. A hook that
/// writes a report, as those of the crates `human-panic` and `sentry` do, has its own frames above
/// those of the panic.
///
/// Source: github.com/rust-lang/rust, library/std/src/panicking.rs (`rust_panic_with_hook`).
package enum RustPanicHook {
  /// The index of the frame below those of the library that called the hook; 0 if none did.
  package static func end(_ frames: [ShownFrame]) -> Int {
    guard var end = callerIndex(frames) else { return isCutInHook(frames) ? frames.count : 0 }
    // The text may end within a name: `std:`.
    while end < frames.count, frames[end].traits?.readable.hasPrefixBytes("std:") == true {
      end += 1
    }
    return end
  }

  /// The index of the function of the library that called the hook; 0 if none did.
  package static func caller(_ frames: [ShownFrame]) -> Int { callerIndex(frames) ?? 0 }

  private static func callerIndex(_ frames: [ShownFrame]) -> Int? {
    frames.prefix(40).lastIndex { frame in
      frame.traits.map { traits in
        "srp".utf8.contains(traits.words.first) && callers.contains(traits.readable.withoutHash)
      } ?? false
    }
  }

  /// Whether the text ends before who called the hook: the innermost function shows the stack of a
  /// panic (`deck::errors::Panic::show_backtrace`), and none is a part of one.
  private static func isCutInHook(_ frames: [ShownFrame]) -> Bool {
    guard let name = frames.first?.traits?.readable, name.hasBytes(of: "anic"),
      name.hasBytes(of: "acktrace"), name.hasBytes(of: "::")
    else { return false }
    return !frames.contains { frame in
      frame.traits.map {
        $0.readable.hasBytes(of: "panicking::") || $0.readable.hasBytes(of: "rust_begin_unwind")
      } ?? false
    }
  }

  private static let callers: Set<Substring> = [
    "std::panicking::rust_panic_with_hook", "rust_panic_with_hook",
    // Without the prefix since 2025.
    "std::panicking::panic_with_hook", "panic_with_hook",
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
package enum KotlinThrowable {
  /// The index of the frame that made the exception; 0 if the stack is none of an exception.
  package static func end(_ frames: [ShownFrame]) -> Int { last(frames).map { $0.index + 1 } ?? 0 }

  /// The class of the exception: `kotlin.IllegalStateException`.
  package static func type(_ frames: [ShownFrame]) -> String? { last(frames)?.type }

  /// The outermost of the constructors. Nothing may be below it in a text that is cut off.
  private static func last(_ frames: [ShownFrame]) -> (index: Int, type: String)? {
    guard
      let start = frames.prefix(4).firstIndex(where: { type(madeIn: $0) == "kotlin.Throwable" })
        ?? (frames.first.map(isNamedByTool) == true ? 0 : nil),
      let made = type(madeIn: frames[start])
    else { return nil }
    var found = (index: start, type: made)
    for index in start + 1..<max(start + 1, min(frames.count, start + 16)) {
      guard let type = type(madeIn: frames[index]),
        isException(type) || type.hasPrefix(found.type)
      else { break }
      found = (index, type)
    }
    return found
  }

  private static func type(madeIn frame: ShownFrame) -> String? {
    guard let name = frame.ownFunction, name.hasBytes(of: "<init>") else { return nil }
    if name.hasPrefixBytes(Self.mark), name.hasSuffix(Self.constructor) {
      return String(name.dropFirst(Self.mark.utf8.count).dropLast(Self.constructor.utf8.count))
    }
    guard let end = name.firstRange(of: ".<init>(")?.lowerBound
    else { return nil }
    // Until Kotlin 1.4 the names of the compiler had no `#`.
    return String(
      name[..<end].dropFirst(name.hasPrefixBytes(Self.mark) ? Self.mark.utf8.count : 0))
  }

  /// Whether the innermost frame is the constructor of an exception, as a tool writes it that
  /// leaves out the parameters, and may leave out the classes of the standard library.
  private static func isNamedByTool(_ frame: ShownFrame) -> Bool {
    guard frame.function?.hasPrefixBytes(mark) == true, let type = type(madeIn: frame) else {
      return false
    }
    return isException(type)
  }

  private static let mark = "kfun:"
  private static let constructor = "#<init>"

  /// Other classes may make an exception while they are made.
  private static func isException(_ type: String) -> Bool {
    ["Exception", "Error", "Throwable"].contains { type.hasSuffix($0) }
  }
}

/// What stands at the ends of the stack of an exception of C++: functions that only throw, such as
/// `Glib::Error::throw_exception()`, above the one that failed, and a frame that the text cuts.
///
/// Source: gitlab.gnome.org/GNOME/glibmm, glib/glibmm/error.cc;
/// github.com/boostorg/throw_exception.
enum ThrowHelper {
  /// The index of the first frame below such functions; `start` if none is there, or nothing below.
  package static func end(_ frames: [ShownFrame], from start: Int, _ owners: CodeOwners) -> Int {
    guard owners.version != .first, !owners.isOfMemoryFault, start < frames.count else {
      return start
    }
    let first = start + (TerminateHandler.throwsException(frames[start]) ? 1 : 0)
    let end = frames[first...].firstIndex { $0.ownWords?.throwsOnly != true }
    return end.flatMap { $0 > first ? $0 : nil } ?? start
  }

  /// Whether the innermost function of a process that something ended, and no bad access, is a
  /// constructor: some exceptions keep the stack of where they were made
  /// (github.com/realm/realm-core, src/realm/util/backtrace.hpp).
  static func makesException(_ frame: ShownFrame, _ owners: CodeOwners) -> Bool {
    frame.index == 0 && !owners.isOfMemoryFault && !owners.isUnexplained
      && owners.version != .first && frame.ownWords?.isConstructor == true
  }

  /// Whether a frame is the last of a text that ends within its address: no image is below 4 GB if
  /// all others are above.
  ///
  /// Source: XNU, `__PAGEZERO` of programs of 64 bits.
  static func isCutInAddress(_ index: Int, _ frames: [ShownFrame]) -> Bool {
    guard index > 0, index + 1 == frames.count, frames[index].function == nil,
      let address = frames[index].address?.value, address >> 32 == 0
    else { return false }
    return frames[..<index].allSatisfy { $0.address.map { $0.value >> 32 != 0 } ?? false }
  }
}
