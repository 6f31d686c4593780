import Foundation
import Platform
import SystemPackage

/// Running programs whose standard output and standard error are a terminal.
public enum Terminal {
  /// The terminal, or the program, cannot be started.
  public struct Failure: Error {}

  /// What the standard input of a program is.
  public enum Input: Sendable {
    case empty
    /// The same terminal, on which nobody types.
    case terminal
  }

  /// Which of the program's streams are the terminal; the others lead nowhere.
  public struct Streams: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let output = Streams(rawValue: 1)
    public static let errors = Streams(rawValue: 2)
  }

  /// Everything that the program at `path` shows on a terminal that passes bytes on as they are,
  /// and its exit status (nil if a signal ended it).
  ///
  /// - Parameters:
  ///   - columns: the width of the terminal; nil for one that does not know it.
  ///   - environment: the variables about terminals. Those of the tests' own terminal are not
  ///     passed on; unless it is stated, the terminal is one without colours.
  public static func run(
    _ path: String, _ arguments: [String] = [], columns: UInt16? = nil,
    environment: [String: String] = ["TERM": "dumb"], streams: Streams = [.output, .errors],
    input: Input = .empty,
    workingDirectory: String? = nil
  ) throws -> (shown: [UInt8], status: Int32?) {
    let (near, far) = try open()
    if let columns {
      var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      _ = unsafe ioctl(far.rawValue, UInt(TIOCSWINSZ), &size)
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    switch input {
    case .empty:
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    case .terminal: unsafe posix_spawn_file_actions_adddup2(&actions, far.rawValue, STDIN_FILENO)
    }
    for (stream, descriptor) in [(Streams.output, STDOUT_FILENO), (.errors, STDERR_FILENO)] {
      if streams.contains(stream) {
        unsafe posix_spawn_file_actions_adddup2(&actions, far.rawValue, descriptor)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
    }
    var variables = unsafe variables(environment).map { unsafe strdup($0) } + [nil]
    defer { unsafe variables.forEach { unsafe free($0) } }
    let command =
      workingDirectory.map { ["/usr/bin/env", "--chdir=\($0)", path] + arguments }
      ?? [path] + arguments
    var words = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let result = unsafe posix_spawn(&process, command[0], &actions, nil, &words, &variables)
    try far.close()
    defer { try? near.close() }
    guard result == 0 else { throw Failure() }
    var shown: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    // The end is EIO, when no process has the terminal open any more.
    while let count = try? unsafe buffer.withUnsafeMutableBytes({ try unsafe near.read(into: $0) }),
      count > 0
    {
      shown += buffer[..<count]
    }
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (shown, status & 0x7f == 0 ? status >> 8 & 0xff : nil)
  }

  /// The environment of the tests without what their own terminal is, and `stated`.
  private static func variables(_ stated: [String: String]) -> [String] {
    let dropped = [
      "TERM", "TERM_PROGRAM", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "VTE_VERSION",
      "KONSOLE_VERSION", "WT_SESSION", "KITTY_WINDOW_ID", "DOMTERM", "TMUX", "FORCE_HYPERLINK",
      "XDG_CACHE_HOME", "DEBUGINFOD_URLS", "DEBUGINFOD_CACHE_PATH",
    ]
    return ProcessInfo.processInfo.environment.filter { !dropped.contains($0.key) }
      .merging(["XDG_CACHE_HOME": "/dev/null"]) { $1 }.merging(stated) { $1 }
      .map { "\($0.key)=\($0.value)" }
  }

  // `_IOR('T', 0x30, unsigned int)` and `_IOW('T', 0x31, int)`: Swift's module has neither them nor
  // posix_openpt.
  private static let numberOfTerminal: UInt = 0x8004_5430
  private static let lockOfTerminal: UInt = 0x4004_5431

  /// Both ends of a new terminal.
  private static func open() throws -> (near: FileDescriptor, far: FileDescriptor) {
    let options = O_RDWR | O_NOCTTY | O_CLOEXEC
    let near = FileDescriptor(rawValue: unsafe Platform.open("/dev/ptmx", options))
    var number: CInt = 0
    var isLocked: CInt = 0
    guard near.rawValue >= 0, unsafe ioctl(near.rawValue, numberOfTerminal, &number) == 0,
      unsafe ioctl(near.rawValue, lockOfTerminal, &isLocked) == 0
    else { throw Failure() }
    let far = FileDescriptor(rawValue: unsafe Platform.open("/dev/pts/\(number)", options))
    guard far.rawValue >= 0 else { throw Failure() }
    // Otherwise the system writes a carriage return before each line feed.
    var settings = termios()
    unsafe tcgetattr(far.rawValue, &settings)
    unsafe cfmakeraw(&settings)
    unsafe tcsetattr(far.rawValue, TCSANOW, &settings)
    return (near, far)
  }
}
