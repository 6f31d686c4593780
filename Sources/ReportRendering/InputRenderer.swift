import CrashLogParser
import FileSystem
import ReportCompletion
package import ReportSymbolication
package import Wording

extension SymbolicatedInput {
  /// An input in an output form.
  package struct Rendering: Sendable {
    package var content: Content
    /// Why the output form is not possible; the content is then the input.
    package var problem: OutputFormProblem?
    /// Whether the content has the control sequences of this program and no others.
    package var isPainted = false

    package init(bytes: [UInt8], problem: OutputFormProblem? = nil, isPainted: Bool = false) {
      content = .bytes(bytes)
      self.problem = problem
      self.isPainted = isPainted
    }

    package init(_ json: JsonRenderer) { content = .json(json) }
    package init(_ page: HtmlRenderer) { content = .page(page) }

    package enum Content: Sendable {
      case bytes([UInt8])
      /// Made while it is written, because it is many times as large as the input.
      case json(JsonRenderer)
      case page(HtmlRenderer)

      /// The same, made now.
      package var whole: Content { .bytes(bytes) }

      package var bytes: [UInt8] {
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
  package func rendered(
    as form: OutputForm, shownPath: String, look: TerminalLook = .plain,
    notices: @autoclosure () -> HtmlNotices
  ) -> Rendering {
    var rendering = rendered(as: form, shownPath: shownPath, notices: notices(), look)
    // JSON has colours of its own in the programs that show it, and pages have a style.
    guard look.isPainted || look.width != nil, rendering.problem == nil,
      [.auto, .crash].contains(form),
      case .bytes(let bytes) = rendering.content
    else { return rendering }
    rendering.content = .bytes(ReportPainter(input: self, look: look).painted(bytes))
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
    case .markdown: Rendering(bytes: MarkdownRenderer(self).bytes)
    case .html: Rendering(HtmlRenderer(input: self, inputName: shownPath, notices: notices()))
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
  package var isReadAsText: Bool {
    let shown = shownReports
    guard !shown.isEmpty,
      shown.allSatisfy({
        [.translation, .model].contains($0.source.format.traits.appleText)
      })
    else { return false }
    let start = bytes.first { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
  }
}

/// Why an input cannot be written in an output form.
package enum OutputFormProblem: Hashable, Sendable {
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

extension OutputFormProblem {
  /// One sentence: why there is no such output, and what to use instead.
  ///
  /// - Parameter path: what to call the input.
  package func message(path: String) -> String {
    switch self {
    case .notIps:
      "\(path) is a text report, which cannot be converted to .ips; use --format json, which takes any report"
    case .noAppleText:
      "\(path) has no counterpart in Apple's text format; use --format json, which takes any report"
    case .binaryInput:
      "\(path) is binary, and its result is text, which will not replace it; use -o"
    case .compressedInput:
      "\(path) is compressed, and its result is not and will not replace it; use -o"
    case .indivisibleWrapping:
      "\(path) has formatting inside the lines to complete, so it stays as it is; use --format crash, which writes the report as plain text"
    }
  }
}

package enum OutputFormMessages {
  /// Follows the sentence about an input that would pass as it is.
  package static let binaryOnTerminal =
    "; it is binary, so it is not copied to the terminal: give -o FILE, or a pipe"
}
