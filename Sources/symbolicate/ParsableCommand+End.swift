import ArgumentParser
import FileSystem
import Glibc

extension ParsableCommand {
  /// Runs the command that `arguments` name, and ends the program if it fails.
  static func runToEnd(_ arguments: [String]) {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(after: error)
    }
  }

  /// Ends the program with what ArgumentParser says about `error`, which may be a request for help.
  /// ArgumentParser would print help with `print`, which does not notice a full disk. What is said
  /// about wrong arguments quotes them, and shells put the names of files there.
  static func end(after error: any Error) -> Never {
    let text = fullMessage(for: error)
    let status = exitCode(for: error)
    if !text.isEmpty {
      guard status == .success else {
        Diagnostics.help(text)
        Glibc.exit(status.rawValue)
      }
      OutputFile.printToEnd(text)
    }
    Glibc.exit(status.rawValue)
  }
}

extension OutputFile {
  /// Prints help, or another text of the program itself, and ends the program if that fails.
  static func printToEnd(_ text: String) {
    do throws(FileWriteError) {
      try writeToStandardOutput(Array((text + "\n").utf8))
    } catch {
      Diagnostics.print(error)
      exit(ExitStatus(error).rawValue)
    }
  }
}
