import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What a summary calls the process if its name is not in a field.
struct ProcessNameTests {
  private func process(_ text: String) -> String {
    let line = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n").first
    return String((line ?? "").prefix { $0 != "," })
  }

  /// Up to macOS 10.15 or so, frames have the identifiers of bundles: the system's begin with
  /// Apple's. A name with `.so` in it is no library of Linux.
  @Test(
    arguments: [
      ("dev.solitaire.Board", "process with dev.solitaire.Board"),
      ("libdeck.so", "unknown process"), ("libdeck.so.6", "unknown process"),
    ])
  func identifiersOfBundles(image: String, name: String) {
    let text = """
      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   \(image)             \t0x000000010a89be28 0x10a88f000 + 52776
      1   \(image)             \t0x000000010a89b3bc 0x10a88f000 + 50108
      2   com.apple.CardBluetooth       \t0x00007fff30a3f271 -[CBDeck handleMsg:] + 1703
      3   libdispatch.dylib             \t0x00007fff20310623 _dispatch_call_block_and_release + 12

      """
    expectEqual(process(text), name)
  }

  /// ReportCrash puts stars in the place of the names below the folder of a user.
  ///
  /// Source: how paths look in reports of macOS 10.10 and later.
  @Test(arguments: [("Board", "Board"), ("*", "unknown process"), ("*.4", "unknown process")])
  func regionsOfHiddenPrograms(file: String, name: String) {
    let text = """
      Crashed Thread:        0  Dispatch queue: com.apple.main-thread

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000000000012

      VM Regions Near 0x12:
      -->
          __TEXT                 000000010db25000-000000010db27000 [    8K] r-x/rwx SM=COW  /Users/USER/*/\(file)

      """
    expectEqual(process(text), name)
  }

  /// iOS has a folder for each app, whose name is a UUID.
  @Test(
    arguments: [
      ("C3638525-CEC0-4BAC-9E02-", "unknown process"),
      ("C3638525-CEC0-4BAC-9E02-0123456789AB", "unknown process"), ("C3638525", "C3638525"),
      ("C3638525-CEC0-4BAC-9E02-0123456789AB/Board.app/Board", "Board"),
      ("Cafe-Board", "Cafe-Board"),
    ])
  func pathsThatBreakOff(end: String, name: String) {
    let text = """
      Incident Identifier: 2C31E04E-7BA9-430E-9643-D5A2F7D81359
      Hardware Model: iPad5,1
      Path: /private/var/containers/Bundle/Application/\(end)
      Code Type: ARM-64 (Native)

      Exception Type: EXC_CRASH (SIGABRT)
      Triggered by Thread: 2

      Last Exception Backtrace:
      (0x182031128 0x195d44480 0x104420880 0x195d1fd30)

      """
    expectEqual(process(text), name)
  }

  /// The log of a device below an exception, if one program wrote it.
  @Test(
    arguments: [
      (["Card Board[812]", "Card Board[812]"], "Card Board"),
      (["Card Board[812]"], "unknown process"),
      (["Card Board[812]", "Deck[813]"], "unknown process"),
      // These write about the crashes of others.
      (["SpringBoard[58]", "SpringBoard[58]"], "unknown process"),
    ])
  func logBelow(writers: [String], name: String) {
    let log = writers.map { writer in
      "2026-01-02 10:00:00.8592 -0700    info 0x2e663 0x578ab \(writer) (CardKit): a turn\n"
    }
    let text = """
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'no card 5'

      Last Exception Backtrace:
      (0x20ccf178 0x205dac68 0x20bd5c04 0x20cd310c)

      Logs
      \(log.joined())
      """
    expectEqual(process(text), name)
  }
}
