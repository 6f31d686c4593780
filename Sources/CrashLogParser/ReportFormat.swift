/// The kinds of crash and diagnostic reports that can be told apart, and what else people hand in
/// for them.
public enum ReportFormat: Hashable, Sendable {
  // MARK: What CrashLogParser reads

  /// A crash report as text: of Apple's ReportCrash and its successors, of Xcode's Organizer and
  /// TestFlight, of PLCrashReporter and KSCrash.
  case crashText
  /// The same below one line of JSON: `.ips` files of iOS 9 to 14.
  case crashTextWithJsonHeader
  /// Frame lines alone, with `LOAD + offset`.
  case frameFragment
  /// `.ips` of iOS 15, macOS 12 and later: a crash as two JSON documents (bug type 309).
  case ipsCrash
  /// What the Swift runtime prints when a program crashes.
  case swiftBacktrace
  /// The same as JSON.
  case swiftBacktraceJson

  // MARK: What it names

  /// `.ips`: what was in memory when it ran out (bug types 98, 198 and 298).
  case ipsJetsam
  /// `.ips`: a kernel panic or a forced reset (bug types 10, 110, 151 and 210).
  case ipsPanic
  /// `.ips`: the stacks of all processes (bug type 288).
  case ipsStackshot
  /// `.ips` of any other kind; the type is empty where it could not be read.
  case ips(bugType: String)
  /// A CPU, disk write or wakeups diagnostic as text, made of microstackshots; with a line of JSON
  /// above it or not.
  case microstackshots
  /// The text of `spindump`, and hang and spin reports.
  case spindump
  /// A spindump as encoded binary, which `spindump -i` turns into text.
  case spindumpBinary
  /// The text of `sample`.
  case sample
  /// A kernel panic as text.
  case kernelPanic
  /// A MetricKit payload, or a call stack tree of one.
  case metricKit
  case ksCrashJson
  case plCrashReporterBinary
  /// A property list, as old versions of iTunes wrapped around crash reports. `CrashLogParser` looks
  /// into those that are XML.
  case propertyList
  /// JSON of no kind named here.
  case json
  /// Text in UTF-16, which has to be converted to UTF-8.
  case utf16Text
  /// Anything compressed: gzip, zip, bzip2, xz, zstd.
  case archive
  /// A picture: PNG, JPEG, GIF.
  case picture
  /// A Mach-O or ELF file.
  case objectFile
  case unknown

  /// Names what `bytes` hold, by the first line that says it: text of any length may stand before a
  /// report.
  ///
  /// It reads no further than to that line, except for JSON without one.
  public static func detect(_ bytes: [UInt8]) -> ReportFormat {
    detect(TextSource(bytes: bytes))
  }
}
