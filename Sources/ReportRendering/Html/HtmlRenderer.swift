import CrashLogParser
import ReportSymbolication
import Wording

/// Writes the reports of an input as one page.
package struct HtmlRenderer: Sendable {
  let input: SymbolicatedInput
  let inputName: String
  /// What is said about the input besides the reports.
  let notices: HtmlNotices

  package var bytes: [UInt8] {
    var writer = HtmlWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Writes everything in pieces, so that the whole is never in memory.
  ///
  /// - Throws: what `write` throws; it is then not called again.
  package func write<Failure: Error>(
    to write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try writePieces(to: write) { take in
      var writer = HtmlWriter(take: take)
      self.write(to: &writer)
    }
  }

  private func write(to writer: inout HtmlWriter) {
    let shown = input.shownReports
    let isAlone = shown.count == 1
    let reports = shown.enumerated().map { index, report in
      HtmlReport(
        report, index: index, input.options, headingLevel: isAlone ? 1 : 2,
        opensMostSampled: shown.count <= Self.fewReports)
    }
    let title = HtmlReport.title(of: reports, inputName: inputName)
    let page = HtmlPage(title: isAlone ? reports.first?.pageTitle ?? title : title)
    page.write(to: &writer) { writer in
      if isAlone, let report = reports.first {
        report.writeHeading(to: &writer)
        report.writeContents(notices: notices, to: &writer)
      } else {
        writer.element(.heading1, text: title)
        if let target = HtmlReport.target(of: reports), let story = target.story {
          writer.element(.p, .classes([.where])) {
            $0.element(.a, .link(.report(target.index)), text: story)
          }
        }
        writeContents(of: reports, to: &writer)
      }
      writer.frameTools()
    } main: { writer in
      if isAlone, let report = reports.first {
        report.write(to: &writer, inputName: inputName) { notices.write(to: &$0) }
      } else {
        notices.write(to: &writer)
        for report in reports {
          writer.element(.section, .id(.report(report.index)), .label(report.sectionLabel)) {
            writer in
            report.writeHeading(to: &writer)
            report.write(to: &writer, inputName: nil) { _ in }
          }
        }
      }
    }
  }

  /// Of more reports than this, samples and hangs are all folded.
  private static let fewReports = 5

  private func writeContents(of reports: [HtmlReport], to writer: inout HtmlWriter) {
    guard !reports.isEmpty else { return }
    writer.element(.nav, .label(PageWords.contents)) { writer in
      writer.element(.ol) { writer in
        for report in reports {
          writer.element(.li) { writer in
            writer.element(.a, .link(.report(report.index)), text: report.title)
            guard let reason = report.reason else { return }
            writer.space()
            writer.element(.span, .classes([.detail]), text: shortened(reason, to: 160))
          }
        }
      }
    }
  }
}

extension HtmlRenderer {
  /// The page for an input that holds no report. The input itself could be a page with a script.
  ///
  /// - Parameter problems: why there is none, a sentence each.
  package static func pageWithoutReport(problems: [String]) -> [UInt8] {
    var writer = HtmlWriter()
    HtmlPage(title: PageWords.noReport).write(to: &writer) { writer in
      writer.element(.heading1, text: PageWords.noReport)
    } main: { writer in
      for problem in problems { writer.element(.p, text: problem) }
    }
    return writer.bytes
  }
}
