import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What is nearer to the end than another sign: the frame that ends the process, the user's
/// function behind one that the compiler made, the words above a debugger's frames, a line that
/// says why.
struct NearerWordsTests {
  private typealias Report = TrapReportFixture

  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Frames

  /// Swift's check of an actor asks for the class of an executor, and the Objective-C runtime ends
  /// the process in it.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-runtime-new.mm
  /// (`checkIsKnownClass`), objc-weak.mm, objc-initialize.mm.
  @Test(
    arguments: [
      (
        ["lookUpImpOrForward", "_objc_msgSend_uncached", "swift_getObjectType"],
        "a message to an object with an unknown or damaged class, as after it was freed or overwritten"
      ),
      (
        ["weak_register_no_lock", "objc_initWeak"],
        "a weak reference to an object that is being deallocated"
      ),
      (
        ["performForkChildInitialize(objc_class*, objc_class*)", "initializeNonMetaClass"],
        "+initialize may have been running in another thread at fork()"
      ),
      (
        ["AutoreleasePoolPage::busted_die()", "objc_autoreleasePoolPop"],
        "a damaged autorelease pool, or one that was emptied twice"
      ),
      (["class_addMethod"], nil),
    ] as [([String], String?)])
  func fatalErrorsBelowChecksOfActors(functions: [String], words: String?) throws {
    let frames =
      [
        "__abort_with_payload", "abort_with_reason",
        "_objc_fatalv(unsigned long long, unsigned long long, char const*, char*)",
        "_objc_fatal(char const*, ...)",
      ] + functions + [
        "swift_task_isCurrentExecutorWithFlagsImpl(swift::SerialExecutorRef, swift::swift_task_is_current_executor_flag)"
      ]
    let lines = frames.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    let found = try read(
      Report.report(
        lines + [Report.stated(lines.count, 0x1_0000_1000, "-[Board draw] + 12")],
        head: "Exception Type:  EXC_CRASH (SIGABRT)")
    ).crash
    expectEqual(found.kind, "objectiveCRuntime")
    expectEqual(
      found.reason,
      "fatal error of the Objective-C runtime" + (words.map { ": \($0)" } ?? ""))
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// Cr4shed's guess counts if there are no frames, and if it is one.
  @Test(
    arguments: [
      ("Page.dylib", "", ", Cr4shed names Page.dylib as the culprit"), ("Unknown", "", ""),
      ("Page.dylib", "Call stack:\n0   Page.dylib   0x00000001068f1f48 0x1068e8000 + 40776\n", ""),
    ])
  func culpritsOfCr4shed(culprit: String, stack: String, end: String) throws {
    let found = try read(
      """
      Date: 8/27/20, 9:55 PM
      Process: Board
      Bundle id: com.example.board
      Device: iPad, iOS 13.6.1

      Exception type: EXC_SOFTWARE (SIGABRT)
      Exception subtype: EXC_UNIX_ABORT
      Culprit: \(culprit)
      \(stack)
      """
    )
    expectEqual(found.crash.reason, "EXC_SOFTWARE (SIGABRT): EXC_UNIX_ABORT\(end)")
  }

  /// Swift's compiler makes the function that allocates an object of an imported class.
  @Test(
    arguments: [
      ("NSFileHandle.__allocating_init()", "loadDeck()"),
      ("__C.UIScreen.__allocating_init()", "loadDeck()"),
      ("Deck.__allocating_init()", "Deck.__allocating_init()"),
      ("Board.NSDeck.__allocating_init()", "Board.NSDeck.__allocating_init()"),
      ("UInt.__allocating_init()", "UInt.__allocating_init()"),
    ])
  func allocatorsOfImportedClasses(function: String, place: String) throws {
    let found = try read(
      """
      Date: 8/20/22, 7:40 PM
      Process: SpringBoard
      Bundle id: com.apple.springboard
      Device: iPhone 12, iOS 14.4.1
      Exception type: EXC_BREAKPOINT (SIGTRAP)
      Exception codes: 0x0000000000000000, 0x00000001afb83a18
      Culprit: Board.dylib
      Triggered by thread: 0
      Call stack:
      0   libswiftCore.dylib    0x00000001afbe6834 0x1afb4d000 + 628788     // swift_unexpectedError
      1   Board.dylib           0x00000001068f1f48 0x1068e8000 + 40776      // \(function)
      2   Board.dylib           0x00000001068f1fcc 0x1068e8000 + 40908      // loadDeck()

      """
    ).crash
    expectEqual(found.frame?.function, place)
    expectEqual(found.reason, "try! of an expression that threw an error")
  }

  /// A framework has no `main`.
  @Test(arguments: [("main + 465 (main.cpp:55)", 55), ("main + 465", nil)] as [(String, Int?)])
  func programsCalledLikeFrameworks(function: String, line: Int?) throws {
    let found = try read(
      """
      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000000000000

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   ???               000000000000000000 0 + 0
      1   OpenGL            0x00000001026c3d71 \(function)
      2   libdyld.dylib     0x00007fff7efbd015 start + 1

      """
    ).crash
    expectEqual(found.reason, "call through a null pointer")
    expectEqual(found.frame?.function, "main")
    expectEqual(found.frame?.line, line)
  }

  /// What a build with bitcode hid names nothing.
  @Test(arguments: ["_hidden#23", "__hidden#23_"])
  func hiddenNames(name: String) throws {
    let found = try read(
      """
      Fatal Exception: NSInvalidArgumentException
      0  CoreFoundation       0x13296c __exceptionPreprocess
      1  libobjc.A.dylib      0x6028 objc_exception_throw
      2  UIKitCore            0xa72c24 -[UIResponder doesNotRecognizeSelector:]
      3  CoreFoundation       0x137048 ___forwarding___
      4  CoreFoundation       0x1393a0 _CF_forwarding_prep_0
      5  BoardKit             0x3a698 \(name) + 52 (_hidden#22:52)
      6  UIKitCore            0xa43a60 UIApplicationMain

      """
    ).crash
    expectEqual(
      found.reason?.hasSuffix("unrecognized selector sent to an object by BoardKit"), true)
  }

  // MARK: Lines

  /// The words of TCC are on the console, above what a debugger shows.
  @Test(arguments: ["signal SIGABRT", "EXC_CRASH (SIGABRT)"])
  func privateDataAboveADebuggersFrames(stop: String) throws {
    let report = try read(
      """
      2017-07-10 15:28:15.712379+0800 Board[10623:4723298] [access] This app has crashed because it attempted to access privacy-sensitive data without a usage description.  The app's Info.plist must contain an NSCameraUsageDescription key with a string value explaining to the user how the app uses this data.
      (lldb) bt
      * thread #3, queue = 'com.apple.root.default-qos', stop reason = \(stop)
        * frame #0: 0x0000000184bcfd74 libsystem_kernel.dylib`__abort_with_payload + 8
          frame #1: 0x0000000187de8498 TCC`__CRASHING_DUE_TO_PRIVACY_VIOLATION__ + 224
          frame #2: 0x0000000187de83b8 TCC`__TCCAccessRequest_block_invoke.73 + 684

      """)
    expectEqual(report.crash.reason?.contains("NSCameraUsageDescription"), true)
    expectEqual(report.process.name, "Board")
    expectEqual(report.process.pid, 10623)
  }

  /// Source: the codes: Technical Note TN2151.
  @Test(
    arguments: [
      ("0x8badf00d", "watchdog: it took too long"),
      ("0xdead10cc", "held a file or database lock while suspended"),
    ])
  func codesOfEarlySamples(code: String, meaning: String) throws {
    let report = try read(
      """
      {"os_version":"iPhone OS 8.1 (12B410)","bug_type":"188"}
      Incident Identifier: 74577713-FB02-40FB-A2AC-38BC294C2310
      Hardware Model:      iPad2,5
      OS Version:          iPhone OS 8.1 (12B410)
      Date:                2016-05-04 20:57:43 -0600
      Exception Code:      \(code)
      Reason:              com.example.board failed to launch in time

      """)
    expectEqual(
      report.crash.reason, "\(code) (\(meaning)), com.example.board failed to launch in time")
    expectEqual(report.process.name, "com.example.board")
    expectEqual(report.date, "2016-05-04 20:57:43 -0600")
  }

  /// Up to Swift 5.3, the place is at the end of a message, which may have several lines.
  @Test(
    arguments: [
      "Fatal error: ", "2020-01-15 12:31:35.810204+0100 Board Extension[257:30961] Fatal error: ",
    ])
  func messagesOfSeveralLines(head: String) throws {
    let report = try read(
      """
      It stops at once.

      \(head)No observable object of type Deck.Type found.
      A View.environmentObject(_:) for Deck.Type may be missing as an ancestor of this view.: file /Core/EnvironmentObject.swift, line 161

      """)
    expectEqual(
      report.crash.reason,
      "Fatal error: No observable object of type Deck.Type found. A View.environmentObject(_:) for Deck.Type may be missing as an ancestor of this view.: file /Core/EnvironmentObject.swift, line 161"
    )
    expectEqual(report.process.name, head.count > 13 ? "Board Extension" : nil)
  }

  @Test(arguments: ["ObservableObject", "observable object", "Observable object"])
  func missingEnvironmentObject(kind: String) throws {
    let words =
      "No \(kind) of type Deck found. A View.environmentObject(_:) for Deck may be missing as an ancestor of this view."
    expectEqual(try read("\(words)\n").crash.reason, words)
  }

  /// A sentence names the function that calls itself, and the fields below it the exception.
  @Test(
    arguments: [
      "`-[BoardPlugIn setTile:]` calls itself until it hits the guard page → `EXC_BAD_ACCESS (SIGSEGV)`.\n\n"
        + "Exception:  EXC_BAD_ACCESS (SIGSEGV), KERN_PROTECTION_FAILURE\n"
        + "Message:    Could not determine thread index for stack guard region\n",
      "`-[BoardPlugIn setTile:]` re-enters itself until the stack guard page: `EXC_BAD_ACCESS (SIGSEGV)`.\n\n"
        + "Exception:  EXC_BAD_ACCESS (SIGSEGV), KERN_PROTECTION_FAILURE\n",
      "`EXC_BAD_ACCESS (SIGSEGV)`: infinite recursion in -[BoardPlugIn setTile:], a stack overflow\n",
    ])
  func recursionInSentences(text: String) throws {
    let found = try read("The plug-in stops.\n\n\(text)").crash
    expectEqual(found.reason, "stack overflow")
    expectEqual(found.frame?.function, "-[BoardPlugIn setTile:]")
  }

  @Test(
    arguments: [
      "Infinite recursion in `Deck.turn(_:)` may cause EXC_BAD_ACCESS.\n",
      "If `Deck.turn(_:)` calls itself, the stack overflow is `EXC_BAD_ACCESS (SIGSEGV)`.\n",
      "Message: Could not determine thread index for stack guard region\n",
    ])
  func recursionInDocuments(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Number and image, the place, and the function, each on a line of its own.
  @Test func placesOnLinesOfTheirOwn() throws {
    let found = try read(
      """
      #14
      Crashed: com.apple.root.default-qos
      EXC_BREAKPOINT 0x00000001006938ac
       Raw
      0\tBoardStore\t
      Deck.swift line 12
      Deck.turn(Int) -> ()
      1\tlibdispatch.dylib\t
      _dispatch_client_callout + 16
      2\tBoard\t
      AppDelegate.swift line 40
      specialized AppDelegate.run() -> ()

      """
    ).crash
    expectEqual(found.frame?.function, "Deck.turn(Int) -> ()")
    expectEqual(found.frame?.line, 12)
    expectEqual(
      found.reason, "a failed check in Swift code (nil, index, overflow, cast or precondition)")
  }
}
