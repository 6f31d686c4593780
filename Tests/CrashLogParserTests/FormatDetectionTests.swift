import CrashLogParser
import TestSupport
import Testing

/// Formats that are recognised but not read, by the first bytes of real files.
struct FormatDetectionTests {
  static let beginnings: [(String, ReportFormat)] = [
    ("{\"app_name\":\"A\",\"bug_type\":\"309\"}\n{\n  \"uptime\" : 1\n}\n", .ipsCrash),
    ("{\"bug_type\":\"298\",\"os_version\":\"x\"}\n{\n}", .ipsJetsam),
    ("{\"bug_type\":\"210\"}\n{\n\"panicString\":\"Process: A [1]\\nPath: /A\"}", .ipsPanic),
    ("{\"bug_type\":\"151\"}\n{}", .ipsPanic),
    ("{\"bug_type\":288}\n{}", .ipsStackshot),
    ("{\"bug_type\":\"211\"}\n{\"a\":1}\n{\"b\":2}\n", .ips(bugType: "211")),
    ("{\n  \"bug_type\" : \"309\"\n}\n{\n}\n", .ipsCrash),
    ("{\"bug_type\":\"202\"}\nDate/Time: 2020-01-01\n", .microstackshots),
    ("{\"bug_type\":\"224\"}\n(2019-04-20) [splunk -> flush] {\n", .ips(bugType: "224")),
    (
      "Date/Time:       2000-12-31\nEnd time: 2\nOS Version: 1\nData Source:     Microstackshots\n",
      .microstackshots
    ),
    ("Sleep Wake failure in EFI\n\nDate/Time: 2017\nOS Version: 1\nSteps:  9\n", .spindump),
    ("Use spindump -i to generate textual report\n", .spindumpBinary),
    ("Sampling process 28202 for 3 seconds with 1 millisecond of run time\n", .sample),
    ("Analysis of sampling App (pid 1) every 1 millisecond\nProcess: App [1]\nPath: /A\n", .sample),
    ("null\npanic(cpu 0 caller 0xfffffe0045682fac):\n", .kernelPanic),
    ("Anonymous UUID:       6C\n\nSat Jun 16\n\n*** Panic Report ***\n", .kernelPanic),
    ("{\n  \"timeStampEnd\" : \"x\",\n  \"timeStampBegin\" : \"y\"}", .metricKit),
    ("{\n  \"callStacks\": [ ] }", .metricKit),
    ("{\"report\":{\"version\":\"3.1.0\",\"process_name\":\"A\"}}", .ksCrashJson),
    ("{\"crash\":{\"report\":1},\"binary_images\":[]}", .ksCrashJson),
    ("{\"a\":\"instruction_addr\",\"debug_meta\":{}}", .sentryEvent),
    ("{\"stacktrace\":[],\"frameAddress\":0}", .bugsnagEvent),
    ("{\"binary_address\":0,\"symbol_address\":0}", .measureException),
    ("{ \"timestamp\": \"2025\", \"kind\": \"crashReport\", \"x\": 1}", .swiftBacktraceJson),
    ("About to crash\n\n*** Signal 11: Backtracing from 0x104... done ***\n", .swiftBacktrace),
    ("\n*** Program crashed: Bad pointer dereference ***\n", .swiftBacktrace),
    ("💣 Program crashed: Illegal instruction\n", .swiftBacktrace),
    ("*** Exception c0000005: Backtracing from 0x7ff715ac1... done ***\n", .swiftBacktrace),
    ("Hello\n==7==ERROR: AddressSanitizer: SEGV on unknown address\n", .sanitizer),
    ("==24137== ERROR: AddressSanitizer: heap-use-after-free\n", .sanitizer),
    ("==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n", .sanitizer),
    ("    WARNING: ThreadSanitizer: data race (pid=7)\n", .sanitizer),
    ("plcrash\u{1}\u{2}", .plCrashReporterBinary), ("bplist00abc", .propertyList),
    ("PK\u{3}\u{4}", .archive), ("GIF89a", .picture), ("\u{7f}ELF", .objectFile),
    // Below JSON of any kind, whole or not, as in a log.
    ("{\"a\":1}\n*** Program crashed: Bad pointer dereference ***\n", .swiftBacktrace),
    ("{\n \"kind\": 1\n}\n\n*** Program crashed: x ***\n", .swiftBacktrace),
    ("{\"a\n*** Program crashed: Bad pointer dereference ***\n", .swiftBacktrace),
    ("[]\nSampling process 28202 for 3 seconds with 1 millisecond of run time\n", .sample),
    ("{\"a\":1}\n{\"b\":2}\n", .json), ("{\"a\":1", .json),
    ("{\"a\":1}", .json), ("[1]", .json), ("[\n1]", .json), ("[[1, 2]]", .json),
    ("Hello\nWorld\n", .unknown), ("[12:34:56] Hello\n", .unknown), ("[7] Hello\n", .unknown),
    ("[12:34:56] \n[12:34:57] *** Program crashed: Illegal instruction\n", .swiftBacktrace),
    // Below other text, by a line.
    ("Body:\n{\"report\":{\"process_name\":\"A\"}}\n", .ksCrashJson),
    ("Body:\n{\n  \"binary_images\": [\n", .ksCrashJson),
    ("Body:\n{\n  \"debug_meta\": {\n", .sentryEvent),
    ("Body:\n  \"frameAddress\": \"0x1\",\n", .bugsnagEvent),
    ("Body:\n[{\"binary_address\":\"1\",\"symbol_address\":\"2\"}]\n", .measureException),
    ("Body:\n{\n  \"kind\" : \"crashReport\",\n", .swiftBacktraceJson),
    ("Body:\n{ \"a\": 1, \"kind\": \"crashReport\" }\n", .swiftBacktraceJson),
    ("Body:\n{\n  \"callStacks\" : 1\n", .metricKit),
    ("Body:\n{\n  \"kind\" : \"other\",\n  \"report\": 1\n", .unknown),
  ]

  @Test(arguments: beginnings)
  func named(text: String, format: ReportFormat) {
    expectEqual(ReportFormat.detect(Array(text.utf8)), format)
    #expect(throws: CrashLogParseError.noReportFound(format)) { try ParsedText(text) }
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47], ReportFormat.picture), ([0xFF, 0xD8, 0xFF, 0xE0], .picture),
      ([0xFF, 0xFE, 0x49, 0x00], .utf16Text), ([0x1F, 0x8B, 0x08], .archive),
      ([0xCF, 0xFA, 0xED, 0xFE], .objectFile),
    ] as [([UInt8], ReportFormat)])
  func namedByMagic(bytes: [UInt8], format: ReportFormat) {
    expectEqual(ReportFormat.detect(bytes), format)
  }

  @Test(arguments: [
    ("Process: A [1]\nPath: /A\n", ReportFormat.crashText),
    ("{\"bug_type\":\"109\"}\nIncident Identifier: I\n", .crashTextWithJsonHeader),
    ("{\"bug_type\":\"185\"}\nIncident Identifier: I\n", .crashTextWithJsonHeader),
    ("Thread 0:\n0   A 0x1 f + 1\n", .crashText), ("0   A 0x1010 0x1000 + 16\n", .frameFragment),
  ])
  func readable(text: String, format: ReportFormat) {
    expectEqual(ReportFormat.detect(Array(text.utf8)), format)
  }
}
