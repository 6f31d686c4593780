import CrashLogParser
import FileSystem

extension SymbolicatedInput {
  /// An input in an output form.
  struct Rendering: Sendable {
    var content: Content
    /// Why the output form is not possible; the content is then the input.
    var problem: OutputFormProblem?

    init(bytes: [UInt8], problem: OutputFormProblem? = nil) {
      content = .bytes(bytes)
      self.problem = problem
    }

    init(_ json: JsonRenderer) { content = .json(json) }
    init(_ page: HtmlRenderer) { content = .page(page) }

    enum Content: Sendable {
      case bytes([UInt8])
      /// Made while it is written, because it is many times as large as the input.
      case json(JsonRenderer)
      case page(HtmlRenderer)

      /// The same, made now.
      var whole: Content { .bytes(bytes) }

      var bytes: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .json(let renderer): renderer.bytes
        case .page(let renderer): renderer.bytes
        }
      }
    }
  }

  /// - Parameters:
  ///   - shownPath: what to call the input in JSON and in a page.
  ///   - notices: what a page says about the input besides the reports.
  func rendered(
    as form: OutputForm, shownPath: String, notices: @autoclosure () -> HtmlNotices
  ) -> Rendering {
    switch form {
    case .auto:
      completedInput.map { Rendering(bytes: $0) }
        ?? Rendering(bytes: input, problem: .indivisibleWrapping)
    case .ips:
      ipsDocuments.map { Rendering(bytes: $0) } ?? Rendering(bytes: input, problem: .notIps)
    case .crash:
      appleText.map { Rendering(bytes: $0) } ?? Rendering(bytes: input, problem: .noAppleText)
    case .json: Rendering(JsonRenderer(self, inputName: shownPath, .document))
    case .ndjson: Rendering(JsonRenderer(self, inputName: shownPath, .lines))
    case .summary: Rendering(bytes: SummaryRenderer(self).text.pathBytes)
    case .html: Rendering(HtmlRenderer(self, inputName: shownPath, notices: notices()))
    }
  }

  /// The input with the answers in place: text stays text, JSON stays JSON, and a wrapping stays
  /// around its report. A binary report becomes the text that it stands for. Nil if answers cannot
  /// be written into the wrapping.
  var completedInput: [UInt8]? {
    guard let wrapping, !wrapping.isTranslation else { return splicedBytes }
    guard let outer = wrapping.inputEdits(edits.list) else { return nil }
    var edits = ByteEdits()
    for edit in outer { edits.replace(edit.range, with: edit.replacement) }
    return edits.applied(to: input)
  }

  /// The text of the reports with the answers in place.
  var splicedBytes: [UInt8] { edits.applied(to: bytes) }

  private var edits: ByteEdits {
    var edits = ByteEdits()
    for report in reports { report.splicer.splice(report, of: bytes, into: &edits) }
    return edits
  }
}

/// Why an input cannot be written in an output form.
enum OutputFormProblem: Hashable, Sendable {
  /// A report is not Apple's JSON, and cannot be turned into it.
  case notIps
  /// A report has no counterpart in Apple's text format.
  case noAppleText
  /// The input is binary and the output is text, which must not replace it.
  case binaryInput
  /// The input is compressed and the output is not, which must not replace it.
  case compressedInput
  /// The input has the reports in a wrapping whose structure an answer would break.
  case indivisibleWrapping
}
