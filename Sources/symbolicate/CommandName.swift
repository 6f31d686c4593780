/// The names of commands, for those who mistype one.
enum CommandName {
  /// How many characters may be wrong.
  private static let mostErrors = 2

  /// The command whose name is most like `word`; nil if none is, or if the word is the path of a
  /// file in a folder or with a suffix.
  static func similar(to word: String) -> String? {
    guard word.utf8.count >= 3, word.utf8.count <= 20, !word.contains("/"), !word.contains(".")
    else { return nil }
    let names = ProgramDescription.subcommandNames + ["help"]
    let distances = names.map { (name: $0, errors: errors(in: word, for: $0)) }
    return distances.filter { $0.errors <= min(mostErrors, $0.name.count / 2) }
      .min { $0.errors < $1.errors }?.name
  }

  /// How many characters are wrong, missing, too much, or exchanged with the next one.
  private static func errors(in word: String, for name: String) -> Int {
    let (word, name) = (Array(word), Array(name))
    var earlier: [Int] = []
    var last = Array(0...name.count)
    for (row, character) in word.enumerated() {
      var current = [row + 1]
      for (column, expected) in name.enumerated() {
        var best = min(
          last[column] + (character == expected ? 0 : 1), last[column + 1] + 1,
          current[column] + 1)
        if row > 0, column > 0, character == name[column - 1], word[row - 1] == expected {
          best = min(best, earlier[column - 1] + 1)
        }
        current.append(best)
      }
      (earlier, last) = (last, current)
    }
    return last[name.count]
  }
}
