package import ReportSymbolication
import Wording

/// What a page says about its input besides the reports: which symbols are missing and how to get
/// them, and what is wrong with the report or with symbol files.
package struct HtmlNotices: Sendable {
  private let notices: [Notice]
  private let missesSymbols: Bool

  private struct Notice {
    let sentence: String
    /// What to run.
    var command: String?
  }

  /// - Parameters:
  ///   - searched: the directories and archives that were searched for symbols.
  ///   - sourceLines: why source lines are missing, a sentence each.
  ///   - command: the command that says more about missing symbols; nil if it would not help.
  package init(
    about outcome: SymbolicationOutcome, searched: [String], sourceLines: [String],
    command: String?
  ) {
    missesSymbols = outcome.missesSymbols
    var commands: [String: String] = [:]
    for missing in outcome.ownMissingImages {
      commands[missing.message(searched: searched)] = missing.nextStep
    }
    var sentences =
      outcome.symbolFileProblems.map(\.message) + outcome.searchProblems.map(\.message)
      + outcome.serverProblems.map(\.message)
    // The headline of a report counts its frames.
    sentences += outcome.messages(searched: searched).dropFirst().map(\.text)
    sentences += sourceLines
    var notices = sentences.map { Notice(sentence: $0, command: commands[$0]) }
    if let command {
      notices.append(Notice(sentence: PageWords.seeWhy, command: command))
    }
    self.notices = notices
  }

  var isEmpty: Bool { notices.isEmpty }

  /// What its section is called.
  package var heading: String { missesSymbols ? PageWords.missing : PageWords.notes }

  /// Writes the section; nothing if there is nothing to say.
  package func write(to writer: inout HtmlWriter) {
    guard !isEmpty else { return }
    writer.element(.section, .id(.missing), .label(heading)) { writer in
      writer.element(.heading2, text: heading)
      writer.element(.ul, .classes([.notice]), .listRole) { writer in
        for notice in notices {
          writer.element(.li) { writer in
            writer.text(notice.sentence)
            guard let command = notice.command else { return }
            writer.element(.pre, .classes([.command])) { $0.element(.code, text: command) }
          }
        }
      }
    }
  }
}

extension MissingImage {
  /// The command that finds symbols of the image; nil if its identity is not known.
  fileprivate var nextStep: String? {
    ImageDiagnosis(
      image: image, cause: .noCandidate, frameCount: frameCount, namedCount: 0, resolvedCount: 0,
      lineCount: 0
    ).nextStep
  }
}
