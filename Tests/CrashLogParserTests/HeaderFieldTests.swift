import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// The `Key: value` lines of a text report.
struct HeaderFieldTests {
  /// Where a text ends within the name of a field, that is no detail of the termination above it.
  @Test(
    arguments: [
      ("Terminating Proce", []), ("Terminating Process", []), ("Triggered by", []), ("Except", []),
      ("Terminating Proce\n\nThread 0 Crashed:\n0  Board  0x10 draw + 4\n", ["Terminating Proce"]),
      ("Library missing", ["Library missing"]), ("Term", ["Term"]),
    ] as [(String, [String])])
  func nameThatBreaksOff(end: String, details: [String]) throws {
    let facts = try ParsedText(
      """
      Process:               Board [2209]
      Identifier:            com.example.board
      Report Version:        12

      Crashed Thread:        16

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)

      Termination Signal:    Segmentation fault: 11
      Termination Reason:    Namespace SIGNAL, Code 0xb
      \(end)
      """
    ).report.facts
    expectEqual(facts.termination.details, details)
  }

  @Test func fieldsKeepTheirOrderSpellingAndRanges() throws {
    let text = try ParsedText(
      """
      Process:               x{cte"st` [Beta] [8086]
      Path:                  
      Identifier:            com.example.app
      Version:               1.0 (1)
      Code Type:             X86-64 (Native)
      User ID:               501

      Date/Time:             2022-08-03 20:36:47.5 +0900
      OS Version:            macOS 12.4 (21F79)
      Report Version:        12
      Anonymous UUID:        2A2C

      System Integrity Protection: enabled

      Crashed Thread:        0  Dispatch queue: com.apple.main-thread

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x1
      Exception Codes:       0x0000000000000001, 0x0000000000000001

      Thread 0 Crashed:
      0   App 0x10 f + 1
      Late Field: 1
      """)
    let report = try text.report
    expectEqual(report.format, .crashText)
    expectEqual(
      report.facts.fields.map(\.name),
      [
        "Process", "Path", "Identifier", "Version", "Code Type", "User ID", "Date/Time",
        "OS Version", "Report Version", "Anonymous UUID", "System Integrity Protection",
        "Crashed Thread", "Exception Type", "Exception Codes", "Exception Codes",
      ])
    let facts = report.facts
    expectEqual(facts.process.name, "x{cte\"st` [Beta]")
    expectEqual(facts.process.identifier, 8086)
    expectNil(facts.process.path)
    expectEqual(report.fields("Path"), [""])
    expectEqual(facts.process.bundleIdentifier, "com.example.app")
    expectEqual(facts.process.version, "1.0 (1)")
    expectEqual(report.fields("Code Type"), ["X86-64 (Native)"])
    expectEqual(facts.codeType, "X86-64")
    expectEqual(facts.architecture, .x86_64)
    expectEqual(facts.isTranslated, false)
    expectEqual(facts.system.name, "macOS")
    expectEqual(facts.system.version, "12.4")
    expectEqual(facts.system.build, "21F79")
    expectEqual(report.fields("Report Version"), ["12"])
    expectEqual(facts.date, "2022-08-03 20:36:47.5 +0900")
    expectEqual(facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(
      report.fields("Exception Codes"),
      [
        "KERN_INVALID_ADDRESS at 0x1", "0x0000000000000001, 0x0000000000000001",
      ])
    expectEqual(facts.exception.codes, [1, 1])
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x1")
    expectEqual(facts.crashedThread, 0)
    expectNil(facts.incident)
    let field = try require(facts.fields.dropFirst(2).first)
    expectEqual(field.name, "Identifier")
    expectEqual(field.value, "com.example.app")
    expectEqual(text.text(field.byteRange), "Identifier:            com.example.app")
    expectNesting(report, "fields")
  }

  /// Collapsed columns, no-break spaces, a space before the colon, both spellings of a key.
  @Test func columnsMatterLittle() throws {
    let report = try ParsedText(
      "Process : App\nHardware Model:iPhone17,4\nCrash Reporter Key:\u{a0} K\nVersion:\tA&quot;\n"
        + "Incident Identifier:  I \n"
    ).report
    expectEqual(report.facts.process.name, "App")
    expectNil(report.facts.process.identifier)
    expectEqual(report.facts.hardwareModel, "iPhone17,4")
    expectEqual(report.facts.crashReporterKey, "K")
    expectEqual(report.facts.process.version, "A\"")
    expectEqual(report.facts.incident, "I")
  }

  /// iOS writes the region info among the fields of the exception.
  @Test func tablesOfRegionsDoNotEndTheHead() throws {
    let report = try ParsedText(
      """
      Process: App [1]
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      VM Region Info: 0 is not in any region.  Bytes before following region: 4308566016
            REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
            UNUSED SPACE AT START
      --->  
            __TEXT                   100cf8000-100cfc000 [   16K] r-x/r-x SM=COW  /var/App
      Termination Reason: SIGNAL 11 Segmentation fault: 11

      Triggered by Thread:  2

      Thread 2 Crashed:
      0   App 0x10 f + 1
      """
    ).report
    expectEqual(report.fields("Termination Reason"), ["SIGNAL 11 Segmentation fault: 11"])
    expectEqual(report.facts.termination.namespace, "SIGNAL")
    expectEqual(report.facts.termination.code, 11)
    expectEqual(report.facts.termination.indicator, "Segmentation fault: 11")
    expectEqual(report.fields("Triggered by Thread"), ["2"])
    expectEqual(report.facts.crashedThread, 2)
    expectEmpty(report.images)
    expectEmpty(report.faults)
  }

  /// Text that the application wrote may look like fields; only those of the exception count there.
  @Test func textOfTheApplicationIsNotAField() throws {
    let report = try ParsedText(
      """
      Incident Identifier: I
      Process: App [1]

      Application Specific Information:
      Fatal error: nothing here
      Version: 9

      Path: /nowhere
      Crashed Thread: 3

      Thread 0:
      0   App 0x10 f + 1
      """
    ).report
    expectEqual(
      report.facts.fields.map(\.name), ["Incident Identifier", "Process", "Crashed Thread"])
  }

  /// Who shortens a report may put its head below the thread, as a paragraph of its own.
  @Test func headBelowTheThread() throws {
    let report = try ParsedText(
      """
      Process:               App [8086]
      Code Type:             X86-64 (Native)

      Thread 7 Crashed:: audio
      0   App 0x12da3f484 f + 1204
      Termination Reason: not in a paragraph of its own

      Crashed Thread:        7  audio

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x7f83a19e001c

      Thread 7 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000000  rbx: 0x0000000000000001
      """
    ).report
    expectEqual(
      report.facts.fields.map(\.name),
      ["Process", "Code Type", "Crashed Thread", "Exception Type", "Exception Codes"])
    expectEqual(report.allFrames.map(\.imageName), ["App"])
    expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
  }
}
