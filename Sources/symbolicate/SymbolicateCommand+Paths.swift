import ArgumentParser
import Glibc

extension SymbolicateCommand {
  /// Runs the command with `arguments`, and ends the program if it fails.
  ///
  /// Paths at the end, which are reports for the most part, go past ArgumentParser: it copies the
  /// list of paths for each path that it adds, which takes seconds for ten thousand reports.
  static func run(_ arguments: [String]) {
    // `-` is a path too. The first of them may be the value of an option.
    let paths = arguments.suffix(while: { $0 == "-" || !$0.hasPrefix("-") }).dropFirst()
    do {
      var command = try parseAsRoot(Array(arguments.dropLast(paths.count)))
      if var symbolicate = command as? SymbolicateCommand {
        symbolicate.paths += paths
        command = symbolicate
      }
      try command.run()
    } catch {
      end(with: error)
    }
  }
}

extension Subcommands {
  /// Runs the subcommand that `arguments` begin with, and ends the program if it fails.
  static func run(_ arguments: [String]) {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(with: error)
    }
  }
}

extension ParsableCommand {
  /// Ends the program with ArgumentParser's message and status. What is said about wrong arguments
  /// quotes them, and shells put the names of files there.
  fileprivate static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let message = fullMessage(for: error)
    guard !status.isSuccess, !message.isEmpty else { exit(withError: error) }
    Diagnostics.help(message)
    Glibc.exit(status.rawValue)
  }
}

extension [String] {
  /// The longest end of the list whose elements all satisfy `condition`.
  fileprivate func suffix(while condition: (String) -> Bool) -> ArraySlice<String> {
    let last = lastIndex { !condition($0) }
    return last.map { self[($0 + 1)...] } ?? self[...]
  }
}
