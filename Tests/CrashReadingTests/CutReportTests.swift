import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What a piece of a report says that somebody pasted, or quoted in another text.
struct CutReportTests {
  private func report(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Mono

  private static let banner = """
    =================================================================
    Got a SIGNAL while executing native code. This usually indicates
    a fatal error in the mono runtime or one of the native libraries
    used by your application.
    =================================================================
    Native stacktrace:

    """

  /// `dladdr` gives the nearest exported name, and what is above the system's frame is the handler.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c.
  @Test(arguments: ["segv", "SIGSEGV"])
  func handlerOfMono(signal: String) throws {
    let image = "/var/containers/Bundle/Owl.app/Owl"
    let frames = """
      \t0x10b06d068 - \(image) : _ZN4nest4hootEv
      \t0x10b071490 - \(image) : mono_pmip
      \t0x1dade2d90 - /usr/lib/system/libsystem_platform.dylib : <redacted>

      """
    let banner = Self.banner.replacing("SIGNAL", with: signal)
    try expectReason(
      banner + frames, "SIGSEGV in native code, which Mono's crash handler reported", in: nil)
    try expectReason(
      banner + frames + "\t0x10b22e988 - \(image) : owl_land\n",
      "SIGSEGV in native code, which Mono's crash handler reported", in: "owl_land")
  }

  /// On macOS, Mono prints what `backtrace_symbols` says.
  @Test func handlerOfMonoOnMacOS() throws {
    let text =
      Self.banner.replacing("SIGNAL", with: "SIGBUS") + """
        \t0   mono                                0x000000010a0f1b0a mono_handle_native_sigsegv + 282
        \t1   libsystem_platform.dylib            0x00007fff86d7c5aa _sigtramp + 26
        \t2   libowl.dylib                        0x0000000112345678 owl_land + 40
        \t3   libowl.dylib                        0x0000000112345999 owl_fly + 40

        """
    try expectReason(
      text, "SIGBUS in native code, which Mono's crash handler reported", in: "owl_land")
  }

  // MARK: malloc

  private static func freeing(_ above: String) -> String {
    """
    \(above)Thread 2 Crashed:
    0   libsystem_kernel.dylib        \t0x9d74d58a __pthread_kill + 10
    1   libsystem_c.dylib             \t0x914b7c34 abort + 156
    2   libsystem_malloc.dylib        \t0x98ff42ca free + 433
    3   Owl                           \t0x00005b4e -[Nest drop] + 190 (Nest.m:95)

    """
  }

  /// The words of `malloc_printf`, with and without the process that it names, and quoted.
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src/malloc.c (`free`).
  @Test(arguments: ["", "malloc: ", "> ", "> malloc: ", "Owl(42,0xa0b1c2d0) malloc: "])
  func wordsOfMalloc(start: String) throws {
    let words = "*** error for object 0x84dc00: pointer being freed was not allocated"
    try expectReason(Self.freeing("\(start)\(words)\n\n"), words, in: "-[Nest drop]")
  }

  /// Without them, that `free()` ended the process says what it was about.
  @Test func freeEndsProcess() throws {
    try expectReason(
      Self.freeing(""),
      "free() ended the process: the pointer was not allocated, or the heap is damaged",
      in: "-[Nest drop]")
    // Not if it only runs further out.
    let other = Self.freeing("").replacing(
      "2   libsystem_malloc", with: "2   Owl  \t0x5a00 -[Egg dealloc] + 4\n3   libsystem_malloc"
    ).replacing("3   Owl ", with: "4   Owl ")
    try expectReason(other, "abort() was called", in: "-[Egg dealloc]")
  }

  // MARK: Recursion

  /// Frames without names that wait for one and the same call.
  @Test func recursionWithoutNames() throws {
    let head = """
      Process:         Owl [42]
      Path:            /Applications/Owl.app/Contents/MacOS/Owl
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x00007ff7b0000ff8

      Thread 0 Crashed:
      0   libsystem_malloc.dylib        \t0x00007ff811112222 tiny_malloc + 0

      """
    func text(_ image: String, _ address: (Int) -> Int) -> String {
      (1...40).reduce(into: head) { text, index in
        let digits = String(address(index), radix: 16)
        text += "\(index)   \(image)   \t0x000000010000\(digits) 0x100000000 + \(address(index))\n"
      }
    }
    let same = try report(text("Owl") { _ in 0x3627 }).crash
    expectEqual(same.kind, "stackOverflow")
    expectEqual(same.reason?.hasSuffix("calls itself (× 40)"), true)
    // Different calls, and a walk along a damaged stack.
    expectEqual(try report(text("Owl") { 0x3000 + $0 * 16 }).crash.kind == "stackOverflow", false)
    expectEqual(try report(text("???") { _ in 0x3627 }).crash.kind == "stackOverflow", false)
  }

  /// An analysis that quotes the message of the exception, and explains frames without names.
  ///
  /// Source: developer.apple.com/documentation/xcode/investigating-memory-access-crashes.
  @Test func recursionInAnalysis() throws {
    let text = """
      **What happened:**
      - `Thread stack size exceeded due to excessive recursion`

      ### Thread 2/6 (Crashed):
      ```
      0   libsystem_malloc.dylib         _xzm_xzone_malloc_tiny + 0
      1   libswiftCore.dylib             swift_allocObject
      2   Owl                            0x10314072c  // the dictionary is made
      3   Owl                            0x103246004
      4-9 Owl                            0x103246300  # six times
      ```

      """
    let found = try report(text)
    expectEqual(found.crash.reason, "Thread stack size exceeded due to excessive recursion")
    expectEqual(found.crash.kind, "stackOverflow")
    expectEqual(found.crash.frame?.imageName, "Owl")
    expectEqual(found.crash.frame?.address, "0x10314072c")
    expectEqual(found.backtraces.first?.frames.count, 5)
  }

  /// A remark in the place of a name is none, whatever it begins with.
  @Test(arguments: ["← it begins again", "<- here", "// here", ""])
  func remarkBehindAddress(remark: String) throws {
    let found = try report(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Message: Thread stack size exceeded due to excessive recursion
      Thread 0 Crashed:
      0   libswiftCore.dylib  swift_allocObject + 8
      1   Owl     0x102a36be8  \(remark)
      2   Owl     0x102a36c00  -[Nest land] + 8
      3-7 Owl     0x102a36c00  -[Nest land] + 8

      """)
    expectEqual(found.crash.reason, "stack overflow")
    expectEqual(found.crash.frame?.address, "0x102a36be8")
    expectEqual(found.crash.frame?.function, nil)
    expectEqual(found.backtraces.first?.frames.map(\.index), [0, 1, 2, 3])
  }

  /// Somebody wrote one line for the frames that repeat; with two of them, it need be no recursion.
  @Test(
    arguments: [
      ("20-25", "stack overflow: Owl 0x1028f7590 calls itself (× 6)"), ("20-21", "stack overflow"),
    ])
  func numbersOfRepeatedFrames(numbers: String, reason: String) throws {
    let found = try report(
      """
      **Exception Type:** `EXC_BAD_ACCESS (SIGSEGV)`
      **Exception Message:** `Thread stack size exceeded due to excessive recursion`
      ```
      17  Foundation  -[NSUserDefaults boolForKey:]
      18  Owl     0x10292b170  ← here
      19  Owl     0x1028f70c8
      \(numbers) Owl   0x1028f7590  ← again and again
      26  Owl     0x1027bb824
      ```

      """)
    expectEqual(found.crash.reason, reason)
  }

  /// The stack of a handler below which the text breaks off.
  @Test func handlerAtTheEnd() throws {
    let frames = [
      "0   libsystem_kernel.dylib        \t0x00007fff9d74d58a __pthread_kill + 10",
      "1   libsystem_c.dylib             \t0x00007fff914b7c34 abort + 156",
      "2   Owl                           \t0x0000000100005b4e onSignal + 190",
      "3   libsystem_platform.dylib      \t0x00007fff97271817 _sigtramp + 26",
    ]
    try expectReason(
      "Thread 0 Crashed:\n\(frames.joined(separator: "\n"))\n",
      "a signal arrived, which onSignal handled", in: nil)
  }

  /// From the message of the exception on.
  @Test func messageAboveThread() throws {
    let found = try report(
      """
      Exception Message: Thread stack size exceeded due to excessive recursion

      Thread 3 Crashed:
      0   Owl                        \t0x0000000100003627 -[Nest land] + 91
      1   Owl                        \t0x0000000100003727 -[Nest fly] + 92

      """)
    expectEqual(found.crash.reason, "stack overflow")
    expectEqual(found.crash.frame?.function, "-[Nest land]")
  }

  // MARK: Privacy

  private static let idle = """

    Thread 0:: Dispatch queue: com.apple.main-thread
    0   libsystem_kernel.dylib        \t0x7ff81a283552 mach_msg2_trap + 10
    1   libsystem_kernel.dylib        \t0x7ff81a2916cd mach_msg2_internal + 78

    """

  private static let privacy =
    "This app has crashed because it attempted to access privacy-sensitive data without a usage"
    + " description.  The app's Info.plist must contain an NSCameraUsageDescription key"

  /// A report from its termination on, whose crashed thread is not in the text.
  @Test(
    arguments: [
      "Termination Reason:    Namespace TCC, Code 0 \n", "Termination Reason: TCC, ",
      "Application Specific Information:\n",
    ])
  func privacyBesideIdleThread(head: String) throws {
    let found = try report("It says:\n\n\(head)\(Self.privacy)\n\(Self.idle)")
    expectEqual(found.crash.reason?.contains("NSCameraUsageDescription"), true)
    expectEqual(found.crash.frame?.function, nil)
    expectEqual(found.crashedThread, nil)
  }

  /// A report from its termination on: what is between it and the threads does not hide it. `bcmp`
  /// only reads.
  @Test func terminationAboveRegions() throws {
    let found = try report(
      """
      It ends:

      Termination Reason:    Namespace CODESIGNING, Code 0x2

      kernel messages:

      VM Regions Near 0x10061c000:
          __LINKEDIT                  1005a8000-10061c000    [  464K] r--/r-- SM=COW  /opt/*/*.1
      --> mapped file                 10061c000-100620000    [   16K] r--/r-x SM=PRV
          __TEXT                      100634000-10075c000    [ 1184K] r-x/rwx SM=COW  /opt/*/*.dylib

      Application Specific Information:
      dyld: launch, loading dependent libraries
      /opt/lib/libcards.6.dylib

      Thread 0 Crashed:
      0   dyld                          \t0x0000000100988780 bcmp + 16
      1   dyld                          \t0x0000000100949408 ImageLoaderMachO::validateFirstPages(int) + 80

      """)
    expectEqual(found.crash.reason?.hasPrefix("CODESIGNING 0x2"), true)
  }

  /// Without any thread.
  @Test(arguments: ["", "Termination Reason: TCC, "])
  func privacyAlone(start: String) throws {
    let found = try report("My app ends:\n\n\(start)\(Self.privacy)\n")
    expectEqual(found.crash.reason?.contains("NSCameraUsageDescription"), true)
  }

  // MARK: Broken lines

  /// What EndpointSecurity and watchdogs say, in lines that somebody broke or cut.
  @Test(
    arguments: [
      (
        "Termination Reason: Namespace ENDPOINTSECURITY, Code 2,\nEndpointSecurity client terminated because it failed to respond\nto a message before its deadline",
        "ENDPOINTSECURITY 0x2, EndpointSecurity client terminated because it failed to respond to a message before its deadline"
      ),
      (
        "Termination Reason: Namespace ENDPOINTSECURITY, Code 2, EndpointSecurity client terminated because it failed\nto respond to a message\nTriggered by Thread: 0",
        "ENDPOINTSECURITY 0x2, EndpointSecurity client terminated because it failed to respond to a message"
      ),
      (
        "Termination Reason: CAROUSEL, Background App Refresh watchdog transgression. Exhausted wall time allowance of 9.00 seconds.\nTermination Description: SPRINGBOARD, CSLHandleBackgroundRefreshAction watchdog transgression: application<com.example.board>:8 exh",
        "CAROUSEL, Background App Refresh watchdog transgression. Exhausted wall time allowance of 9.00 seconds."
      ),
    ])
  func terminations(text: String, reason: String) throws {
    expectEqual(try report("It says:\n\n```\n\(text)\n```\n").crash.reason, reason)
  }

  private static let drawn = "Fatal error in the deck: the last card was drawn, and nobody gave"

  /// Lines of Application Specific Information. libmalloc and Libc write the last ones.
  @Test(
    arguments: [
      ("\(drawn)\na new one to it\nabort() called", "\(drawn) a new one to it"),
      ("\(drawn)\nabort() called", drawn), ("\(drawn)\nobjc: a new one", drawn),
      // libc++abi prints no more of an exception without a message.
      (
        "terminating with uncaught exception of type board::DeckError: \nabort() called",
        "terminating with uncaught exception of type board::DeckError"
      ),
      ("no cards: it\nis over", "no cards: it"), ("\(drawn).\nit is over", "\(drawn)."),
    ])
  func information(text: String, reason: String) throws {
    let head = "Process: Board [8]\nException Type:  EXC_CRASH (SIGABRT)\n\n"
    let found = try report(
      "\(head)Application Specific Information:\n\(text)\n\nThread 0 Crashed:\n0   Board  0x1000 f + 1\n"
    )
    expectEqual(found.crash.reason, reason)
  }

  /// A word for the name of an exception, as `+[NSException raise:format:]` takes any, above a
  /// function whose name is cut.
  @Test func exceptionNamedByAWord() throws {
    let text = """
      2020-01-05 22:55:54.572 Board[22:51] *** Terminating app due to uncaught exception 'deal', reason: 'no card'
      *** First throw call stack:
      (
      \t0   CoreFoundation   0x00007fff23b98bde __exceptionPreprocess + 350
      \t1   libobjc.A.dylib  0x00007fff503b5b20 objc_exception_throw + 48
      \t2   CoreFoundation   0x00007fff23b98a1c +[NSException raise:format:] + 188
      \t3   Deck             0x0000000102543dde kfun:Deck.dea
      """
    expectEqual(try report(text).crash.reason, "uncaught exception deal: no card")
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(
      lines.dropFirst().first,
      "kfun:Deck.dea… in Deck — uncaught exception deal: no card")
  }

  /// The description of an `NSError`, broken in front of its user info.
  @Test(arguments: ["", "Error Domain=D Code=5 \"(null)\"\n"])
  func errorOfSwift(between: String) throws {
    let words = "A/Deck.swift:7: Fatal error: 'try!' expression unexpectedly raised an error:"
    let error = "Error Domain=D Code=5 \"(null)\""
    let info =
      "UserInfo={NSUnderlyingError=Error Domain=NSPOSIXErrorDomain Code=32 \"Broken pipe\"}"
    let first = between.isEmpty ? "\(words) \(error)\n" : "\(words)\n\(between)"
    expectEqual(
      try report("It ends:\n\n\(first)\(info)\n\nor so\n").crash.reason, "\(words) \(error) \(info)"
    )
  }

  /// Somebody broke the line and indented its parts, of which `NSError` writes those of its
  /// dictionary in any order.
  @Test func errorOfSwiftInIndentedLines() throws {
    let error = """
      A/Deck.swift:7: Fatal error: 'try!' expression unexpectedly raised an error:
        Error Domain=NSURLErrorDomain Code=-1002
        "(null)"UserInfo={
          NSErrorFailingURLKey=ws://deck.example:9080,
          NSLocalizedDescription=unsupported URL,
          NSErrorFailingURLStringKey=ws://deck.example:9080}

      """
    let words =
      "A/Deck.swift:7: Fatal error: 'try!' expression unexpectedly raised an error: Error Domain=NSURLErrorDomain Code=-1002 \"(null)\"UserInfo={NSLocalizedDescription=unsupported URL, …}"
    let stack = """

      💣 Program crashed: Illegal instruction at 0x0000791e0e6e26b8

      Thread 1 crashed:

      0 0x0000791e0e6e26b8 _assertionFailure(_:_:file:line:flags:) + 264 in libswiftCore.so
      1 0x0000791e0e716d76 swift_unexpectedError + 805 in libswiftCore.so
      2 deal() + 74 in deck at /src/A/Deck.swift:7:6

      """
    expectEqual(try report(error + stack).crash.reason, words)
    let end = "\n*** Program crashed: Illegal instruction at 0x00007fb7a36f8d71 ***\n"
    let plain =
      error.split(separator: "\n").prefix(1) + [
        "Error Domain=D Code=5 \"(null)\"", "UserInfo={A=1}",
      ]
    expectEqual(
      try report(plain.joined(separator: "\n") + "\n" + end).crash.reason,
      "\(plain[0]) Error Domain=D Code=5 \"(null)\" UserInfo={A=1}")
    expectEqual(try report("It ends:\n\n\(error)").crash.reason, words)
  }

  /// `abort()` is called by something.
  @Test(arguments: [
    ("1   libsystem_c.dylib  0x2002 abort + 1\n2\n", true),
    ("1   libsystem_c.dylib  0x2002 abort + 1\n2   Board  0x1000 f + 1\n", false),
  ])
  func callerOfAbort(frames: String, isCut: Bool) throws {
    let found = try report(
      "Process: Board [8]\nException Type:  EXC_CRASH (SIGABRT)\n\nThread 0 Crashed:\n0   libsystem_kernel.dylib  0x2001 __pthread_kill + 1\n\(frames)"
    )
    expectEqual(
      found.crash.reason,
      isCut ? "abort() was called; its caller is not in this text" : "abort() was called")
  }

  /// Mail wraps lines, also inside a quotation.
  @Test(arguments: [
    ("8, \"Exec format\nerror\". Terminating\ntemporary process.", "8, \"Exec format error\""),
    ("8, \"Exec format\nerror. Terminating\ntemporary process.", "8, \"Exec format"),
    ("8, \"Exec format error\".\nIt \"ends\".", "8, \"Exec format error\"."),
  ])
  func quotationInWords(words: String, shown: String) throws {
    let found = try report(
      """
      Process: Board [8]
      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      Crashed Thread:  0

      Application Specific Information:
      *** NSTask: Task create for path '/bin/deal' failed: \(words)

      Thread 0 Crashed:
      0   com.apple.Foundation  0x93444cb4 ___NEW_PROCESS_COULD_NOT_BE_EXECD___ + 4

      """)
    expectEqual(
      found.crash.reason, "*** NSTask: Task create for path '/bin/deal' failed: \(shown)")
  }

  // MARK: Words around a report

  private static let created = "A crash report was created with the information:"

  /// The block that a sentence introduces, and the process of a linked report.
  @Test(
    arguments: [
      (
        "\(created)\n\n```\nno cards in \"deck\"\n```\n\n[com.example.Deck-2026-01-02-101112.ips.zip](https://example.com/1)\n",
        "com.example.Deck"
      ),
      (
        "\(created)\n```\nno cards in \"deck\"\n```\nSee `Deck Game-2026-01-02-101112.ips`.\n",
        "Deck Game"
      ),
      (
        "\(created)\n```\nno cards in \"deck\"\n```\nIt wrote Deck_2026-01-02-101112_host.crash here.\n",
        "Deck"
      ),
      (
        "\(created)\n```\nno cards in \"deck\"\n```\nDeck-2026-01-02-101112.ips, Dealer-2026-01-02-101112.ips\n",
        nil
      ),
      ("\(created)\n```\nno cards in \"deck\"\n```\nJetsamEvent-2026-01-02-101112.ips\n", nil),
    ] as [(String, String?)])
  func introducedInformation(text: String, process: String?) throws {
    let found = try report(text)
    expectEqual(found.crash.reason, "no cards in \"deck\"")
    expectEqual(found.process.name, process)
  }

  /// Forms ask for it.
  @Test(
    arguments: [
      "Please create a crash report with this information:\n```\nno cards\n```\n",
      "The crash report has the following information:\n```\nno cards\n```\n",
      "\(created)\n```\nOS Version: 26\nno cards\n```\n", "\(created)\n```\nDeck: 1\n```\n",
      "\(created)\nno cards\n",
      "An archive was created with the information:\n```\nno cards\n```\n",
    ])
  func otherBlocks(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Who dies with an exception that a field names.
  @Test func programBesideField() throws {
    let found = try report(
      "`BoardAssistant` dies with `EXC_GUARD` after launch:\n```\nException Type:  EXC_GUARD\nException Codes: 0x4000000000000005\n```\n"
    )
    expectEqual(found.process.name, "BoardAssistant")
  }

  // MARK: Java

  /// Quoted, and in the log of a program that ran another one.
  @Test(arguments: ["> ", "> # ", "[exec] # ", "2026-02-03 10:00:00 INFO owl - "])
  func quotedHeadOfJava(start: String) throws {
    let lines = [
      "A fatal error has been detected by the Java Runtime Environment:",
      "SIGSEGV (0xb) at pc=0x0000000122dc412f, pid=812, tid=6915", "",
      "JRE version: OpenJDK Runtime Environment (17.0.1+12)", "Problematic frame:",
      "C  [libowl.dylib+0x312f]  Java_owl_Nest_land+0x6b",
    ]
    let text = "When I run it:\n\n" + lines.map { "\(start)\($0)\n" }.joined() + "\nAny ideas?\n"
    try expectReason(text, "SIGSEGV", in: "Java_owl_Nest_land")
  }

  // MARK: Pieces of an .ips

  /// The reason of an exception without its message, in any order, and where the text breaks off.
  @Test(
    arguments: [
      (
        #""arguments":["-[__NSArray0 objectAtIndex:]","7"],"format_string":"*** %s: index %lu beyond bounds (100%%)","name":"NSRangeException"}"#,
        "NSRangeException: *** -[__NSArray0 objectAtIndex:]: index 7 beyond bounds (100%)"
      ),
      (
        #""name":"E","format_string":"%2$@ in %1$-5.3ld, %@","arguments":["1","a \"b\""]}"#,
        #"E: a "b" in 1, 1"#
      ),
      (#""format_string":"%s %","arguments":[]}"#, "… …"),
      (#""format_string":"%s %99$@ %0$@","arguments":["a"]}"#, "a … …"),
      (
        #""arguments":["-[__NSArray0 objectAtIndex:]","7"],"format_string":"*** %s: index %lu beyond"#,
        "*** -[__NSArray0 objectAtIndex:]: index 7 beyond…"
      ),
      (
        #""name":"NSRangeException","composed_message":"*** -[__NSArrayM objectAtIndex:]: ind"#,
        "NSRangeException: *** -[__NSArrayM objectAtIndex:]: ind…"
      ),
      (
        #""arguments":["-[__NSArray0 objectAtIndex:]","7"],"form"#,
        "uncaught exception: … -[__NSArray0 objectAtIndex:] … 7 …"
      ),
    ])
  func composedReason(members: String, reason: String) throws {
    let text = """
        "procName" : "Owl",
        "exception" : {"codes":"0x0","rawCodes":[0,0],"type":"EXC_CRASH","signal":"SIGABRT"},
        "asi" : {"libsystem_c.dylib":["abort() called"]},
        "exceptionReason" : {\(members)
      """
    try expectReason(text, reason, in: nil)
  }

  // MARK: Frames behind `at`

  @Test func framesOfTool() throws {
    let head = """
      $ tool logs

      08:23:20.651 fatal device Native crash: EXC_BREAKPOINT / SIGTRAP / SIGNAL / Trace/BPT trap: 5
          Native stack:

      """
    let frames = """
            at Nest.land(_:) + 328 (Nest.swift:17)
            at @objc Nest.land(_:) (in Owl.debug.dylib) (/<compiler-generated>:0) (Owl.debug.dylib)
            at -[UIApplication run] + 332 (UIKitCore)
            at UIApplicationMain + 124 (UIKitCore)

      """
    try expectReason(
      head + frames,
      "a failed check in Swift code (nil, index, overflow, cast or precondition)",
      in: "Nest.land(_:)")
    let failed = "      at _assertionFailure(_:_:file:line:flags:) + 152 (libswiftCore.dylib)\n"
    let crash = try report(head + failed + frames).crash
    expectEqual(crash.reason, "Swift fatal error or failed precondition, without its message")
    expectEqual(crash.frame?.line, 17)
  }

  // MARK: Comments

  private static let quoted = [
    "Process:         Owl [42]", "Path:            /Applications/Owl.app/Contents/MacOS/Owl",
    "Exception Type:  EXC_RESOURCE", "Exception Subtype: CPU",
    "Exception Message: (Limit 50%) Observed 52% over 180 secs", "Identifier:      com.example.owl",
  ]

  /// A report between the lines of a comment, which goes on in other words.
  @Test(arguments: ["#", "//", ";;", " *", "--", "%"])
  func reportInComment(sign: String) throws {
    let words = (1...12).map { "\(sign) Explanation \($0)\n" }.joined()
    let text =
      "\(sign) Seen in the field:\n\(sign)\n"
      + Self.quoted.map { "\(sign)      \($0)\n" }.joined() + "\(sign)\n\(words)\nmain() {}\n"
    let found = try report(text)
    expectEqual(found.process.name, "Owl")
    expectEqual(found.exception.type, "EXC_RESOURCE")
    expectEqual(found.crash.reason?.contains("Limit 50%"), true)
  }

  // MARK: A frame that is cut

  @Test(arguments: ["0", "0x", "0x0000", "0x00000001012"])
  func frameCutInAddress(address: String) throws {
    let head = """
      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000000000000
      Crashed Thread:        0

      Thread 0 Crashed:

      """
    let found = try report("\(head)0   com.example.OwlDriver \t\(address)")
    expectEqual(found.crash.frame?.imageName, "com.example.OwlDriver")
    expectEqual(found.crash.frame?.function, nil)
    expectEqual(found.crash.kind, "nullPointer")
  }

  /// All of the name is in front of the bracket in which the text ends.
  @Test(
    arguments: [
      ("QMessageLogger::fatal(char const*,", "qFatal() was called (Qt)"),
      ("void kit::Deck<int>::fatal<(kit::Suit)3>(kit::Card, std::vector<int> ", nil),
      ("(anonymous namespace)::fatal(int", nil),
    ])
  func nameCutInArguments(name: String, reason: String?) throws {
    let found = try report(
      """
      Exception Type: EXC_CRASH (SIGABRT)
      Crashed Thread: 0

      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00007fff659c12c2 __pthread_kill + 10
      1   libsystem_c.dylib       0x00007fff6592b6a6 abort + 127
      2   libQt5Core.5.dylib      0x00000001118b085d \(name)
      """)
    if let reason { expectEqual(found.crash.reason, reason) }
    let shown = name.firstRange(of: "fatal").map { name[..<$0.upperBound] } ?? ""
    expectEqual(found.backtraces.last?.frames.last?.function?.hasPrefix(shown), true)
  }

  @Test(
    arguments: [
      "std::function<void(int", "Deck::operator(", "-[Deck draw(", "decltype(x", "f(int) con",
      "closure #1 (Int",
    ])
  func nameCutElsewhere(name: String) throws {
    let found = try report(
      "Thread 0 Crashed:\n0   Board  0x1111b085c f + 10\n1   Board  0x1111b085d \(name)")
    expectEqual(found.backtraces.last?.frames.last?.function, nil)
  }

  // MARK: Without a head

  /// The system writes the backtrace of the last exception only if nobody caught it.
  @Test(arguments: [true, false])
  func lastExceptionAlone(hasException: Bool) throws {
    let found = try report(
      """
      \(hasException ? "Last Exception Backtrace:\n(0x1cc535ea4 0x1cb705a50 0x1cc44eb14 0x100303734)\n" : "")
      Thread 0 name:  Dispatch queue: com.apple.main-thread
      Thread 0 Crashed:
      0   libsystem_kernel.dylib        \t0x00000001cc0cb104 0x1cc0a8000 + 143620
      1   libsystem_pthread.dylib       \t0x00000001cc147020 0x1cc145000 + 8224
      2   libdispatch.dylib             \t0x00000001cbf6e498 0x1cbf0d000 + 398488

      """)
    expectEqual(
      found.crash.reason,
      hasException ? "uncaught exception, which the report does not name" : nil)
  }

  // MARK: A process that never ran

  /// Before it runs its program, a new process has the name of its parent.
  @Test(
    arguments: [
      ("launchd", "/Volumes/Owl/Owl.app/Contents/MacOS/Owl", "Owl"),
      ("launchd", "/sbin/launchd", "launchd"), ("launchd", "/sbin/launchd_old", "launchd"),
      ("Owl", "/Volumes/Owl/Owl.app/Contents/MacOS/Other", "Owl"),
    ])
  func nameOfParent(name: String, path: String, shown: String) throws {
    let text = """
      Process: \(name) [301]
      Path: \(path)
      Identifier: \(name)
      Parent Process: launchd [95]
      Exception Type: EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0xfffffffffffffff8
      Crashed Thread: Unknown

      Backtrace not available

      """
    expectEqual(try report(text).process.name, shown)
  }

  /// What is left of an address is marked as cut. Zeros say nothing: all addresses begin with them.
  @Test(
    arguments: [
      ("0x00", ""), ("0x00007f", " at 0x00007f…"),
      ("0x0000000000000010", " at 0x0000000000000010"),
    ])
  func cutAddresses(address: String, shown: String) {
    let text =
      "Process: Owl [301]\nException Type: EXC_BAD_ACCESS (SIGSEGV)\n"
      + "Exception Subtype: KERN_INVALID_ADDRESS at \(address)"
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(
      lines.first { $0.hasPrefix("EXC_") },
      "EXC_BAD_ACCESS (SIGSEGV): KERN_INVALID_ADDRESS\(shown)")
  }
}
