import Testing

/// Collects the results of the tests of a suite, and prints them as tables when the suite ends.
actor Scoreboard {
  static let shared = Scoreboard()

  private var rowsByTitle: [String: [(slice: String, examination: Examination)]] = [:]

  func add(_ slice: SymbolFile.Slice, _ examination: Examination, to title: String) {
    rowsByTitle[title, default: []].append((slice.description, examination))
  }

  func print(_ title: String) {
    guard let rows = rowsByTitle.removeValue(forKey: title)?.sorted(by: { $0.slice < $1.slice })
    else { return }
    var text = ""
    for pair in Examination.Pair.allCases
    where rows.contains(where: { $0.examination.comparisons[pair] != nil }) {
      text += "\n\(title), \(pair.rawValue):\n\n"
      var totals: [String: Int] = [:]
      for row in rows {
        guard let comparison = row.examination.comparisons[pair] else { continue }
        var counts = [("addresses", comparison.addressCount), ("agree", comparison.agreements)]
        counts += comparison.explained.sorted { $0.key.rawValue < $1.key.rawValue }
          .map { ($0.key.rawValue, $0.value) }
        counts.append(("unexplained", comparison.unexplainedCount))
        for (name, count) in counts { totals[name, default: 0] += count }
        text +=
          "  \(row.slice): "
          + counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + "\n"
      }
      text +=
        "  in all: "
        + totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        .joined(separator: ", ") + "\n"
    }
    Swift.print(text)
  }
}

/// Prints the tables of a suite at its end.
struct PrintsTables: SuiteTrait, TestScoping {
  let title: String
  var isRecursive: Bool { false }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let result: Result<Void, any Error>
    do { result = .success(try await function()) } catch { result = .failure(error) }
    await Scoreboard.shared.print(title)
    try result.get()
  }
}
