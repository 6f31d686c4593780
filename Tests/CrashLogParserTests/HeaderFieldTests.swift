import CrashLogParser
import SymbolicationModel
import Testing

/// The `Key: value` lines of a text report.
struct HeaderFieldTests {
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
    #expect(report.format == .crashText)
    #expect(
      report.facts.fields.map(\.name) == [
        "Process", "Path", "Identifier", "Version", "Code Type", "User ID", "Date/Time",
        "OS Version", "Report Version", "Anonymous UUID", "System Integrity Protection",
        "Crashed Thread", "Exception Type", "Exception Codes", "Exception Codes",
      ])
    let facts = report.facts
    #expect(facts.process.name == "x{cte\"st` [Beta]")
    #expect(facts.process.identifier == 8086)
    #expect(facts.process.path == nil)
    #expect(report.fields("Path") == [""])
    #expect(facts.process.bundleIdentifier == "com.example.app")
    #expect(facts.process.version == "1.0 (1)")
    #expect(report.fields("Code Type") == ["X86-64 (Native)"])
    #expect(facts.codeType == "X86-64")
    #expect(facts.architecture == .x86_64)
    #expect(facts.isTranslated == false)
    #expect(facts.system.name == "macOS")
    #expect(facts.system.version == "12.4")
    #expect(facts.system.build == "21F79")
    #expect(report.fields("Report Version") == ["12"])
    #expect(facts.date == "2022-08-03 20:36:47.5 +0900")
    #expect(facts.exception.type == "EXC_BAD_ACCESS")
    #expect(facts.exception.signal == "SIGSEGV")
    #expect(
      report.fields("Exception Codes") == [
        "KERN_INVALID_ADDRESS at 0x1", "0x0000000000000001, 0x0000000000000001",
      ])
    #expect(facts.exception.codes == [1, 1])
    #expect(facts.exception.subtype == "KERN_INVALID_ADDRESS at 0x1")
    #expect(facts.crashedThread == 0)
    #expect(facts.incident == nil)
    let field = try #require(facts.fields.dropFirst(2).first)
    #expect(field.name == "Identifier")
    #expect(field.value == "com.example.app")
    #expect(text.text(field.byteRange) == "Identifier:            com.example.app")
    expectNesting(report, "fields")
  }

  /// Collapsed columns, no-break spaces, a space before the colon, both spellings of a key.
  @Test func columnsMatterLittle() throws {
    let report = try ParsedText(
      "Process : App\nHardware Model:iPhone17,4\nCrash Reporter Key:\u{a0} K\nVersion:\tA&quot;\n"
        + "Incident Identifier:  I \n"
    ).report
    #expect(report.facts.process.name == "App")
    #expect(report.facts.process.identifier == nil)
    #expect(report.facts.hardwareModel == "iPhone17,4")
    #expect(report.facts.crashReporterKey == "K")
    #expect(report.facts.process.version == "A\"")
    #expect(report.facts.incident == "I")
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
    #expect(report.fields("Termination Reason") == ["SIGNAL 11 Segmentation fault: 11"])
    #expect(report.facts.termination.namespace == "SIGNAL")
    #expect(report.facts.termination.code == 11)
    #expect(report.facts.termination.indicator == "Segmentation fault: 11")
    #expect(report.fields("Triggered by Thread") == ["2"])
    #expect(report.facts.crashedThread == 2)
    #expect(report.images.isEmpty)
    #expect(report.faults.isEmpty)
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
    #expect(
      report.facts.fields.map(\.name) == ["Incident Identifier", "Process", "Crashed Thread"])
  }
}
