import JsonReading
public import ReportModel

extension ReportFormat {
  /// A crash report as text, from Apple's ReportCrash and its successors, Xcode's Organizer,
  /// TestFlight, PLCrashReporter or KSCrash.
  public static let crashText = ReportFormat(
    .appleText("crashText", "crash text", noThreads))
  /// A crash report as text below one line of JSON: `.ips` files of iOS 9 to 14.
  public static let crashTextWithJsonHeader = ReportFormat(
    .appleText("crashTextWithJsonHeader", "crash text", noThreads))
  /// What `leaks` prints: the stacks on which memory was allocated that is in use no more. Its
  /// frames are written with the outermost first.
  public static let leaks = ReportFormat(
    .appleText("leaks", "leaks", "looks like a report of leaks, but has no stack that can be read"))
  /// Only frame lines, with `LOAD + offset`.
  public static let frameFragment = ReportFormat(
    .appleText(
      "frameFragment", "frame lines",
      "has lines that look like stack frames, but none of them can be read"))

  private static let noThreads =
    "looks like a crash report, but has no thread and no binary image that can be read"
}

extension FormatTraits {
  fileprivate static func appleText(
    _ name: String, _ shortName: String, _ sentence: String
  ) -> FormatTraits {
    FormatTraits(
      schemaName: name, shortName: shortName, unreadable: { _ in sentence }, family: "crashText",
      [.isReport, .hasStacks, .mayHoldText, .mayBeWrapped, .hasPlaceForSourceLines],
      appleText: .original, frames: .appleText)
  }
}
