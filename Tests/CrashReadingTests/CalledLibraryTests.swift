import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Whose frame the place is: libraries that called through null, handlers that ended the process,
/// and frames that are cut or numbered in another way.
struct CalledLibraryTests {
  private func read(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Calls through null

  private func nullCall(
    _ caller: String, next: String = "com.example.board  0x000000010012b1db drawDeck(int) + 219"
  ) throws -> JsonReport.Crash {
    try read(
      """
      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   ???                             000000000000000000 0 + 0
      1   \(caller)
      2   QtGui                           0x0000000100b7bd25 QApplication::QApplication(int&, char**) + 95
      3   \(next)
      4   com.example.board               0x000000010012e27f main + 9391

      """)
  }

  /// The library holds the pointer, and the program called it.
  @Test func librariesThatCallThroughNull() throws {
    let found = try nullCall("QtGui   0x0000000100c36011 qfontForThemeFont(unsigned short) + 37")
    expectEqual(found.kind, "callThroughNullPointer")
    expectEqual(found.reason, "call through a null pointer; drawDeck(int) called Qt")
    expectEqual(found.library, "Qt")
    // `main` calls all, and another library may do anything in between.
    for next in ["com.example.board  0x10012b1db main + 9", "libSDL2.dylib  0x10012b1db Run + 9"] {
      let other = try nullCall("QtGui  0x100c36011 qfontForThemeFont(short) + 37", next: next)
      expectEqual(other.reason, "call through a null pointer")
    }
  }

  /// Reports of older systems have the identifier of Python's framework in the place of its name.
  @Test func modulesOfPython() throws {
    let found = try read(
      """
      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   ???                 000000000000000000 0 + 0
      1   org.python.python   0x0000000112c7f0dd PyEval_GetLocals + 23
      2   org.python.python   0x0000000112c8e62b PyObject_Dir + 137
      3   deck.so             0x000000010c92bcf8 deck::register_module() + 4328

      """)
    expectEqual(
      found.reason, "call through a null pointer; deck::register_module() called Python")
    expectEqual(found.library, "Python")
  }

  /// The system calls what the program gave it.
  @Test func systemsThatCallThroughNull() throws {
    let found = try nullCall(
      "CoreFoundation   0x00007fff81c36011 CFArrayApplyFunction + 37")
    expectEqual(found.reason, "call through a null pointer in CFArrayApplyFunction")
    expectEqual(found.frame?.function, "drawDeck(int)")
  }

  // MARK: Frames without names

  /// What failed is in another library than the place.
  @Test func faultsInLibrariesWithoutNames() throws {
    let found = try read(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000000
      Process:             Board [812]
      Path:                /Applications/Board.app/Board

      Thread 0 Crashed:
      0   libswiftDemangle.dylib        0x0000000104f871dc 0x104f70000 + 94684
      1   Board                         0x000000010495b270 0x104958000 + 12912

      Binary Images:
      0x104958000 - 0x104963fff Board arm64 <0123456789abcdef0123456789abcdef> /Applications/Board.app/Board
      0x104f70000 - 0x104f8ffff libswiftDemangle.dylib arm64 <1123456789abcdef0123456789abcdef> /usr/lib/libswiftDemangle.dylib

      """)
    expectEqual(found.reason, "access through a null pointer, in libswiftDemangle.dylib")
  }

  /// Who debugs the program put the library there.
  @Test func faultsInWhatXcodeAdds() throws {
    let text = """
      * thread #119, queue = 'com.apple.network.connections', stop reason = EXC_BAD_ACCESS (code=1, address=0xaa1303e0aa000401)
        * frame #0: 0x0000000106976e08 libBacktraceRecording.dylib`__gcd_queue_item_enqueue_hook_block_invoke
          frame #1: 0x00000001084c1e48 libdispatch.dylib`_dispatch_introspection_queue_item_enqueue_hook + 40
          frame #2: 0x000000019b9c56a0 libnetwork.dylib`__nw_connection_write_multiple_block_invoke.214 + 112

      """
    expectEqual(try read(text).kind, "overwrittenPointer")
    expectTrue(
      JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n").contains {
        $0.hasPrefix("__gcd_queue_item_enqueue_hook_block_invoke in libBacktraceRecording.dylib — ")
      })
  }

  // MARK: Exceptions of C++

  /// Functions that only throw say what, and who called them is the place.
  ///
  /// Source: gitlab.gnome.org/GNOME/glibmm, glib/glibmm/error.cc.
  @Test(
    arguments: [
      ("deck::CardError::throw_func(_CardError*)", "deck::draw(int)", ": deck::CardError"),
      ("deck::throw_exception(_CardError*)", "deck::draw(int)", ""),
      ("deck::Board::throw_dice(int)", "deck::Board::throw_dice(int)", nil),
    ])
  func functionsThatThrow(thrower: String, place: String, words: String?) throws {
    let found = try read(
      """
      Thread 0 Crashed:
      9   libcards.1.dylib   0x000000010627b85e \(thrower) + 56
      10  libcards.1.dylib   0x000000010629a022 deck::draw(int) + 150
      11  libboard.dylib     0x00000001044f4053 board::turn(char*) + 75

      """)
    expectEqual(found.frame?.function, place)
    expectEqual(found.reason, words.map { "uncaught C++ exception\($0)" })
  }

  /// Realm's exceptions keep the stack of where they were made, and texts end within addresses.
  ///
  /// Source: github.com/realm/realm-core, src/realm/util/backtrace.hpp.
  @Test(arguments: ["0x00000001", "0x000000010696c"])
  func stacksOfExceptions(address: String) {
    let text = """
      Exception Type:  SIGABRT
      Exception Codes: #0 at 0x1b604195c
      Crashed Thread:  2

      Application Specific Information:
      *** Terminating app due to uncaught exception 'realm::LogicError', reason: 'Wrong row
      Exception backtrace:
      0   Realm                               0x000000010696c3f0 _ZN5realm10LogicErrorC1Ev + 60
      1   Realm                               0x0000000106a2913c _ZNK5realm5Table5checkEv + 120
      2   Realm                               \(address)
      """
    expectEqual(
      JsonFixture.headline(text),
      "in Realm: realm::Table::check() const — realm::LogicError: Wrong row")
  }

  /// A template that is made for a lambda of a library is the library's.
  @Test(
    arguments: [
      ("Realm/RLMDeck", "RLMDeck", "in Realm: RLMDeckInfo.mm:49 in RLMDeckInfo::column("),
      ("Board/Board", "Board", "Board.mm:41 in forEach<"),
    ])
  func templatesOfLambdas(path: String, file: String, place: String) {
    let text = """
      Exception Type: EXC_BAD_ACCESS (SIGBUS)
      Exception Codes: BUS_NOOP at 0x0000000000000010
      Crashed Thread: 0

      Thread 0 Crashed:
      0   Board   0x10097575c   RLMDeckInfo::column(unsigned long) const (RLMDeckInfo.mm:49)
      1   Board   0x100987e20   [inlined] forEach<(lambda at /build/\(path).mm:49:24)> (\(file).mm:41)
      2   Board   0x100987e20   RLMDealCards(int) (RLMDeck.mm:43)

      """
    expectPrefix(JsonFixture.headline(text), place)
  }

  // MARK: Handlers

  /// Source: github.com/microsoft/plcrashreporter, Source/PLCrashReporter.m.
  @Test func handlersOfExceptions() throws {
    let found = try read(
      """
      Exception Type:        EXC_CRASH (SIGABRT)

      Application Specific Information:
      abort() called

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   libsystem_kernel.dylib         0x00007fff72aaf33a __pthread_kill + 10
      1   libsystem_pthread.dylib        0x00007fff72b6be60 pthread_kill + 430
      2   libsystem_c.dylib              0x00007fff72a36808 abort + 120
      3   org.cocoapods.Reports          0x000000010afd3b64 uncaught_exception_handler + 68
      4   com.apple.AppKit               0x00007fff35d43c0d -[NSApplication run] + 215
      5   com.example.board              0x000000010afa4c2f main + 47 (main.m:15)

      """)
    expectEqual(found.kind, "uncaughtException")
    expectEqual(
      found.reason, "uncaught Objective-C exception, which the report does not name")
  }

  /// A program's own handler writes number signs, and addresses in capital letters.
  @Test(arguments: ["#", "    \"#"])
  func framesWithNumberSigns(mark: String) throws {
    let end = mark.contains("\"") ? "\"," : ""
    let lines = [
      "0  Board                    0X00137B9F +[Reports signalHandler:]",
      "1  Board                    0X000FE031 signalHandler()",
      "2  libsystem_platform.dylib 0X39324063 _sigtramp()",
      "3  UIKit                    0X30DD033D -[UIViewController dealloc]",
      "4  CoreFoundation           0X2E52EA41 _CFAutoreleasePoolPop()",
    ].map { "\(mark)\($0)\(end)\n" }.joined()
    let found = try JsonFixture.report("We see this:\n\n\(lines)\n", with: [])
    expectEqual(found.backtraces.first?.frames.count, 5)
    expectEqual(found.backtraces.first?.frames.first?.address, "0x137b9f")
    expectEqual(found.crash.reason?.hasPrefix("a signal arrived here"), true)
  }

  // MARK: Cut texts

  /// The name ended before the text did.
  @Test func framesOfJsonThatBreakOff() throws {
    let text = """
      "threads" : [{"triggered":true,"id":32514,"queue":"com.apple.main-thread","frames":[
      {"imageOffset":40376,"symbol":"__pthread_kill","symbolLocation":8,"imageIndex":0},
      {"imageOffset":500544,"symbol":"abort","symbolLocation":168,"imageIndex":2},
      {"imageOffset":66152,"symbol":"qt_message_fatal(QtMsgType, QString const&)","symbolLocation":12,"imag
      """
    expectEqual(try read(text).reason, "qFatal() was called (Qt)")
    let cut = text.split(separator: "const&").first.map { String($0) } ?? ""
    expectEqual(try read(cut).reason?.contains("qFatal"), false)
  }

  /// All addresses begin with zeros.
  @Test func addressesThatBreakOff() throws {
    let head = "Process: Board [812]\nException Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
    let found = try read("\(head)Exception Subtype: KERN_INVALID_ADDRESS at 0x00")
    expectEqual(found.reason, "access where no memory is mapped; the address is cut off")
    let fields = try JsonFixture.report(
      "\(head)Exception Subtype: KERN_INVALID_ADDRESS at 0x00007", with: [])
    expectEqual(fields.crash.reason, found.reason)
  }

  @Test func recursionsThatBreakOff() throws {
    let rounds = (0..<2).map { round in
      """
      \(2 * round + 1)  Board  0x000000010012b1db drawDeck (Deck.m:16)
      \(2 * round + 2)  Board  0x000000010012c2f1 drawBoard

      """
    }
    let top = "Thread 0 Crashed:\n0  CoreFoundation  0x00000001a00fcca8 CFStringCreateCopy\n"
    let found = try read(top + rounds.joined())
    expectEqual(
      found.reason,
      "an endless recursion, possibly, as far as the text goes: drawDeck and drawBoard call each other (× 2)"
    )
    expectEqual(found.confidence, "possible")
    // With what started it, it is no recursion without an end.
    let whole = try read(top + rounds.joined() + "5  Board  0x000000010012e27f main + 12\n")
    expectEqual(whole.reason, nil)
  }

  @Test func wordsThatBreakOff() throws {
    let found = try read(
      """
      Process: Board [812]
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x00003d098d8ec850
      Crashed Thread:  8

      Application Specific Information:
      objc_msgSend() se
      """)
    expectEqual(found.reason?.contains("objc_msgSend() se"), false)
  }
}
