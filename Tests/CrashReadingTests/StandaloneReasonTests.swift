import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons that pages, windows and logs state beside a report or in place of one.
struct StandaloneReasonTests {
  /// What AppKit's window about an exception says, above its frames.
  @Test func windowAboutAnException() throws {
    try expectReason(
      """
      An uncaught exception was raised. Choose "Continue" to continue running.

      Exception Name: NSInternalInconsistencyException
      Description: An instance 0x60800036dd40 of class Board was deallocated.
      User Info: (null)

      0   CoreFoundation                      0x00007fff96f9d52b __exceptionPreprocess + 171
      1   libobjc.A.dylib                     0x00007fffab675cad objc_exception_throw + 48
      2   CoreFoundation                      0x00007fff9701ba0d +[NSException raise:format:] + 205
      3   Board                               0x0000000105e510a4 -[Board turn] + 24

      """,
      "NSInternalInconsistencyException: An instance 0x60800036dd40 of class Board was deallocated.",
      in: "-[Board turn]")
  }

  /// Without offsets, what raises for Foundation has the name of a neighbour.
  @Test func neighbourOfWhatRaises() throws {
    try expectReason(
      """
      Fatal Exception: NSInvalidArgumentException
      0  CoreFoundation                 0x1b88a7ea0 __exceptionPreprocess
      1  libobjc.A.dylib                0x1b7a79a40 objc_exception_throw
      2  CoreFoundation                 0x1b87ae674 -[NSCache init]
      3  Foundation                     0x1b92904a4 +[NSJSONSerialization dataWithJSONObject:options:error:]
      4  Board                          0x10016deac -[Board save] (Board.m:33)

      """,
      "NSInvalidArgumentException, thrown by +[NSJSONSerialization dataWithJSONObject:options:error:]",
      in: "-[Board save]")
  }

  /// Frames with the paths of their images, below an exception, each line with blanks in front.
  @Test func pathsBelowAnException() throws {
    let framework = "Frameworks/CoreFoundation.framework/CoreFoundation"
    try expectReason(
      """
      Another one:

          NSInvalidArgumentException *** -[Tiles add:]: attempt to insert nil object from objects[3]
              \(framework) ___exceptionPreprocess
              /usr/lib/libobjc.A.dylib _objc_exception_throw
              \(framework) __CFThrowFormattedException
              Frameworks/BoardKit.framework/BoardKit -[Board tiles]

      """,
      "NSInvalidArgumentException: *** -[Tiles add:]: attempt to insert nil object from objects[3]",
      in: "-[Board tiles]")
  }

  /// The line of Crashlytics alone, and a bold field of a resource diagnostic.
  @Test func linesAlone() throws {
    let crash = try JsonFixture.report(
      "Here it is:\nEXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000030\n", with: []
    ).crash
    expectEqual(crash.kind, "nullPointer")
    let summary = JsonFixture.output(
      """
      Date/Time:        2021-09-07 18:25:16.665 +0900
      OS Version:       macOS 11.5.2 (Build 20G95)
      Report Version:   32
      Data Source:      Microstackshots
      Command:          Board
      PID:              812

      Event:            cpu usage
      Action taken:     none
      **CPU:              90 seconds cpu time over 95 seconds (95% cpu average)**
      CPU limit:        90s

      """.utf8, as: .summary, with: [])
    expectTrue(
      summary.contains("\nCPU time: 90 seconds cpu time over 95 seconds (95% cpu average)\n"))
  }

  /// What launchd logged about the process of a head that was cut.
  @Test(arguments: [("812", "SIGBUS"), ("813", nil as String?)])
  func endInTheLog(number: String, signal: String?) throws {
    let report = try JsonFixture.report(
      """
      Feb 13 17:03:31 host com.apple.xpc.launchd[1] (com.example.board.8[\(number)]): Service \
      exited due to SIGBUS | sent by exc handler[\(number)]

      Process:               Board [812]
      Path:                  /Applications/Board.app/Contents/MacOS/Board
      Identifier:            com.example.board
      Code Type:             X86 (Native)
      Parent Process:        ??? [1]
      Date/Time:             2019-02-13 17:03:31.400 +0600

      """, with: [])
    expectEqual(report.exception.signal, signal)
  }

  /// The return address of `__cxa_pure_virtual`, which never returns, is the function behind it.
  @Test func pureVirtualCall() throws {
    try expectReason(
      """
      Thread 7 Crashed:
      0   libsystem_kernel.dylib   0x00000001ce6210dc __pthread_kill + 8
      1   libsystem_c.dylib        0x00000001ce572270 abort + 140
      2   libc++abi.dylib          0x00000001cdc5f788 __cxa_bad_cast + 0
      3   libc++abi.dylib          0x00000001cdc6ca40 __cxa_deleted_virtual + 0
      4   Board                    0x0000000105e510a4 Board::turn() + 24

      """, "a pure virtual function was called", in: "Board::turn()")
  }

  /// A symbol that dyld misses is shown as people look for it, too, if it is short.
  @Test func missingSymbols() throws {
    let reason = try JsonFixture.report(
      """
      dyld: Symbol not found: _$SBOWV
        Referenced from: /Applications/Board.app/Frameworks/BoardKit.framework/BoardKit
        Expected in: /usr/lib/swift/libswiftCore.dylib

      """, with: []
    ).crash.reason
    expectTrue(reason?.contains("Builtin.UnknownObject (_$SBOWV)") == true)
  }

  /// A terminal breaks TCC's words; the lines below name the key.
  @Test func brokenWordsOfPrivacy() throws {
    let report = try JsonFixture.report(
      """
      Board[812:2756] [access] This app has crashed because it attempted to access \

      privacy-sensitive data without a usage description.  The app's Info.plist must contain an \

      NSCameraUsageDescription key with a string value.

      """, with: [])
    expectEqual(report.crash.kind, "privacy")
    expectEqual(report.process.name, "Board")
    expectTrue(report.crash.reason?.contains("NSCameraUsageDescription") == true)
  }

  /// Xcode shows the sentence with the key on a line of its own, and people leave the head out.
  @Test(arguments: ["", "Board[812:2756] [access] "])
  func privacyOnTwoLines(head: String) throws {
    let sentence =
      "This app has crashed because it attempted to access privacy-sensitive data without a usage description."
    let report = try JsonFixture.report(
      """
      ```
      \(head)\(sentence)\u{20}
      The app's Info.plist must contain an NSCameraUsageDescription key with a string value.
      ```
      No words of TCC.

      """, with: [])
    expectEqual(report.crash.kind, "privacy")
    expectTrue(report.crash.reason?.contains("NSCameraUsageDescription") == true)
    expectFalse(report.crash.reason?.contains("No words") == true)
  }

  /// A hook of the program's writes the place of a panic, and its message below.
  @Test func panicInTheWordsOfAHook() throws {
    try expectReason(
      """
      [PANIC] at /src/turn.rs:7 - panicked at /src/turn.rs:7:1:
      invalid message send to -[Board turn]
      [PANIC] Backtrace:

      """, "panicked at /src/turn.rs:7:1: invalid message send to -[Board turn]")
  }

  /// What System Preferences and the Objective-C runtime note about a pane is no reason.
  @Test func notesOfAPane() throws {
    try expectReason(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: EXC_I386_GPFLT

      Application Specific Information:
      objc_msgSend() selector name: timeIntervalSinceReferenceDate
      com.example.board v.604 (Board)
      objc[812]: GC: forcing GC OFF because OBJC_DISABLE_GC is set

      """,
      "an object was used that was freed or overwritten before (objc_msgSend, selector "
        + "timeIntervalSinceReferenceDate)")
  }

  /// The text ends within the words that the runtime leaves: `objc_msgSend()` accepts nil.
  @Test func cutNoteOfTheRuntime() throws {
    let head = """
      Process: Board [8]
      Crashed Thread:  0

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000021

      Application Specific Information:

      """
    try expectReason(
      head + "objc_msgSe",
      "an object was used that was freed or overwritten before (objc_msgSend)")
    try expectReason(head + "objc_ms", "access through a null pointer, at offset 0x21")
  }

  /// The address may stand on the next line, and a thread at address 0 was called there.
  @Test func addressesOnTheNextLine() throws {
    let broken = try JsonFixture.report(
      """
      Process: Board [812]
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at
       0x0000000000000010
      Triggered by Thread:  4

      """, with: [])
    expectEqual(broken.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000010")
    try expectReason(
      """
      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   ???                0x0 ???
      1   Board              0x104c752b4 Board.turn() + 36
      2   libdispatch.dylib  0x192cd4658 _dispatch_client_callout + 20

      """, "call through a null pointer", in: "Board.turn()")
  }
}
