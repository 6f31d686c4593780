import ArgumentParser
import FileSystem
import Platform
import ReportRendering
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolicationWorker
import SymbolTools
import SystemPackage
import Wording

/// `atos -o SYMBOLS … ADDRESS…`, which answers one line for each address.
enum AtosCommand {
  static let failure: Int32 = 1

  static func run(_ words: [String]) -> Never {
    do {
      switch try AtosArguments.parse(words) {
      case .help:
        try OutputFile.writeToStandardOutput(Array(AtosUsage.text.utf8))
        exit(0)
      case .shortHelp:
        OutputFile.printToEnd(AtosUsage.shortText)
        exit(0)
      case .version:
        OutputFile.printToEnd(VersionText.full)
        exit(0)
      case .run(let arguments):
        let session = openSession(arguments.options)
        try run(arguments, session)
        // The end of the process frees the session at once; releasing it piece by piece takes time.
        withExtendedLifetime(session) { exit(0) }
      }
    } catch let error as AtosArguments.UsageError {
      Diagnostics.text(AtosUsage.message(for: error))
    } catch let error as FileWriteError {
      Diagnostics.atos(error)
    } catch {
      Diagnostics.atos("\(error)")
    }
    exit(failure)
  }

  private static func run(_ arguments: AtosArguments, _ session: AtosSession) throws {
    for choice in session.choices { Diagnostics.atos(choice.message) }
    defer {
      for problem in session.problems {
        Diagnostics.atos(
          problem.message(limitSetting: .environment).withoutControlCharacters)
      }
    }
    if let file = arguments.addressFile {
      let content: [UInt8]
      do {
        content = try InputFile.read(path: file, limit: arguments.options.limits.reportSize)
      } catch {
        fail(toRead: file, error)
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
        fail(toRead: "standard input", error)
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
      fail(toRead: "standard input", error)
    }
  }

  private static func fail(toRead path: String, _ errno: Errno) -> Never {
    Diagnostics.atos("cannot read the addresses in \(path): \(errno)")
    exit(failure)
  }

  private static func answer(_ words: AtosWordList, _ session: AtosSession) throws {
    try session.answer(words) { (part) throws(FileWriteError) in
      try OutputFile.writeToStandardOutput(part)
    }
    if let message = session.newAddressOutside?.message { Diagnostics.atos(message) }
  }

  private static func openSession(_ options: AtosOptions) -> AtosSession {
    do {
      return try AtosSession(options)
    } catch {
      // Apple's words first: scripts look for them.
      Diagnostics.text(error.message(architecture: options.architecture ?? hostArchitecture))
      Diagnostics.atos(
        error.problem.message(limitSetting: .environment).withoutControlCharacters)
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

/// `symbolicate atos`, as help and completions list it. What runs is `AtosCommand`, without
/// ArgumentParser: the options of Apple's `atos` have a grammar of their own.
struct AtosSubcommand: ParsableCommand {
  static let name = "atos"
  static let synopsis = "symbolicate atos -o SYMBOLS [-l LOAD-ADDRESS] ADDRESS…"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Look up single addresses, as Apple's atos does.",
    usage: synopsis,
    helpNames: [.short, .long])

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The options and addresses of atos.", valueName: "argument"),
    completion: .file())
  var arguments: [String] = []

  func run() { AtosCommand.run(arguments) }
}
