import Foundation
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Texts whose characters a page, an editor or an author changed.
struct ChangedCharactersTests {
  /// What becomes of a text.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (String) -> String

    init(_ name: String, _ apply: @escaping @Sendable (String) -> String) {
      (testDescription, self.apply) = (name, apply)
    }
  }

  private static let changes = [
    Change("nothing") { $0 },
    // Word processors, and macOS' own substitution.
    Change("typographic quotation marks") {
      $0.replacing(/'([^'\n]*)'/) { "‘\($0.output.1)’" }
    },
    Change("a no-break space behind a colon") { $0.replacing("reason: ", with: "reason:\u{A0}") },
    Change("a narrow one") { $0.replacing("reason: ", with: "reason:\u{202F}") },
    // Source: html.spec.whatwg.org, "Escaping a string"; Python's html.escape().
    Change("entities") { $0.replacing("'", with: "&#39;") },
    Change("named entities") { $0.replacing("'", with: "&apos;") },
    Change("breaks of a page") { $0.replacing("\n", with: "<br>\n") },
    Change("doubled line ends") { $0.replacing("\n", with: "\n\n") },
    // Source: spec.commonmark.org, section 2.4.
    Change("escapes of Markdown") { $0.replacing("_", with: "\\_") },
  ]

  /// Source: the words of `-[NSException raise]`, as NSLog prints them.
  private static let head =
    "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'no such_card'\n"

  @Test(arguments: changes)
  func exceptionsAboveStacks(change: Change) throws {
    let text =
      Self.head + """
        *** First throw call stack:
        (
        0   CoreFoundation    0x00007fff8d8ab03c __exceptionPreprocess + 172
        1   libobjc.A.dylib   0x00007fff8aff676e objc_exception_throw + 43
        2   Deck              0x0000000104b4d000 -[Deck deal_card] + 44
        3   Deck              0x0000000104b4e000 main + 12
        )

        """
    let crash = try JsonFixture.report(change.apply(text), with: []).crash
    expectEqual(crash.reason, "NSRangeException: no such_card")
    expectEqual(crash.frame?.function, "-[Deck deal_card]")
  }

  @Test(arguments: changes)
  func exceptionsAlone(change: Change) throws {
    let crash = try JsonFixture.report(change.apply("It stops.\n\(Self.head)"), with: []).crash
    expectEqual(crash.reason, "NSRangeException: no such_card")
  }

  @Test func fieldsAlone() throws {
    let text = """
      Exception Type: EXC_BAD_ACCESS (SIGSEGV)<br>
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000018<br>

      """
    expectEqual(
      try JsonFixture.report(text, with: []).crash.reason,
      "access through a null pointer, at offset 0x18")
  }

  /// Quotation marks and spaces of prose change nothing.
  @Test func prose() throws {
    let text = "“Deck” stops:\u{A0}\n\n\(Self.head)It’s “the” card.\n"
    expectEqual(
      try JsonFixture.report(text, with: []).crash.reason, "NSRangeException: no such_card")
  }

  // MARK: Words of virtual machines above their own stacks

  /// Who prints the stack is no place of it, and the words above it are the reason.
  ///
  /// Source: v8/v8, src/base/logging.cc (`V8_Fatal`); nodejs/node, src/node_platform.cc
  /// (`GetStackTracePrinter`); dart-lang/sdk, runtime/platform/assert.cc and
  /// runtime/vm/profiler.cc (`DumpStackTrace`, `Unknown symbol`).
  @Test func machinesThatPrintTheirStack() throws {
    let node = """
      #
      # Fatal error in , line 0
      # Check failed: (deck_) != nullptr.
      #
      #FailureMessage Object: 0x16fa34fd8
      ----- Native stack trace -----

       1: 0x1005384ac node::NodePlatform::GetStackTracePrinter()::$_0::__invoke() [/usr/bin/node]
       2: 0x1019ac730 V8_Fatal(char const*, ...) [/usr/bin/node]
       3: 0x10057e448 node::sqlite::StatementSync::ColumnToValue(int) [/usr/bin/node]

      """
    var crash = try JsonFixture.report(node, with: []).crash
    expectEqual(crash.reason, "Fatal error in , line 0: Check failed: (deck_) != nullptr.")
    let summary = JsonFixture.output(node.utf8, as: .summary, with: [])
    expectContains(summary, "in V8: node::sqlite::StatementSync::ColumnToValue(int) — ")
    let dart = """
      ../../third_party/dart/runtime/vm/deck.cc: 151: error: unreachable code
      version=2.3.0 (Tue Apr 30 20:35:41 2019 +0200) on "ios_dbc"
      thread=37147, isolate=main(0x104049200)
       pc 0x0000000101617420 fp 0x00000001702c8c30 dart::Profiler::DumpStackTrace(void*)
       pc 0x0000000000000001 fp 0x00000001702c8ea0 Unknown symbol
       pc 0x0000000000000000 fp 0x00000001702c9c18 Unknown symbol
      -- End of DumpStackTrace

      """
    crash = try JsonFixture.report(dart, with: []).crash
    expectEqual(
      crash.reason, "../../third_party/dart/runtime/vm/deck.cc: 151: error: unreachable code")
    expectNil(crash.frame?.function)
  }
}
