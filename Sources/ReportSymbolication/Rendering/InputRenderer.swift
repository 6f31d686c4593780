import CrashLogParser
import FileSystem

extension SymbolicatedInput {
  /// An input in an output form.
  struct Rendering: Sendable {
    var content: Content
    /// Why the output form is not possible; the content is then the input.
    var problem: OutputFormProblem?
    /// Whether the content has the control sequences of this program and no others.
    var isPainted = false

    init(bytes: [UInt8], problem: OutputFormProblem? = nil, isPainted: Bool = false) {
      content = .bytes(bytes)
      self.problem = problem
      self.isPainted = isPainted
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
  ///   - look: what the output is made for.
  ///   - notices: what a page says about the input besides the reports.
  func rendered(
    as form: OutputForm, shownPath: String, look: TerminalLook = .plain,
    notices: @autoclosure () -> HtmlNotices
  ) -> Rendering {
    var rendering = rendered(as: form, shownPath: shownPath, notices: notices(), look)
    // JSON has colours of its own in the programs that show it, and pages have a style.
    guard look.isPainted, rendering.problem == nil, [.auto, .crash].contains(form),
      case .bytes(let bytes) = rendering.content
    else { return rendering }
    rendering.content = .bytes(ReportPainter(self, look).painted(bytes))
    rendering.isPainted = true
    return rendering
  }

  private func rendered(
    as form: OutputForm, shownPath: String, notices: @autoclosure () -> HtmlNotices,
    _ look: TerminalLook
  ) -> Rendering {
    switch form {
    case .auto where look.isTerminal: shownOnTerminal
    case .auto:
      completedInput.map { Rendering(bytes: $0) }
        ?? Rendering(bytes: input, problem: .indivisibleWrapping)
    case .ips:
      ipsDocuments.map { Rendering(bytes: $0) } ?? Rendering(bytes: input, problem: .notIps)
    case .crash:
      appleText.map { Rendering(bytes: $0) } ?? Rendering(bytes: input, problem: .noAppleText)
    case .json: Rendering(JsonRenderer(self, inputName: shownPath, .document))
    case .ndjson: Rendering(JsonRenderer(self, inputName: shownPath, .lines))
    case .summary:
      Rendering(bytes: SummaryRenderer(self, look).bytes, isPainted: look != .plain)
    case .html: Rendering(HtmlRenderer(self, inputName: shownPath, notices: notices()))
    }
  }

  /// The input with the answers in place, for a terminal: text that is in a binary wrapping, such
  /// as UTF-16, without it.
  private var shownOnTerminal: Rendering {
    guard let completed = completedInput else {
      return Rendering(bytes: input, problem: .indivisibleWrapping)
    }
    let isReadable = wrapping == nil || !BinaryContent.isBinary(completed)
    return Rendering(bytes: isReadable ? completed : splicedBytes)
  }

  /// Whether people read Apple's text more easily than the input: it is JSON from its first
  /// character on, and has such a text.
  var isReadAsText: Bool {
    let shown = shownReports
    guard !shown.isEmpty,
      shown.allSatisfy({
        [.translation, .model].contains($0.source.format.traits.appleText)
      })
    else { return false }
    let start = bytes.first { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
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
