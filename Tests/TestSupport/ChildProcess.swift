import Platform
import SystemPackage

/// A program that runs while the test goes on, with pipes to its standard input and from its
/// standard output. `Program.run` is for programs that run to their end.
///
/// It replaces Foundation's `Process`, which copies 256 bytes of each name in a directory, whatever
/// the name's size (`findMaximumOpenFromProcSelfFD` of Swift 6.3.1 on Linux). One in ten runs of
/// all tests ended with a segmentation fault there.
public final class ChildProcess: Sendable {
  private let process: pid_t
  private let input: FileDescriptor
  private let output: FileDescriptor

  /// Starts the program at `path`. Its standard error is that of the tests.
  public init(_ path: String, _ arguments: [String] = []) throws {
    let questions = try FileDescriptor.pipe(options: .closeOnExec)
    let answers = try FileDescriptor.pipe(options: .closeOnExec)
    defer {
      try? questions.readEnd.close()
      try? answers.writeEnd.close()
    }
    let started = Self.spawn(
      [path] + arguments, input: questions.readEnd.rawValue, output: answers.writeEnd.rawValue)
    guard let started else {
      try questions.writeEnd.close()
      try answers.readEnd.close()
      throw Failure(path: path)
    }
    process = started
    input = questions.writeEnd
    output = answers.readEnd
  }

  /// The program cannot be started.
  public struct Failure: Error {
    public let path: String
  }

  deinit { try? output.close() }

  /// Soundness: the words and the actions live until `posix_spawn` returns, and the tests do not
  /// change the environment.
  private static func spawn(_ words: [String], input: CInt, output: CInt) -> pid_t? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    // Tests run on threads that block most signals, and a program would inherit that.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let result = unsafe posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ)
    return result == 0 ? process : nil
  }

  /// The number by which signals reach it.
  public var identifier: Int32 { process }

  /// The end of the pipe to its standard input.
  public var inputDescriptor: Int32 { input.rawValue }

  /// Writes to the standard input of the program.
  public func write(_ text: String) throws {
    try input.writeAll(Array(text.utf8))
  }

  /// What the program writes next, as soon as there is something; empty at the end.
  public func nextOutput() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe output.read(into: $0) }
    return Array(buffer[..<count])
  }

  /// Everything that the program writes until it closes its standard output.
  public func allOutput() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let next = try nextOutput()
      if next.isEmpty { return all }
      all += next
    }
  }

  /// Closes the standard input of the program and waits for its end. Call it once.
  ///
  /// - Returns: the exit status; nil if a signal ended it.
  @discardableResult public func end() -> Int32? {
    try? input.close()
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : nil
  }
}
