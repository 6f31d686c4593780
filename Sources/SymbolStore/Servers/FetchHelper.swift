import FetchProtocol
import FileSystem
import Platform
import SymbolicationModel
import SystemPackage

/// A running `symbolicate-fetch`, which downloads for this process.
///
/// Soundness of `Sendable`: `SymbolServers` uses it under its lock, so by one thread at a time.
final class FetchHelper: @unchecked Sendable {
  /// Where the program is.
  let path: String
  private let process: pid_t
  /// This end of a pair of sockets; the other is the program's standard input and output. Unlike a
  /// pipe, a socket can be written to without a signal if nobody reads.
  private let socket: CInt
  private var lines = FetchLineBuffer()
  private var reports: ArraySlice<FetchReport> = []

  /// The program lies beside this one. `SYMBOLICATE_FETCH` names another.
  static var programPath: String {
    if let path = IndexCache.environmentVariable("SYMBOLICATE_FETCH"), !path.isEmpty { return path }
    let own = FileLinks.realPath(of: ThisProcess.programPath) ?? "symbolicate"
    return own.folder.appendingPath("symbolicate-fetch")
  }

  /// Starts the program at `path`.
  init(path: String) throws(FileSystemError) {
    guard let (own, other) = makeSocketPair() else {
      throw FileSystemError(path: path, errno: .current)
    }
    defer { close(other) }
    var process: pid_t = 0
    let result = Self.spawn(path, &process, other)
    guard result == 0 else {
      close(own)
      throw FileSystemError(path: path, errno: Errno(rawValue: result))
    }
    self.path = path
    self.process = process
    socket = own
  }

  /// Soundness: the arguments and the actions live until `posix_spawn` returns.
  private static func spawn(
    _ path: String, _ process: inout pid_t, _ socket: CInt
  ) -> CInt {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    return unsafe path.withPathBytes { name in
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
        UnsafeMutablePointer(mutating: name), nil,
      ]
      return unsafe posix_spawn(&process, name, &actions, nil, &arguments, ThisProcess.environment)
    }
  }

  /// The program ends at once, with whatever it is doing.
  deinit {
    close(socket)
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// False if the program has ended.
  func send(_ request: FetchRequest) -> Bool {
    var rest = request.line[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe sendWithoutSignal(socket, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The next report, as soon as there is one. Nil if the program has ended, or has written
  /// something else.
  func nextReport() -> FetchReport? {
    while reports.isEmpty {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let count = unsafe recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0, let lines = lines.add(buffer[..<count]) else { return nil }
      for line in lines {
        guard let report = FetchReport(line: line) else { return nil }
        reports.append(report)
      }
    }
    return reports.popFirst()
  }
}
