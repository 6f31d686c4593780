import ReportSymbolication
import SymbolicationModel
package import Wording

extension NeededIndexSummary {
  /// The lines at the end of `symbolicate index --from`.
  package var messages: [Message] {
    let parts = [
      "\(counted(madeCount, "index", "indexes")) made", "\(presentCount) already there",
      unneededCount > 0 ? "\(unneededCount) not needed (indexes and Breakpad files)" : nil,
      failedCount > 0 ? "\(failedCount) failed" : nil,
    ].compactMap(\.self)
    return
      [.plain(parts.joined(separator: ", "))]
      + missing.messages(remedy: "give their dSYMs or ELF files with -d, or a directory with -s")
  }
}

extension UuidList.Problem {
  /// One sentence: which line, and what was expected.
  ///
  /// - Parameter path: what to call the list.
  package func message(path: String) -> String {
    "line \(line) of \(path) is '\(text)'; expected a UUID or a build-id, and maybe an architecture and a name"
      .withoutControlCharacters
  }
}

private func counted(_ count: Int, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}
