import FileSystem
import Glibc
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// `atos -o SYMBOLS … ADDRESS…`, which answers one line for each address.
enum AtosCommand {
  static let failure: Int32 = 1

  static func run(_ words: [String]) -> Never {
    do {
      switch try AtosArguments.parse(words) {
      case .help:
        try OutputFile.writeToStandardOutput(Array(AtosUsage.text.utf8))
        exit(0)
      case .run(let arguments):
        let session = openSession(arguments.options)
        try run(arguments, session)
        // The end of the process frees the session at once; releasing it piece by piece takes time.
        withExtendedLifetime(session) { exit(0) }
      }
    } catch let error as AtosArguments.UsageError {
      Diagnostics.help(AtosUsage.message(for: error))
    } catch let error as FileWriteError {
      Diagnostics.print(error, program: "atos")
    } catch {
      Diagnostics.print("\(error)", program: "atos")
    }
    exit(failure)
  }

  private static func run(_ arguments: AtosArguments, _ session: AtosSession) throws {
    for choice in session.choices { Diagnostics.print(choice.message, program: "atos") }
    defer {
      for problem in session.problems {
        Diagnostics.print(problem.message.withoutControlCharacters, program: "atos")
      }
    }
    if let file = arguments.addressFile {
      let content: [UInt8]
      do {
        content = try InputFile.read(path: file, limit: arguments.options.limits.reportSize)
      } catch {
        Diagnostics.print(InputMessages.unreadableAddresses(file, error), program: "atos")
        exit(failure)
      }
      // Addresses in the arguments are answered before those in the file.
      try answer(AtosWordList(arguments: arguments.addresses, text: content), session)
    } else if !arguments.addresses.isEmpty {
      try answer(AtosWordList(arguments: arguments.addresses), session)
    } else {
      // Each line is answered before the next is read, for programs that ask through pipes.
      do {
        try InputFile.checkStandardInput()
      } catch {
        Diagnostics.print(
          InputMessages.unreadableAddresses("standard input", error), program: "atos")
        exit(failure)
      }
      var lines = InputLines(.standardInput)
      while let line = nextLine(&lines) { try answer(AtosWordList(text: line), session) }
    }
  }

  /// Nil at the end. `readLine` takes any error for the end, and so an interruption, too.
  private static func nextLine(_ lines: inout InputLines) -> [UInt8]? {
    do {
      return try lines.next()
    } catch {
      Diagnostics.print(
        InputMessages.unreadableAddresses("standard input", error), program: "atos")
      exit(failure)
    }
  }

  private static func answer(_ words: AtosWordList, _ session: AtosSession) throws {
    try session.answer(words) { (part) throws(FileWriteError) in
      try OutputFile.writeToStandardOutput(part)
    }
  }

  private static func openSession(_ options: AtosOptions) -> AtosSession {
    do {
      return try AtosSession(options)
    } catch {
      // Apple's words first: scripts look for them.
      Diagnostics.note(error.message(architecture: options.architecture ?? hostArchitecture))
      Diagnostics.print(error.problem.message.withoutControlCharacters, program: "atos")
      exit(failure)
    }
  }

  private static var hostArchitecture: Architecture {
    #if arch(arm64)
      .arm64
    #else
      .x86_64
    #endif
  }
}
