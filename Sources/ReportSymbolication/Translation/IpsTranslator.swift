package import CrashLogParser

/// Writes a report as JSON (`.ips`) as the crash text that Apple's own tools make of it.
///
/// What is written where, and with which spaces and blank lines, follows texts that Apple's tools made of
/// reports that are at hand too (macOS 12 to 26, iOS 15 and 16, simulators): the format is not documented.
/// There are three layouts, ``IpsLayout``. Two things are not as there:
///
/// - what the report lacks is left out with its line, label and all;
/// - control characters other than line ends and tabs are U+FFFD, because the text goes to terminals,
///   and so are line ends in names and paths, because the next line would pass for one of the report's.
///
/// The way through: `translate` writes the sections in order, each in a file of its own:
/// `+Head` who and where, `+Exception`, `+Information` what was put into the report as text, `+Backtraces`,
/// `+ThreadState` the registers, `+Images` to the end.
package struct IpsTranslator {
  let report: IpsReport
  let layout: IpsLayout
  var text = TranslatedText()

  private init(report: IpsReport) {
    self.report = report
    self.layout = IpsLayout(of: report)
  }

  /// A list of frames in a report.
  package enum Backtrace: Hashable, Sendable {
    /// That of the thread with this ``IpsThread/index``.
    case thread(Int)
    /// Where the exception was thrown that nobody caught.
    case lastException
  }

  /// The report as text. It ends with a line end.
  ///
  /// Never fails: a report from which everything is missing gives little text. Time and memory are
  /// proportional to the report.
  ///
  /// - Parameter frames: the frames to show for a backtrace, innermost first; ``frames(of:in:)`` for
  ///   what the report itself says. Nil leaves the backtrace out. Asked once for each.
  package static func translate(
    _ report: IpsReport, frames: (Backtrace) -> [Frame]?
  ) -> [UInt8] {
    var translator = IpsTranslator(report: report)
    translator.addHead()
    translator.addException()
    translator.addInformation()
    translator.addBacktraces(frames)
    translator.addThreadState()
    translator.addImages()
    translator.addEnd()
    return translator.text.bytes
  }
}
