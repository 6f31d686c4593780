import ArgumentParser
import FileSystem
import Platform

extension ParsableCommand {
  /// Ends the program with what there is to say about `error`, which may be a request that
  /// ArgumentParser answers itself, such as that of a description for tools.
  static func end(after error: any Error) -> Never {
    let status = exitCode(for: error).rawValue
    let text = message(for: error)
    if status == ExitStatus.success.rawValue {
      if !text.isEmpty { OutputFile.printToEnd(text) }
    } else if !text.isEmpty {
      Diagnostics.error(UsageMessages.shown(text))
      if status == ExitStatus.usage.rawValue {
        Diagnostics.text(UsageMessages.seeHelp(of: configuration.commandName ?? ""))
      }
    }
    Platform.exit(status)
  }
}

extension OutputFile {
  /// Prints help, or another text of the program itself, and ends the program if that fails.
  static func printToEnd(_ text: String) {
    do throws(FileWriteError) {
      try writeToStandardOutput(Array((text + "\n").utf8))
    } catch {
      Diagnostics.error(error)
      exit(ExitStatus(error).rawValue)
    }
  }
}
