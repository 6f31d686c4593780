import Foundation
import Platform
public import Subprocess
import SystemPackage

/// What a program that ran to its end left.
public struct ProgramResult: Sendable {
  public let standardOutput: [UInt8]
  public let standardError: String
  /// The exit status; nil where a signal ended the program.
  public let status: Int32?

  public var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
}

/// Running programs from tests.
public enum Program {
  /// A program may end before it has read its input; without this, writing the rest would end the
  /// tests. The programs themselves start with the default disposition.
  private static let brokenPipesAreErrors: Void = {
    _ = signal(SIGPIPE, SIG_IGN)
  }()

  /// The arguments of `/usr/bin/env` that empty the environment of a program, but for what
  /// `make asan` and `make tsan` tell the sanitizer in it.
  public static let emptyEnvironment: [String] =
    ["-i"]
    + ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
    }

  /// Runs the program at `path` and waits for its end.
  public static func run(
    _ path: String, _ arguments: [String] = [], input: [UInt8] = [],
    environment: [Environment.Key: String?] = [:], workingDirectory: String? = nil
  ) async throws -> ProgramResult {
    _ = brokenPipesAreErrors
    // Without input there is no pipe that the program could leave unread.
    guard !input.isEmpty else {
      return try await run(path, arguments, .none, environment, workingDirectory)
    }
    let pipe = try FileDescriptor.pipe(options: .closeOnExec)
    // swift-subprocess 1.0.2 ends the tests if a program ends before it has read its input, so
    // the pipe is written here.
    Thread.detachNewThread {
      _ = try? pipe.writeEnd.writeAll(input)
      try? pipe.writeEnd.close()
    }
    return try await run(
      path, arguments, .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
      environment, workingDirectory)
  }

  /// Runs the program at `path` with the file at `inputPath` as its standard input.
  public static func run(
    _ path: String, _ arguments: [String], inputPath: String
  ) async throws -> ProgramResult {
    let input = try FileDescriptor.open(FilePath(inputPath), .readOnly)
    return try await run(
      path, arguments, .fileDescriptor(input, closeAfterSpawningProcess: true), [:], nil)
  }

  private static func run(
    _ path: String, _ arguments: [String], _ input: some InputProtocol,
    _ environment: [Environment.Key: String?], _ workingDirectory: String?
  ) async throws -> ProgramResult {
    let result = try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments),
      environment: .inherit.updating(environment),
      workingDirectory: workingDirectory.map { FilePath($0) },
      input: input, output: .bytes(limit: 1 << 28), error: .bytes(limit: 1 << 24))
    let status: Int32? =
      if case .exited(let code) = result.terminationStatus { code } else { nil }
    return ProgramResult(
      standardOutput: result.standardOutput,
      standardError: String(decoding: result.standardError, as: UTF8.self), status: status)
  }

  /// The `symbolicate` that was built with the tests: it lies in the folder of the test program. It
  /// finds no cache of indexes, unless `cache` is a directory where one may lie, and asks no server
  /// of the machine's configuration, unless `environment` states one.
  public static func symbolicate(
    _ arguments: [String], input: [UInt8] = [], workingDirectory: String? = nil,
    cache: String = "/dev/null", environment: [Environment.Key: String?] = [:]
  ) async throws -> ProgramResult {
    var all: [Environment.Key: String?] = ["XDG_CACHE_HOME": cache]
    all.updateValue(nil, forKey: "DEBUGINFOD_URLS")
    all.updateValue(nil, forKey: "DEBUGINFOD_CACHE_PATH")
    for (key, value) in environment { all.updateValue(value, forKey: key) }
    return try await run(
      builtProgramPath, arguments, input: input, environment: all,
      workingDirectory: workingDirectory ?? Fixtures.packageDirectory)
  }

  public static var builtProgramPath: String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("symbolicate").path
  }

  /// The `symbolicate-fetch` that was built with the tests.
  public static var builtFetchPath: String { builtProgramPath + "-fetch" }

  /// Where a program lies on PATH, or nil.
  public static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
