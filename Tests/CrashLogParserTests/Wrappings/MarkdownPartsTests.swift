import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Reports that somebody retold in Markdown: fields in lists and tables, frames in tables.
///
/// Source: github.github.com/gfm.
struct MarkdownPartsTests {
  @Test(
    arguments: [
      """
      - **Exception Type:** `EXC_BAD_ACCESS (SIGSEGV)`
      - **Exception Subtype:** `KERN_INVALID_ADDRESS at 0x0000000000000010`
      - **App Bundle ID:** `com.example.board`
      - **Report kind:** a guess
      """,
      """
      1. **Exception type**: EXC_BAD_ACCESS (SIGSEGV)
      2. **Subtype**: KERN_INVALID_ADDRESS at 0x0000000000000010
      3. **Bundle ID**: com.example.board
      """,
      """
      | Field | Value |
      | --- | --- |
      | Exception | `EXC_BAD_ACCESS (SIGSEGV)` |
      | **Exception Subtype** | KERN_INVALID_ADDRESS at 0x0000000000000010 |
      | Bundle Identifier | com.example.board |
      """,
      """
      - Exception Type: EXC_BAD_ACCESS (SIGSEGV)
      - Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000010
      - Identifier: com.example.board
      """,
      """
      ### Exception Type: EXC_BAD_ACCESS (SIGSEGV)
      ### Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000010
      ### Identifier: com.example.board
      """,
      // Without the colon, or the capitals.
      """
      Exception Type\tEXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype\tKERN_INVALID_ADDRESS at 0x0000000000000010
      Identifier\tcom.example.board
      """,
      """
      Exception Type = EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype     KERN_INVALID_ADDRESS at 0x0000000000000010
      Identifier：com.example.board
      """,
      """
      ```
      exception type: EXC_BAD_ACCESS (SIGSEGV)
      exception_subtype: KERN_INVALID_ADDRESS at 0x0000000000000010
      identifier: com.example.board
      ```
      """,
      """
      Exception Type: `EXC_BAD_ACCESS (SIGSEGV)`
      * Exception Subtype: `KERN_INVALID_ADDRESS at 0x0000000000000010`
      __Identifier:__ com.example.board
      """,
    ])
  func fields(text: String) throws {
    let facts = try ParsedText("# What happened\n\n\(text)\n\nThat is all.\n").report.facts
    expectEqual(facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000010")
    expectEqual(facts.process.bundleIdentifier, "com.example.board")
  }

  /// The fields count above frames, too.
  @Test(
    arguments: [
      """
      | Process | Board [77] |
      | Exception Type | EXC_CRASH (SIGKILL) |
      | Termination Reason | RUNNINGBOARD 0xdead10cc |
      """,
      """
      - Process: Board [77]
      - Exception Type: EXC_CRASH (SIGKILL)
      - Termination Reason: RUNNINGBOARD 0xdead10cc
      """,
      """
      process: Board [77]
      exception type: EXC_CRASH (SIGKILL)
      termination reason: RUNNINGBOARD 0xdead10cc
      """,
    ])
  func fieldsAboveFrames(text: String) throws {
    let report = try ParsedText("\(text)\n\n\(Self.stack)").report
    expectEqual(report.facts.process.name, "Board")
    expectEqual(report.facts.exception.signal, "SIGKILL")
    expectEqual(report.facts.termination.code, 0xdead_10cc)
    expectEqual(report.crashedThread?.frames.map(\.symbol?.name), ["Deck.deal()", "main"])
  }

  /// One such line is a sentence of somebody's own.
  @Test(arguments: ["- Process: of elimination", "process: of elimination", "Version   two"])
  func oneLineIsNoHead(line: String) throws {
    let report = try ParsedText("\(line)\n\n\(Self.stack)").report
    expectNil(report.facts.process.name)
    expectEmpty(report.facts.fields)
  }

  private static let stack = """
    Thread 0 Crashed:
    0   Board  0x0000000104b4c000 Deck.deal() + 176
    1   Board  0x0000000104b4d000 main + 44

    """

  /// A field below it is none of its details.
  @Test func endWithAFieldBelow() throws {
    let facts = try ParsedText(
      """
      - **Termination Reason:** `0x8BADF00D` (a watchdog)
      - **Report kind:** scene-update
      - **Process:** Board [812]

      """
    ).report.facts
    expectEqual(facts.termination.code, 0x8bad_f00d)
    expectEqual(facts.termination.indicator, "a watchdog")
    expectEmpty(facts.termination.details)
    expectEqual(facts.process.identifier, 812)
  }

  /// With or without marks, with other titles and columns.
  @Test(
    arguments: [
      """
      | Frame | Image | Function / Symbol |
      | :--- | :--- | :--- |
      | 0 | Board | `Board.turn(_:) + 51096` |
      | 1 | **Kit** | `operator|(int) + 8` |
      | 2 | dyld | start + 4 |
      """,
      """
      | # | Function | Image |
      |---|---|---|
      | 0 | `Board.turn(_:) + 51096` | `Board` |
      | 1 | `operator|(int) + 8` | Kit |
      | 2 | start + 4 | dyld |
      """,
      """
      |#|Binary|Address|Method|
      |--:|---|---|---|
      |#0|Board|`0x0000000104a1c2f0`|Board.turn(_:) + 51096|
      |#1|Kit|0x0000000104b1c2f0|operator\\|(int) + 8|
      |#2|dyld|0x0000000104c1c2f0|start + 4|
      """,
    ])
  func frames(text: String) throws {
    let report = try ParsedText("The stack:\n\n\(text)\n\nEnd.\n").report
    let frames = report.backtraces.flatMap(\.frames)
    expectEqual(frames.map(\.index), [0, 1, 2])
    expectEqual(frames.map(\.imageName), ["Board", "Kit", "dyld"])
    expectEqual(frames.map { $0.symbol?.offset }, [51096, 8, 4])
    expectEqual(frames.first?.symbol?.name, "Board.turn(_:)")
  }

  /// What is in a block of code stays, and gets its reason from the list above it.
  @Test func listAboveABlock() throws {
    let report = try ParsedText(
      """
      **Exception Type:** `EXC_BREAKPOINT (SIGTRAP)`
      **Process:** `Board`
      **Triggered by Thread:** 6

      ```
      Thread 6 Crashed:
      0   Board   0x0000000104a1c2f0 Board.turn() + 12
      1   Board   0x0000000104a1c3f0 main + 12
      ```

      """
    ).report
    expectEqual(report.facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(report.facts.process.name, "Board")
    expectEqual(report.crashedThread?.frames.count, 2)
  }

  /// The heading of the thread is bold, and frames without a name have their addresses only.
  @Test(arguments: ["```\n", ""])
  func boldHeading(fence: String) throws {
    let report = try ParsedText(
      """
      **Exception Type:** `EXC_BAD_ACCESS (SIGBUS)`
      **Exception Message:** `Thread stack size exceeded due to excessive recursion`

      **Thread 2 (Crashed):**
      \(fence)0   libswiftCore.dylib   swift_allocObject + 144
      1   Board                0x0000000104e414d4
      2   Board                0x0000000104e414d4
      3   Board                main + 20
      \(fence)
      """
    ).report
    expectEqual(report.facts.exception.signal, "SIGBUS")
    expectEqual(report.crashedThread?.number, 2)
    let frames = report.crashedThread?.frames ?? []
    expectEqual(frames.map { $0.address?.value }, [nil, 0x1_04e4_14d4, 0x1_04e4_14d4, nil])
    expectEqual(frames.map(\.imageName), ["libswiftCore.dylib", "Board", "Board", "Board"])
  }

  /// Tables of other things, and fields of none.
  @Test(
    arguments: [
      "| Frame | Image | Comment |\n|---|---|---|\n| 0 | a.jpg | `x + 1` |\n| 1 | b.jpg | y |\n",
      "| Build | Result |\n|---|---|\n| 1 | holds |\n",
      "- **Exception Management:** see below\n- **Note:** none\n",
    ])
  func otherLists(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// The thread in a field, and frames that begin anywhere in a block of code. Of several such
  /// crashes, the first is read.
  @Test func framesBelowFields() throws {
    let report = try ParsedText(
      """
      ## Crash #1

      **Time:** 10:00
      **Thread:** Thread 6 (Crashed)
      **Exception:** EXC_CRASH (SIGABRT)

      ### Stack:
      ```
      11  Board  -[Deck turn] + 140 (Deck.m:12)
      12  Board  -[Deck deal:] + 56
      ```

      ## Crash #2

      **Thread:** Thread 5 (Crashed)
      **Exception:** EXC_GUARD

      ```
      39  Kit    -[Page load] + 8
      ```

      """
    ).report
    expectEqual(report.facts.exception.type, "EXC_CRASH")
    expectEqual(report.crashedThread?.number, 6)
    expectEqual(report.allFrames.map { $0.symbol?.name }, ["-[Deck turn]", "-[Deck deal:]"])
    expectEqual(report.allFrames.map(\.index), [11, 12])
  }
}
