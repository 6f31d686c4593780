import CrashLogParser
import ReportSymbolication

/// Writes an `.ips` report as the crash text that Apple's own tools make from it.
///
/// The format is not documented. The order, spaces and blank lines follow texts that Apple's tools
/// made, compared with the reports they were made from (macOS 12 to 26, iOS 15 and 16, simulators).
/// There are three layouts: ``IpsLayout``. Two things differ:
///
/// - a line is left out, label and all, if the report has no value for it;
/// - control characters other than line ends and tabs become U+FFFD, because the text goes to
///   terminals. So do line ends in names and paths, because the rest would look like a line of the
///   report.
///
/// `translate` writes the sections in order, each in a file of its own: `+Head` who and where,
/// `+Exception`, `+Information` texts inside the report, `+Backtraces`, `+ThreadState` the
/// registers, `+Images` to the end.
struct IpsTranslator {
  let symbolicated: SymbolicatedReport
  let body: IpsBody
  let layout: IpsLayout
  package var text = TranslatedText()

  var report: Report { symbolicated.source }

  /// The report as text, which ends with a line end. Nil if the report is not an `.ips`.
  ///
  /// A report that has few of the values gives little text. Backtraces that are not selected are
  /// left out.
  ///
  /// - Complexity: time and memory are proportional to the report.
  static func translate(_ report: SymbolicatedReport) -> [UInt8]? {
    guard report.isTranslatable, let json = report.source.json else { return nil }
    let body = IpsBody(json, header: report.source.header)
    var translator = IpsTranslator(
      symbolicated: report, body: body, layout: IpsLayout(of: body))
    translator.addHead()
    translator.addException()
    translator.addInformation()
    translator.addBacktraces()
    translator.addThreadState()
    translator.addImages()
    translator.addEnd()
    return translator.text.bytes
  }

  static func nonempty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The thread that crashed, or nil.
  var crashedThread: Backtrace? { report.crashedThread }
}
