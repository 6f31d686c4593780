import SymbolicationModel

extension ReleaseCheck {
  /// A table for people: a line for each slice, with what is wrong below it; notes; and the tally.
  package var text: String {
    let rows = images.map { image in
      [
        image.verdict.word, image.architecture.name, image.identity.map { "\($0)" } ?? "no UUID",
        image.path.withoutControlCharacters,
      ]
    }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for (image, row) in zip(images, rows) {
      for column in 0..<3 {
        text += row[column] + String(repeating: " ", count: widths[column] - row[column].count + 2)
      }
      text += row[3] + "\n"
      if let explanation = image.explanation {
        text += "    \(explanation.withoutControlCharacters)\n"
      }
    }
    for note in notes { text += "note: \(note.withoutControlCharacters)\n" }
    return text + tally.withoutControlCharacters + "\n"
  }
}

extension CheckedImage {
  /// What is wrong with it, whether or not that is allowed; nil if nothing is.
  var explanation: String? {
    switch verdict {
    case .complete, .apple: nil
    case .incomplete(let defect), .allowed(let defect): defect.message(of: self)
    }
  }
}

extension CheckedImage.Verdict {
  /// The first column of the table, and `verdict` in JSON.
  var word: String {
    switch self {
    case .complete: "ok"
    case .incomplete: "missing"
    case .allowed: "allowed"
    case .apple: "apple"
    }
  }
}
