import JsonReading
package import ReportFormats
public import ReportModel

extension ReportFormat {
  /// A report of PLCrashReporter in its binary format. It is read as the text that it stands for.
  public static let plCrashReporterBinary = ReportFormat(
    FormatTraits(
      schemaName: "plCrashReporterBinary", shortName: ".plcrash",
      unreadable: { _ in
        "is a PLCrashReporter report in its binary format, but has no thread and no image that can be read; it may be cut short"
      }, [.hasStacks, .isBinary, .hasPlaceForSourceLines], appleText: .original, frames: .appleText
    ))
}

/// Recognises binary reports of PLCrashReporter. `PlCrashText` turns one into text, and that is
/// read.
package struct PlCrashReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.plCrashReporterBinary] }
  package var firstBytes: (bytes: [UInt8], format: ReportFormat)? {
    (PlCrashReport.magic, .plCrashReporterBinary)
  }

  package func reports(in input: ReportInput) -> [Report] { [] }
}
