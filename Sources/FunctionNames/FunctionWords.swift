import SymbolicationModel
import Wording

/// A function's name in the forms that patterns of names are compared with.
package struct FunctionWords: Sendable {
  package let readable: String
  /// The last word before the parameters: `closure #1 in _assertionFailure(_:_:)` has
  /// `_assertionFailure`, as has `Swift._assertionFailure (Swift.StaticString) -> ()`.
  package let lastWord: String
  /// The first bytes of both; 0 if there is none.
  package let first: UInt8
  package let wordFirst: UInt8
  /// Which bytes the name has, a bit for each value of their low six bits.
  package let letters: UInt64

  /// - Parameter readable: demangled.
  package init(_ readable: String) {
    self.readable = readable
    letters = Self.letters(of: readable)
    let bytes = readable.utf8
    first = bytes.first ?? 0
    let inner = Self.functionStart(readable)
    var (begin, stop) = (inner, Self.stop(bytes[inner...]))
    let space = UInt8(ascii: " ")
    // `Swift.(_fatalErrorMessage in _8A2F6F9C) (Swift.StaticString) -> ()`, of a private function.
    if let open = stop, open > begin, bytes[open] == UInt8(ascii: "("),
      bytes[bytes.index(before: open)] == UInt8(ascii: "."),
      bytes[begin..<open].elementsEqual("Swift.".utf8)
        || readable.hasPrefixBytes("specialized Swift.(")
    {
      begin = bytes.index(after: open)
      stop = bytes[begin...].firstIndex(of: space)
    }
    let head = bytes[begin..<(stop ?? bytes.endIndex)]
    let last = head.lastIndex { $0 != space }
    var words = last.map { head[...$0] } ?? head.prefix(0)
    // `Swift.Array._checkIndex <A, B where A: Hashable> (A) -> B`, as Swift 1 and 2 wrote names.
    let isGeneric = stop != nil && words.last == UInt8(ascii: ">")
    if isGeneric, let open = words.firstIndex(of: UInt8(ascii: "<")), open > words.startIndex,
      words[words.index(before: open)] == space
    {
      words = words[..<words.index(before: open)]
    }
    var start = words.lastIndex(of: space).map { words.index(after: $0) } ?? words.startIndex
    // Names with all their modules.
    if words[start...].starts(with: "Swift.".utf8), let dot = words.lastIndex(of: UInt8(ascii: "."))
    {
      start = words.index(after: dot)
    }
    lastWord = String(Substring(words[start...]))
    wordFirst = lastWord.utf8.first ?? 0
  }

  /// Where the function begins that closures are in whose types are written out: `closure #1 (A) ->
  /// B in closure #1 (A) -> B in Swift._assertionFailure(…) -> Never`.
  static func functionStart(_ readable: String) -> String.Index {
    let bytes = readable.utf8
    var start = bytes.startIndex
    // Nearly all names begin otherwise.
    guard bytes.first == UInt8(ascii: "c") else { return start }
    while bytes[start...].starts(with: "closure #".utf8) {
      var (depth, position) = (0, start)
      var next: String.Index?
      while position < bytes.endIndex, next == nil {
        switch bytes[position] {
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: " ") where depth == 0 && bytes[position...].starts(with: " in ".utf8):
          next = bytes.index(position, offsetBy: 4)
        default: break
        }
        position = bytes.index(after: position)
      }
      guard let next else { break }
      start = next
    }
    return start
  }

  private static func stop(_ bytes: Substring.UTF8View) -> String.Index? {
    bytes.firstIndex {
      $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "+")
    }
  }

  package static func letters(of text: String) -> UInt64 {
    text.withBytes { bytes in
      var letters: UInt64 = 0
      for index in bytes.indices { letters |= 1 << UInt64(bytes[index] & 63) }
      return letters
    }
  }
}

// Functions that end the process for whoever calls them.
extension FunctionWords {
  /// Whether the function does nothing but throw an exception of C++:
  /// `Glib::Error::throw_exception`.
  ///
  /// Source: gitlab.gnome.org/GNOME/glibmm, glib/glibmm/error.cc;
  /// github.com/boostorg/throw_exception.
  package var throwsOnly: Bool {
    lastWord.hasBytes(of: "::throw_")
      && ["::throw_func", "::throw_exception", "::throw_error"].contains { lastWord.hasSuffix($0) }
  }

  /// `Glib::ConvertError` of `Glib::ConvertError::throw_func`; nil if no class says it.
  package var thrownType: Substring? {
    guard let mark = lastWord.firstRange(of: "::throw_") else { return nil }
    let type = lastWord[..<mark.lowerBound]
    let isClass = type.split(separator: ":").last?.first?.isUppercase == true
    return isClass && type.utf8.count < 120 ? type : nil
  }

  /// Whether it is a constructor of C++: `kit::Board::Board`.
  package var isConstructor: Bool {
    guard lastWord.hasBytes(of: "::") else { return false }
    let parts = lastWord.split(separator: ":").suffix(2)
    return parts.count == 2 && parts.first == parts.last
  }

  /// Whether a word in the name of a function says that it ends the process.
  package var endsProcess: Bool {
    guard !readable.hasPrefix("-["), !readable.hasPrefix("+[") else { return false }
    var words: [String] = []
    var word = ""
    for character in lastWord {
      if character.isUppercase || !character.isLetter {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
    }
    words.append(word)
    return words.contains { Self.fatalWords.contains($0) }
      || words.contains("signal") && words.contains { $0 == "handler" || $0 == "handle" }
  }

  private static let fatalWords: Set = [
    "abort", "fatal", "panic", "assert", "assertion", "bug", "die", "fail", "failed", "failure",
    "terminate",
  ]

  /// Whether the function writes a stack, such as `ggml_print_backtrace()`.
  ///
  /// Source: github.com/ggml-org/ggml, src/ggml.c.
  package var showsStack: Bool {
    ["print_backtrace", "print_stacktrace", "print_stack_trace", "dump_backtrace"].contains {
      readable.hasBytes(of: $0)
    }
  }
}

/// Functions in which threads wait.
///
/// Source: github.com/apple-oss-distributions: libpthread, src; xnu, libsyscall; libplatform,
/// src/os/lock.c; libdispatch, src; github.com/golang/go, src/runtime/sys_darwin.go. The functions
/// of XPC and Core Foundation are named after what they do.
package enum WaitingFunctions {
  package static let ownLoop = "waiting in its run loop"
  package static let lock = "waiting for a lock"
  package static let events = "waiting for events"
  package static let sleep = "sleeping"

  /// What they wait for, the most telling first.
  package static let signs: [(meaning: String, functions: Set<String>)] = [
    (ownLoop, ["__CFRunLoopServiceMachPort"]),
    (
      "waiting for an answer of another process",
      [
        "xpc_connection_send_message_with_reply_sync", "xpc_pipe_routine",
        "_dispatch_mach_send_and_wait_for_reply",
        "__NSXPCCONNECTION_IS_WAITING_FOR_A_SYNCHRONOUS_REPLY__", "xpc_session_send_message_sync",
      ]
    ),
    ("waiting for a dispatch queue", ["_dispatch_sync_f_slow", "__DISPATCH_WAIT_FOR_QUEUE__"]),
    (
      "waiting for the block of dispatch_once",
      ["_dispatch_once_wait", "_dispatch_gate_wait_slow"]
    ),
    (lock, locking),
    ("waiting for a file lock", ["flock", "lockf"]),
    (
      "reading or writing a file",
      ["pread", "read", "pwrite", "write", "fsync", "fcntl", "__fcntl"]
    ),
    (
      "waiting for a semaphore or a condition",
      [
        "semaphore_wait_trap", "semaphore_timedwait_trap", "__psynch_cvwait",
        "_dispatch_sema4_wait", "_dispatch_sema4_timedwait", "_dispatch_semaphore_wait_slow",
        "runtime.mach_semaphore_wait", "runtime.mach_semaphore_timedwait",
        "runtime.pthread_cond_wait", "runtime.pthread_cond_timedwait_relative_np",
      ]
    ),
    (
      events,
      [
        "kevent", "kevent64", "kevent_qos", "kevent_id", "__select", "__select_nocancel",
        "__pselect", "select$DARWIN_EXTSN", "poll", "__poll_nocancel", "runtime.kevent",
      ]
    ),
    (sleep, ["nanosleep", "usleep", "sleep", "__semwait_signal", "runtime.usleep"]),
    ("waiting for a Mach message", ["mach_msg_trap", "mach_msg2_trap"]),
    ("waiting for another thread", ["syscall_thread_switch", "swtch_pri"]),
  ]

  /// Parts and ends of the names of what waits for the GPU.
  package static let graphicsParts = ["::waitForStamp(", "::finishStamp(", "::finishAllStamps("]
  package static let graphicsEnds = [
    "CommandBuffer waitUntilCompleted]", "CommandBuffer waitUntilScheduled]",
    "[CAMetalLayer nextDrawable]",
  ]

  private static let locking: Set = [
    "__psynch_mutexwait", "__psynch_rw_rdlock", "__psynch_rw_wrlock", "_os_unfair_lock_lock_slow",
    "_pthread_mutex_firstfit_lock_wait", "_os_lock_handoff_lock_slow", "_os_lock_spin_lock_slow",
    "_OSSpinLockLockSlow",
  ]

  /// What is above whoever asked for a lock.
  package static let lockingOrBlocking = locking.union(blocking)

  /// Calls of the kernel that wait for another thread.
  package static let blocking: Set = [
    "__ulock_wait", "__ulock_wait2", "__psynch_mutexwait", "__psynch_rw_rdlock",
    "__psynch_rw_wrlock", "__psynch_cvwait", "semaphore_wait_trap", "semaphore_timedwait_trap",
    "syscall_thread_switch", "swtch_pri",
  ]

  /// Whether the innermost function of a thread waits in the kernel for another thread.
  package static func areBlocked(_ innermost: String?) -> Bool {
    innermost.map { blocking.contains($0) } ?? false
  }

  package static let all = signs.reduce(blocking) { $0.union($1.functions) }
}

/// Functions that lay out or draw what is in windows.
///
/// Source: developer.apple.com/documentation/appkit/nsview/layout(), …/uikit/uiview,
/// `layoutSubviews()`; …/quartzcore/catransaction; the private names as in samples of such apps.
package enum DrawingFunctions {
  package static let images: Set = [
    "AppKit", "UIKit", "UIKitCore", "QuartzCore", "SwiftUI", "SwiftUICore",
  ]
  package static let signs: [(meaning: String, parts: [String])] = [
    (
      "laying out views",
      [
        "_layoutSubtree", "_NSViewLayout", "NSHostingView.layout()", " layoutSubviews]",
        "layoutSublayersOfLayer:]", " layoutIfNeeded]", "CA::Layer::layout_if_needed(",
        "_UIHostingView.layoutSubviews()",
      ]
    ),
    (
      "drawing views",
      [
        "CA::Transaction::commit(", "NSDisplayCycleFlush", "CA::Layer::display_if_needed(",
        " displayIfNeeded]", "ViewRendererHost.render(",
      ]
    ),
  ]
}
