package import SymbolicationModel

/// A sentence for standard error, and how much it matters.
package struct Message: Hashable, Sendable {
  package let severity: Severity
  package let text: String
  /// Whether the tally at the end of several reports says it for all of them.
  package var isInTally = false
  /// Whether `--quiet` does not drop it: a place that the user named gave nothing.
  package var isSaidWhenQuiet = false

  package enum Severity: Hashable, Sendable {
    /// Something was not done, and the exit status says so.
    case error
    /// The result may not be what was wanted.
    case warning
    /// What explains the result, and asks for nothing.
    case note
    /// A count, or a line of a list. It is written without a label.
    case plain
  }

  private init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text.withoutControlCharacters
  }

  package static func error(_ text: String) -> Message { Message(.error, text) }
  package static func warning(_ text: String) -> Message { Message(.warning, text) }
  package static func note(_ text: String) -> Message { Message(.note, text) }
  package static func plain(_ text: String) -> Message { Message(.plain, text) }

  /// The same, as a part of the tally of several reports.
  package var inTally: Message {
    var message = self
    message.isInTally = true
    return message
  }

  /// The same, even with `--quiet`.
  package var whenQuiet: Message {
    var message = self
    message.isSaidWhenQuiet = true
    return message
  }

  /// The same about one of several inputs.
  ///
  /// - Parameter path: what to call the input.
  package func about(_ path: String) -> Message {
    severity == .plain ? self : Message(severity, "\(path): \(text)")
  }
}

extension SymbolFileProblem {
  /// An error if a file of the user's cannot be read, which the exit status says too.
  package var shownMessage: Message {
    makesUnreadable ? .error(message) : searchMessage
  }

  /// A warning, because the user did not name the file, or it is used in part.
  package var searchMessage: Message { searchMessage(named: []) }

  /// - Parameter paths: what the user named. With `--quiet`, too, it is said that such a place gave
  ///   nothing. Only given directories must have symbol files.
  package func searchMessage(named paths: [String]) -> Message {
    let isUseless: Bool
    switch kind {
    case .noSymbolFiles: isUseless = true
    case .unusableArchive: isUseless = paths.contains(path)
    default: isUseless = false
    }
    return isUseless ? .warning(message).whenQuiet : .warning(message)
  }
}

extension SymbolFileProblem {
  /// Whether the user's input could not be read: no file, not a symbol file, or a damaged one. The
  /// other problems leave the file usable, or are not damage.
  package var makesUnreadable: Bool {
    switch severity {
    case .partial, .noSymbols: false
    case .notASymbolFile, .unusable: true
    }
  }
}
