import ArgumentParser
import Platform

extension SymbolicateCommand {
  /// Runs the command with `arguments`, and ends the program if it fails.
  ///
  /// Paths at the end, which are reports for the most part, go past ArgumentParser: it copies the
  /// list of paths for each path that it adds, which takes seconds for ten thousand reports.
  static func run(_ arguments: [String]) {
    let arguments = arguments.map { $0 == "--strict=all" ? "--strict-all" : $0 }
    if let word = arguments.first(where: { $0.hasPrefix("--strict=") }) {
      end(
        after: ValidationError(
          UsageMessages.notAStrictness(String(word.dropFirst("--strict=".count)))))
    }
    // `-` is a path too. The first of them may be the value of an option.
    let paths = arguments.suffix(while: { $0 == "-" || !$0.hasPrefix("-") }).dropFirst()
    runToEnd(Array(arguments.dropLast(paths.count))) { $0.paths += paths }
  }
}

extension [String] {
  /// The longest end of the list whose elements all satisfy `condition`.
  fileprivate func suffix(while condition: (String) -> Bool) -> ArraySlice<String> {
    let last = lastIndex { !condition($0) }
    return last.map { self[($0 + 1)...] } ?? self[...]
  }
}
