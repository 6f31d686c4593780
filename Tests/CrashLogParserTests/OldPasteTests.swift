import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Reports as people pasted them: broken lines, lost letters, lost heads, and the forms of tools
/// that are no longer made. Expected values are read off the texts.
struct OldPasteTests {
  // MARK: Apple's text

  /// Somebody broke the lines of frames below a head.
  @Test func brokenFramesBelowAHead() throws {
    let text = """
      Process:             Owl [2437]
      Path:                /System/Library/CoreServices/Owl
      Exception Type:  EXC_BAD_ACCESS (SIGBUS)
      Triggered by Thread:  1

      0   Nest                                0x00000001c63b9138
       0x1c6357000 + 401720
      1   Owl                                 0x0000000100f417e0
       0x100f3c000 + 22496

      Binary Images:
      0x1c6357000 - 0x1c63dcfff Nest arm64e 
       <19219f5e25623142895af16a024bf332>
       /System/Library/PrivateFrameworks/Nest.framework/Versions/A/Ne
      st

      """
    let report = try ParsedText(text).report
    let frames = report.backtraces.flatMap(\.frames)
    expectEqual(frames.map(\.address?.value), [0x1_c63b_9138, 0x1_00f4_17e0])
    expectEqual(frames.map(\.index), [0, 1])
    expectEqual(report.images.first?.path?.hasSuffix("/Nest"), true)
  }

  /// The lines agree with each other, or are none of a stack.
  @Test func linesThatAreNoBrokenFrames() throws {
    let text = """
      Process:             Owl [2437]
      Path:                /Applications/Owl
      Exception Type:  EXC_BAD_ACCESS (SIGBUS)
      Triggered by Thread:  1

      0   Nest                                0x00000001c63b9138
       0x1c6357000 + 401721

      """
    expectEmpty(try ParsedText(text).report.backtraces)
  }

  /// A mail broke frames of Swift's own backtraces between words.
  @Test func brokenFramesOfSwift() throws {
    let text = """
      *** Program crashed: Bad pointer dereference at 0x000000000deadbee ***

      Thread 0 crashed:

        0               0x0000000100a18a1c Nest.hatch() + 372 in Owl at
      /Users/mia/Desktop/Owl/Sources/Owl/Nest.swift:13:13
        1 [ra]          0x0000000100a18b40 Owl.fly(to: Swift.String, with: Owl.Feathers) +
      12 in Owl at /Users/mia/Desktop/Owl/Sources/Owl/Owl.swift:7:3
        2 [ra] [system] 0x000000019d1b9d54 start + 7184 in dyld

      """
    let frames = try ParsedText(text).report.allFrames
    expectEqual(frames.map(\.imageName), ["Owl", "Owl", "dyld"])
    expectEqual(
      frames.map { $0.symbol?.name },
      ["Nest.hatch()", "Owl.fly(to: Swift.String, with: Owl.Feathers)", "start"])
    expectEqual(frames.map { $0.symbol?.line }, [13, 7, nil])
  }

  /// Who selects text may lose the first letters.
  @Test(arguments: ["hread", "read"])
  func cutHeadings(word: String) throws {
    let report = try ParsedText(
      """
      \(word) 4 Crashed:: Dispatch queue: com.apple.main-thread
      0   Owl      0x000000010001eda8 -[Owl hoot] + 8 (Owl.m:8)
      1   Owl      0x000000010001edc8 -[Owl fly] + 40 (Owl.m:11)

      """
    ).report
    expectEqual(report.crashedThread?.number, 4)
    expectEqual(report.crashedThread?.frames.count, 2)
  }

  @Test(arguments: ["I read 4 Crashed: of them", "read 4 books"])
  func prose(line: String) throws {
    expectNil(try? ParsedText(line + "\n0   Owl is fine\n"))
  }

  /// The head, with the region that the address is in, may be below the threads.
  @Test func regionsBelowThreads() throws {
    let report = try ParsedText(
      """
      Thread 0 Crashed:
      0   Owl      0x000000010001eda8 -[Owl hoot] + 8 (Owl.m:8)

      Thread 1:: Dispatch queue: com.apple.libdispatch-manager

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_PROTECTION_FAILURE at 0x00007fff5f3ffff8

      VM Regions Near 0x7fff5f3ffff8:
      --> STACK GUARD            00007fff5bc00000-00007fff5f400000 [ 56.0M] ---/rwx SM=NUL
      """
    ).report
    expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.facts.memoryRegion.count, 2)
  }

  /// Everything is on one line, and the text breaks off in an address.
  @Test func crashedThreadOnOneLine() throws {
    let report = try ParsedText(
      "Process: Owl [9339] Crashed Thread: 3 Exception Type: EXC_BREAKPOINT (SIGTRAP)"
        + " Thread 3 Crashed: 0   SwiftUI  \t 0x1e6d2b7ac measure(_:) + 216 1   SwiftUI \t  0x"
        + "\n"
    ).report
    expectEqual(report.crashedThread?.number, 3)
    expectEqual(report.crashedThread?.frames.first?.symbol?.name, "measure(_:)")
  }

  /// Cr4shed takes a line apart at its blanks.
  @Test func nameThatWasTakenApart() throws {
    let frame = try ParsedText(
      """
      Process: Owl
      Bundle id: com.example.owl
      Device: iPhone X, iOS 13.3

      Exception type: NSGenericException
      Reason: changed

      Call stack:
      0   Owl     0x0000000104dddce8 __63-[Owl 0x104cac000 + 0x131ce8    // __63-[Owl hoot:]_block_invoke

      """
    ).report.backtraces.first?.frames.first
    expectEqual(frame?.symbol?.name, "__63-[Owl hoot:]_block_invoke")
    expectEqual(frame?.address?.value, 0x1_04dd_dce8)
  }

  // MARK: JSON

  @Test func nameOfAFaultedProcess() throws {
    let report = try ParsedText(
      """
        "exception" : {"codes":"0x1, 0x2","rawCodes":[1,2],"type":"EXC_BREAKPOINT","signal":"SIGTRAP"},
        "os_fault" : {"process":"Owl"},
        "faultingThread" : 1,
        "threads" : [{"id":1,"fra
      """
    ).report
    expectEqual(report.facts.process.name, "Owl")
  }

  /// The head of a jetsam report, in a line of code of Markdown.
  @Test func headOfAJetsamReport() throws {
    let head = """
      Here it is:
      `{
        "product" : "AppleTV5,3",
        "build" : "Apple TVOS 11.2.6 (15K600)",
        "timeDelta" : 92,
        "memoryStatus" : {
        "largestZone" : "kalloc.48",
        "pageSize" : 16384,
        "memoryPages" : {
          "active" : 23021,
          "throttled" : 0,
      `

      """
    let report = try ParsedText(head).report
    expectEqual(report.format, .ipsJetsam)
    expectEqual(report.facts.memory?.pageSize, 16384)
    expectEqual(report.facts.memory?.pages.first?.count, 23021)
    // Stackshots state the memory, too.
    let other = head.replacing("timeDelta", with: "frontmostPids")
    expectNil(try? ParsedText(other))
  }

  // MARK: Other tools

  @Test(arguments: ["attempting double-free on 0x0ab7aef0", "attempting free on 0x7ffe"])
  func placeholdersOfSanitizers(words: String) throws {
    let report = try ParsedText(
      """
      ==907==ERROR: AddressSanitizer: \(words) in thread T0:
          #0 0x11e035 in wrap_free _asan_rtl_
          #1 0x5f764 in OwlRelease owl.c:119

      """
    ).report
    let symbols = report.backtraces.first?.frames.map(\.symbol?.name)
    expectEqual(symbols, ["wrap_free", "OwlRelease"])
    expectEqual(report.facts.exception.subtype?.hasPrefix(words), true)
  }

  /// Source: github.com/google/breakpad, src/processor/stackwalk_common.cc.
  @Test func reasonsOfBreakpad() throws {
    let facts = try ParsedText(
      "<pre>\nOperating system: Mac OS X\n                  10.10.4 14E46\n\n"
        + "Crash reason:  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS\nCrash address: 0x38"
    ).report.facts
    expectEqual(facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS")
    expectEqual(facts.exception.codes, [1, 0x38])
    let ended = try ParsedText("Crash reason:  SIGSEGV /SEGV_MAPERR\nCrash address: 0x8\n").report
    expectEqual(ended.facts.exception.signal, "SIGSEGV")
  }

  @Test(
    arguments: [
      ("0  OwlKit + 0x212215", "OwlKit", 0x212215, nil),
      ("0  OwlKit!hoot(int)", "OwlKit", nil, "hoot(int)"),
    ] as [(String, String, UInt64?, String?)])
  func framesBehindReasons(frame: String, image: String, offset: UInt64?, name: String?) throws {
    let report = try ParsedText(
      "<summary>Info: <code> Crash reason:  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS ::  \(frame) ::"
        + " </code></summary>\n"
    ).report
    let found = try require(report.crashedThread?.frames.first)
    expectEqual(found.imageName, image)
    expectEqual(found.imageOffset, offset)
    expectEqual(found.symbol?.name, name)
  }

  /// Source: github.com/Provenance-Emu/Provenance, issue 1090.
  @Test(arguments: ["Stacktrace", "Stacktrace (first of multiple) ###"])
  func stacksOfHockeyApp(title: String) throws {
    let report = try ParsedText(
      """
      ## Version: 1.8 (93) | com.example.owl
      ## \(title)

      <pre>OwlController;tableView:didSelectRowAtIndexPath:;OwlController.m;239
      Nest;open();Nest.swift;94
      -;hoot;hoot.c;7
      -;start;;</pre>

      ## Reason

      **\\* Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'

      """
    ).report
    let frames = try require(report.crashedThread?.frames)
    expectEqual(
      frames.map(\.symbol?.name),
      ["-[OwlController tableView:didSelectRowAtIndexPath:]", "Nest.open()", "hoot"])
    expectEqual(frames.map(\.symbol?.line), [239, 94, 7])
    expectEqual(report.facts.process.bundleIdentifier, "com.example.owl")
    expectEqual(report.facts.exception.name, "NSRangeException")
    expectEqual(report.facts.exception.reason, "beyond")
    // What only starts a program says nothing.
    let main = "### Stacktrace ###\n\n<pre>-;main;Owl.swift;17</pre>\n\nNo reason.\n"
    expectNil(try? ParsedText(main))
  }

  /// Source: github.com/apple-oss-distributions/dyld, version 832.
  @Test func failuresOfBinding() throws {
    let words =
      "can't resolve symbol _hoot in /App/Owl.framework/Owl because dependent dylib @rpath/libNest.dylib could not be loaded"
    let text = "dyld: lazy symbol binding failed: \(words)\ndyld: \(words)\n"
    let facts = try ParsedText(text).report.facts
    expectEqual(facts.termination.namespace, "DYLD")
    expectEqual(facts.termination.details, ["lazy symbol binding failed: \(words)"])
    expectEqual(facts.process.path, "/App/Owl.framework/Owl")
  }

  /// The line above the frames was left out.
  @Test(
    arguments: [
      "sys::backtrace::tracing::imp::write::h3153bab3099b48114Zu", "rust_begin_unwind",
      "std::backtrace_rs::backtrace::libunwind::trace", "core::panicking::panic_fmt",
    ])
  func stacksOfRust(first: String) throws {
    let report = try ParsedText(
      "   1:        0x10b99fd58 - \(first)\n   2:        0x10b9a3949 - owl::hoot\n"
    ).report
    expectEqual(report.format, .rustBacktrace)
    expectEqual(report.backtraces.first?.frames.map(\.symbol?.name), [first, "owl::hoot"])
  }
}
