import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in what runtimes, sanitizers and tools other than the system write.
struct TraceReasonTests {
  private func swiftCrash(_ address: String, _ frame: String, signal: Bool) throws
    -> JsonReport.Crash
  {
    let text = """
      \(signal ? "*** Signal 11: Backtracing from 0x7f8606d48784... done ***" : "$ ./game")

      *** Program crashed: Bad pointer dereference at \(address) ***

      Platform: x86_64 Linux (Ubuntu 24.04.3 LTS)

      Thread 0 "game" crashed:

      0 0x00007f8606d48784 \(frame)

      """
    return try JsonFixture.report(text, with: []).crash
  }

  /// Users of a process have the lower half of the addresses; the last gigabytes are small negative
  /// numbers.
  @Test(
    arguments: [
      ("0xffff8044a1a74710", "overwrittenPointer"), ("0x00018044a1a74710", "overwrittenPointer"),
      ("0xfffffffffffffff8", "exceptionType"), ("0x0000000000000000", "nullPointer"),
    ])
  func addressesOfSwiftBacktraces(address: String, kind: String) throws {
    for signal in [true, false] {
      let found = try swiftCrash(address, "draw() + 8 in game", signal: signal)
      expectEqual(found.kind, kind)
    }
  }

  /// It accepts null; what it reads is the object's.
  @Test func countsOfReferences() throws {
    let found = try swiftCrash(
      "0x0000000000000000",
      "swift::RefCounts<swift::RefCountBitsT<1> >::incrementSlow(swift::RefCountBitsT<1>, unsigned int) + 84 in libswiftCore.so",
      signal: true)
    expectEqual(found.kind, "freedObject")
  }

  /// Frames with a source file are the program's, as long as it is not the sanitizer's.
  @Test(
    arguments: [
      "wrap_strlen (/usr/lib/clang/libclang_rt.asan_osx_dynamic.dylib+0x3d9cc)",
      "strlen /src/compiler-rt/lib/sanitizer_common/sanitizer_common_interceptors.inc:389",
    ])
  func framesOfSanitizers(innermost: String) throws {
    let text = """
      =================================================================
      ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000011 at pc 0x00010013f9cd bp 0x7000001155b0 sp 0x700000114d68
      READ of size 7 at 0x602000000011 thread T0
          #0 0x10013f9cc in \(innermost)
          #1 0x7fff89ff1bae in +[NSString stringWithCString:encoding:] (/System/Library/Frameworks/Foundation.framework/Versions/C/Foundation+0x3cbae)
          #2 0x100eb02eb in -[Board decoded] Board.m:254
          #3 0x100eaf027 in main main.m:241

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.frame?.function, "-[Board decoded]")
  }

  /// The name and the description of an exception as fields above its frames.
  @Test func fieldsOfAnException() throws {
    let text = """
      Exception Name: NSInvalidArgumentException
      Description: -[Board turn]: unrecognized selector sent to instance 0x7fb7
      User Info: (null)

      0   CoreFoundation                      0x00007fff8a4eff06 __exceptionPreprocess + 198
      1   libobjc.A.dylib                     0x00007fff887aa79a objc_exception_throw + 43
      2   Game                                0x000000010db17ec2 -[Game play] + 105

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(
      found.reason,
      "NSInvalidArgumentException: -[Board turn]: unrecognized selector sent to instance 0x7fb7")
    expectEqual(found.frame?.function, "-[Game play]")
  }

  /// The function that makes room for a large frame fails only at the end of the stack.
  @Test func roomOnTheStack() throws {
    let text = """
      frame #0: libsystem_pthread.dylib`___chkstk_darwin + 60
      frame #1: app::Board::play(...) at board.cc:206
      frame #2: app::main() at main.cc:7

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.frame?.function, "app::Board::play(...)")
  }

  /// If no thread is marked, the one that is in the text need not be the one that crashed.
  @Test(arguments: [("Current thread", "turn"), ("Thread", nil)])
  func threadsOfPython(heading: String, function: String?) throws {
    let text = """
      Fatal Python error: Segmentation fault

      \(heading) 0x00007f12 (most recent call first):
        File "/usr/lib/python3.11/threading.py", line 982 in run
        File "/src/board.py", line 12 in turn

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.reason, "Fatal Python error: Segmentation fault")
    expectEqual(found.frame?.function, function)
  }
}
