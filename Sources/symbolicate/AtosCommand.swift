import FileSystem
import Glibc
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// `atos -o SYMBOLS … ADDRESS…`
enum AtosCommand {
  private static let failure: Int32 = 1

  static func run(_ words: [String]) -> Never {
    do {
      switch try AtosArguments.parse(words) {
      case .help:
        try OutputFile.writeToStandardOutput(Array(AtosUsage.text.utf8))
        exit(0)
      case .run(let arguments):
        let session = openSession(arguments.options)
        try run(arguments, session)
        // What was decoded goes with the process; releasing it piece by piece would take time.
        withExtendedLifetime(session) { exit(0) }
      }
    } catch let error as AtosArguments.UsageError {
      Diagnostics.note(AtosUsage.message(for: error))
    } catch let OutputFile.Failure.cannotWrite(path, errno) {
      Diagnostics.print("cannot write \(path): \(errno)", program: "atos")
    } catch {
      Diagnostics.print("\(error)", program: "atos")
    }
    exit(failure)
  }

  private static func run(_ arguments: AtosArguments, _ session: AtosSession) throws {
    for choice in session.choices {
      let available = choice.available.map(\.name).joined(separator: " ")
      Diagnostics.print(
        "\(choice.path) has several architectures (\(available)); without -arch, \(choice.chosen) is used",
        program: "atos")
    }
    defer {
      for problem in session.problems {
        Diagnostics.print(problem.message.withoutControlCharacters, program: "atos")
      }
    }
    if let file = arguments.addressFile {
      let content: [UInt8]
      do {
        content = try InputFile.read(path: file)
      } catch {
        Diagnostics.print("cannot read the addresses in \(file): \(error)", program: "atos")
        exit(failure)
      }
      // Addresses beside the file's are answered too, in front of them.
      let tokens = words(in: String(decoding: content, as: UTF8.self))
      try answer(arguments.addresses.map { $0[...] } + tokens, session)
    } else if !arguments.addresses.isEmpty {
      try answer(arguments.addresses.map { $0[...] }, session)
    } else {
      // Line by line, each answer out before the next line is waited for: whoever drives this through
      // pipes gets each answer at once.
      do {
        try InputFile.checkStandardInput()
      } catch {
        Diagnostics.print("cannot read the addresses in standard input: \(error)", program: "atos")
        exit(failure)
      }
      while let line = readLine() {
        try answer(words(in: line), session)
      }
    }
  }

  private static func words(in text: String) -> [Substring] {
    text.utf8.split { $0 == UInt8(ascii: " ") || (0x09...0x0d).contains($0) }
      .map { Substring($0) }
  }

  private static func answer(_ tokens: [Substring], _ session: AtosSession) throws {
    session.prepare(for: tokens)
    var text = ""
    for token in tokens { text += session.answer(for: token) }
    try OutputFile.writeToStandardOutput(Array(text.utf8))
  }

  private static func openSession(_ options: AtosOptions) -> AtosSession {
    do {
      return try AtosSession(options)
    } catch {
      // Apple's own words first: scripts look for them.
      let architecture = options.architecture ?? hostArchitecture
      Diagnostics.note(
        "atos cannot load symbols for the file \(error.path) for architecture \(architecture).")
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
