import CrashLogParser
import Testing

/// The `Key: value` lines.
struct HeaderFieldTests {
  @Test func fieldsKeepTheirOrderTheirSpellingAndTheirPlaces() throws {
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
      report.fields.map(\.key) == [
        "Process", "Path", "Identifier", "Version", "Code Type", "User ID", "Date/Time",
        "OS Version", "Report Version", "Anonymous UUID", "System Integrity Protection",
        "Crashed Thread", "Exception Type", "Exception Codes", "Exception Codes",
      ])
    #expect(report.processName == "x{cte\"st` [Beta]")
    #expect(report.processIdentifier == 8086)
    #expect(report.processPath == "")
    #expect(report.bundleIdentifier == "com.example.app")
    #expect(report.version == "1.0 (1)")
    #expect(report.codeType == "X86-64 (Native)")
    #expect(report.osVersion == "macOS 12.4 (21F79)")
    #expect(report.reportVersion == "12")
    #expect(report.dateTime == "2022-08-03 20:36:47.5 +0900")
    #expect(report.exceptionType == "EXC_BAD_ACCESS (SIGSEGV)")
    #expect(
      report.exceptionCodes == [
        "KERN_INVALID_ADDRESS at 0x1", "0x0000000000000001, 0x0000000000000001",
      ])
    #expect(report.triggeredThreadNumber == 0)
    #expect(report.incidentIdentifier == nil)
    let field = try #require(report.fields.dropFirst(2).first)
    #expect(text[field.byteRange] == "Identifier:            com.example.app")
    #expect(text[field.keyRange] == "Identifier")
    #expect(text[field.valueRange] == "com.example.app")
    expectNesting(report, "fields")
  }

  /// Columns collapsed, no-break spaces, a space before the colon, both spellings of a key.
  @Test func columnsMatterLittle() throws {
    let report = try ParsedText(
      "Process : App\nHardware Model:iPhone17,4\nCrash Reporter Key:\u{a0} K\nVersion:\tA&quot;\n"
        + "Incident Identifier:  I \n"
    ).report
    #expect(report.processName == "App")
    #expect(report.processIdentifier == nil)
    #expect(report.hardwareModel == "iPhone17,4")
    #expect(report.crashReporterKey == "K")
    #expect(report.version == "A\"")
    #expect(report.incidentIdentifier == "I")
  }

  /// iOS writes the region info in the middle of the exception's fields.
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
    #expect(report.terminationReason == "SIGNAL 11 Segmentation fault: 11")
    #expect(report.triggeredThreadNumber == 2)
    #expect(report.images.isEmpty)
    #expect(report.faults.isEmpty)
  }

  /// Text of the application may look like fields; only those of the exception count there.
  @Test func textOfTheApplicationIsNoField() throws {
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
    #expect(report.fields.map(\.key) == ["Incident Identifier", "Process", "Crashed Thread"])
  }
}
