import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in reports of old tools and in parts of reports.
struct OldPasteReasonTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  /// Source: mach-o/loader.h: an image begins with its header.
  private static func jump(to offset: String, head: String = "") -> String {
    """
    \(head)Thread 0 Crashed:
    0   Nest    0x0000000102ea40\(offset) 0x102ea4000 + \(Int(offset, radix: 16) ?? 0)
    1   Owl     0x0000000102dbbcc4 owl_hoot + 80 (owl.c:92)
    2   Owl     0x0000000102dbb684 main + 172 (owl.c:122)

    Binary Images:
    0x102db8000 - 0x102dbbfff Owl arm64 <00112233445566778899aabbccddeeff> /usr/local/bin/Owl
    0x102ea4000 - 0x102f23fff Nest arm64 <10112233445566778899aabbccddeeff> /usr/local/lib/Nest

    """
  }

  @Test(arguments: ["", "Exception Type: EXC_BAD_INSTRUCTION (SIGILL)\nProcess: Owl [1]\n\n"])
  func jumpsToHeaders(head: String) throws {
    let found = try crash(Self.jump(to: "00", head: head))
    expectEqual(found.kind, "callThroughBadPointer")
    expectEqual(found.confidence, "likely")
    expectPrefix(try require(found.reason), "jump to 0x102ea4000, the start of Nest")
    // Code is behind the header, and `abort()` is no jump.
    expectNotEqual(try crash(Self.jump(to: "40")).kind, "callThroughBadPointer")
    let head = "Exception Type: EXC_CRASH (SIGABRT)\nProcess: Owl [1]\n\n"
    let ended = Self.jump(to: "00", head: head)
    expectNotEqual(try crash(ended).kind, "callThroughBadPointer")
  }

  /// Source: llvm-project, compiler-rt/lib/interception/interception.h (`WRAP`).
  @Test func wrappersOfSanitizers() throws {
    let found = try crash(
      """
      ==907==ERROR: AddressSanitizer: attempting double-free on 0x0ab7aef0 in thread T0:
          #0 0x11e035 in wrap_free _asan_rtl_
          #1 0x5f764 in OwlRelease owl.c:119

      """)
    expectEqual(found.frame?.function, "OwlRelease")
    expectContains(try require(found.reason), "attempting double-free")
  }

  /// Before the crate was a part of names.
  @Test func panicsOfOldRust() throws {
    let found = try crash(
      """
         1:        0x10b99fd58 - sys::backtrace::tracing::imp::write::h3153bab3099b48114Zu
         2:        0x10b98e946 - sys_common::unwind::begin_unwind_inner::h1f97bc9e4cfe0396LZt
         3:        0x10b99f0f7 - rust_begin_unwind
         4:        0x10b9c9550 - panicking::panic_fmt::h40f5ec0cdc3fc429FRL
         5:        0x10a0d9165 - result::unwrap_failed::h1838923861604296214
         6:        0x10a0ff5ce - owl::hoot::h156bd6bdc3429ce6mbr

      """)
    expectEqual(found.kind, "rustPanic")
    expectEqual(found.reason, "Rust panic: unwrap() or expect() of an Err")
    expectPrefix(try require(found.frame?.function), "owl::hoot")
  }

  /// A page made a table of the columns, and the offsets of the images were lost.
  @Test func tablesOfFrames() throws {
    let found = try crash(
      """
      0 libsystem_kernel.dylib | __pthread_kill + 8
      -- | --
      1 libsystem_pthread.dylib | pthread_kill + 228
      2 libsystem_c.dylib | abort + 9664259706918535272
      3 libsystem_malloc.dylib | 0x00000001b4600000 + 7134824960882753420
      4 libsystem_malloc.dylib | free + 10033536734421057968
      5 Owl | -[Owl hoot] + 336

      """)
    expectEqual(found.frame?.function, "-[Owl hoot]")
    expectEqual(found.frame?.index, 5)
    expectEqual(found.kind, "heapDamage")
  }

  /// Nothing else says whose image it is.
  @Test func failedChecksWithoutImages() throws {
    let found = try crash(
      """
      Process: Owl [9339]
      Exception Type: EXC_BREAKPOINT (SIGTRAP)

      Thread 0 Crashed:
      0   SwiftUI   0x1e6d2b7ac measure(_:) + 216
      1   AppKit    0x1e6d2b7a4 -[NSView layout] + 4

      """)
    expectEqual(found.kind, "failedCheck")
    expectPrefix(try require(found.reason), "SwiftUI stopped the app")
  }

  /// A process that ends itself gets another signal.
  @Test(
    arguments: [
      ("EXC_CRASH (SIGKILL)", "; then the watchdog ended it (scene-update took more than 10.00 s)"),
      ("EXC_CRASH (SIGABRT)", ""),
    ])
  func processesThatHangAtTheirEnd(type: String, end: String) throws {
    let found = try crash(
      """
      Process: Owl [458]
      Exception Type:  \(type)
      Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d
      Termination Description: SPRINGBOARD, scene-update watchdog transgression: com.example.owl exhausted real (wall clock) time allowance of 10.00 seconds
      Triggered by Thread:  0

      Application Specific Information:
      BUG IN CLIENT OF LIBPLATFORM: Trying to recursively lock an os_unfair_lock
      abort() called

      Thread 0 Crashed:
      0   libsystem_kernel.dylib   0x0000000182b3f000 __ulock_wait + 8
      1   Owl                      0x0000000102dbb684 -[Owl hoot] + 172

      """)
    expectEqual(
      found.reason,
      "BUG IN CLIENT OF LIBPLATFORM: Trying to recursively lock an os_unfair_lock" + end)
  }
}
