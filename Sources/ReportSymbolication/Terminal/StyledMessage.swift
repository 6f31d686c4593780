import FileSystem

/// Messages for standard error. Names and paths in them are from strangers, so characters that a
/// terminal would act on are replaced, wherever the messages go.
package enum StyledMessage {
  /// A message as files and pipes get it.
  package static func plain(_ message: String) -> [UInt8] {
    Array((message.shownInMessages + "\n").shownPath.utf8)
  }

  /// A message as a terminal gets it: the label in front, `symbolicate: error:`, stands out, and
  /// further lines are indented. A command stays on one line, to be copied.
  ///
  /// Messages of `atos` are as they are, like Apple's.
  package static func line(_ message: String) -> StyledLine {
    if message.hasPrefix("atos: ") { return StyledLine(StyledText(message), .whole) }
    return StyledLine(styled(message), endsInCommand(message) ? .whole : .wrap(indent: 2))
  }

  private static func styled(_ message: String) -> StyledText {
    for program in ["", "symbolicate: "] where message.hasPrefix(program) {
      let rest = message.dropFirst(program.count)
      guard let label = labels.first(where: { rest.hasPrefix($0.word) }) else { continue }
      var text = StyledText(program)
      text.append(label.word, label.style)
      text.append(String(rest.dropFirst(label.word.count)))
      return text
    }
    return StyledText(message)
  }

  private static let labels: [(word: String, style: TextStyle)] = [
    ("error:", .alarm), ("warning:", .caution), ("note:", .strong),
  ]

  private static func endsInCommand(_ message: String) -> Bool {
    message.contains(": symbolicate ")
  }
}
