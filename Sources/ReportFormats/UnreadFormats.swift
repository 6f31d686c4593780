import JsonReading
public import ReportModel

// Formats that are only recognised, so that a message can say what an input is instead of a report.

extension ReportFormat {
  /// `.ips` of any kind that is not read; the type is empty if it cannot be read.
  public static func ips(bugType: String) -> ReportFormat {
    ReportFormat(otherIpsTraits, detail: bugType)
  }

  private static let otherIpsTraits = FormatTraits(
    schemaName: "ipsOther",
    unreadable: { bugType in
      bugType == "224"
        ? "is a message log of rtcreportingd (.ips type 224), which is not a crash report"
        : "is an .ips report of type '\(bugType)', which is not a crash report"
    },
    [.hasStacks, .mayBeWrapped, .mayPrecedeText, .isUncertain])

  /// A property list, which old versions of iTunes wrapped around crash reports. Reports inside XML
  /// property lists are read.
  public static let propertyList = unread(
    "propertyList", "is a property list without a crash report",
    [.mayHoldText, .mayBeWrapped, .isUncertain])
  /// JSON of an unknown kind.
  public static let json = unread(
    "json", "is JSON, but not a known kind of report",
    [.mayBeWrapped, .mayPrecedeText, .isUncertain, .saysLittle])
  /// Text in UTF-16. Reports in it are read.
  public static let utf16Text = unread(
    "utf16Text", "is UTF-16 text without a crash report",
    [.mayBeWrapped, .isBinary, .isUncertain, .saysLittle])
  /// A compressed file: gzip, zip, bzip2, xz or zstd.
  public static let archive = unread(
    "archive", "is compressed; unpack it first", [.isBinary, .isUncertain])
  /// A picture: PNG, JPEG, GIF.
  public static let picture = unread(
    "picture", "is a picture; give the report as text", [.isBinary, .isUncertain])
  /// Text with fonts, as an editor saves it (RTF). Reports in it are read.
  public static let richText = unread(
    "richText", "is rich text (RTF) without a crash report; save the report as plain text",
    [.mayHoldText, .mayBeWrapped])
  /// A page of the web (HTML). Reports in it are read.
  public static let webPage = unread(
    "webPage", "is a web page (HTML) without a crash report; save the report itself as a file",
    [.mayHoldText, .mayBeWrapped])
  /// A Mach-O or ELF file.
  public static let objectFile = unread(
    "objectFile",
    "is a Mach-O or ELF file; give the report first, and symbol files after it or with -d",
    [.isBinary, .isUncertain])
  /// None of these.
  public static let unknown = unread(
    "unknown", "has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'",
    [.mayHoldText, .mayBeWrapped, .isUncertain, .saysLittle])

  private static func unread(
    _ name: String, _ sentence: String, _ marks: FormatTraits.Marks
  ) -> ReportFormat {
    ReportFormat(
      FormatTraits(
        schemaName: name, unreadable: { _ in sentence },
        // What may hold Apple's text is tried with it.
        family: marks.contains(.mayHoldText) ? "crashText" : nil,
        marks.union(.hasStacks)))
  }
}
