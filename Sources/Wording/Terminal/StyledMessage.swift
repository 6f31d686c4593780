import FileSystem

/// Messages for standard error. Names and paths in them are from strangers, so characters that a
/// terminal would act on are replaced, wherever the messages go.
package enum StyledMessage {
  /// What stands in front of a message.
  package enum Label: Sendable {
    case error
    case warning
    case note
    /// Messages of `atos` are like Apple's.
    case atos
    /// Counts, and lines of lists.
    case none

    fileprivate var program: String {
      switch self {
      case .error, .warning, .note: "symbolicate: "
      case .atos: "atos: "
      case .none: ""
      }
    }

    fileprivate var severity: (word: String, style: TextStyle)? {
      switch self {
      case .error: ("error:", .alarm)
      case .warning: ("warning:", .caution)
      case .note: ("note:", .strong)
      case .atos, .none: nil
      }
    }
  }

  /// A message as files and pipes get it.
  package static func plain(_ label: Label, _ message: String) -> [UInt8] {
    let severity = label.severity.map { $0.word + " " } ?? ""
    let line = label.program + severity + message.shownInMessages
    return Array((line.withoutCommands + "\n").shownPath.utf8)
  }

  /// A message as a terminal gets it: the label in front stands out, and further lines are
  /// indented. A command stays on one line, to be copied, and a message of `atos` as it is.
  package static func line(_ label: Label, _ message: String) -> StyledLine {
    var text = StyledText(label.program)
    if let severity = label.severity {
      text.append(severity.word, severity.style)
      text.append(" ")
    }
    text.append(message)
    let isWhole = label == .atos || endsInCommand(message)
    return StyledLine(text, isWhole ? .whole : .wrap(indent: 2))
  }

  private static func endsInCommand(_ message: String) -> Bool {
    message.contains(": symbolicate ")
  }
}
