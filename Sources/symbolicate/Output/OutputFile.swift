import FileSystem
import Platform
import ReportSymbolication
import Synchronization
import SystemPackage
import Wording

/// Writes results to standard output and to files, and makes the directory for results.
enum OutputFile {
  /// In messages, in place of a path.
  static let standardOutputName = "standard output"

  /// A terminal is shown what `TerminalFilter` leaves.
  ///
  /// - Parameter isPainted: whether the bytes have the control sequences of this program and no
  ///   others, so that they are shown as they are.
  static func writeToStandardOutput(
    _ bytes: [UInt8], isPainted: Bool = false
  ) throws(FileWriteError) {
    let terminal = isPainted ? nil : TerminalOutput.current
    do {
      try FileDescriptor.standardOutput.writeAll(terminal?.shown(bytes) ?? bytes)
    } catch {
      // swift-system throws nothing but `Errno` here, without saying so in the type.
      throw .cannotWrite(path: standardOutputName, (error as? Errno) ?? .ioError)
    }
  }

  /// Writes lines for people as they look there. Plain ones, in a pipe, are the text alone.
  static func writeToStandardOutput(
    _ lines: [StyledLine], _ look: TerminalLook
  ) throws(FileWriteError) {
    guard look != .plain else {
      return try writeToStandardOutput(Array(lines.plainText.shownPath.utf8))
    }
    try writeToStandardOutput(look.shown(lines), isPainted: true)
  }

  /// Prints help, or another text of the program itself, and ends the program if that fails.
  static func printToEnd(_ text: String) {
    let status = ExitStatus.ofWriting(text + "\n")
    if status != .success { exit(status.rawValue) }
  }

  /// Writes a file completely or not at all (`WholeFile`), if `content` returns true. All files
  /// that options name are written here or by `replace`.
  ///
  /// - Parameter content: may only throw `Errno`.
  static func replaceIfWanted(
    path: String, content: (FileOutput) throws -> Bool
  ) throws(FileWriteError) {
    try WholeFile.replaceIfWanted(path: path) { try content(FileOutput($0)) }
  }

  static func replace(
    path: String, content: (FileOutput) throws -> Void
  ) throws(FileWriteError) {
    try replaceIfWanted(path: path) { output in
      try content(output)
      return true
    }
  }

  static func replace(path: String, with bytes: [UInt8]) throws(FileWriteError) {
    try replace(path: path) { try $0.write(bytes) }
  }

  /// Makes the directory at `path`, and those it lies in, unless they exist.
  static func makeDirectory(_ path: String) throws(FileWriteError) {
    do throws(FileSystemError) {
      try Directory.createWithParents(at: path, permissions: FilePermissions(rawValue: 0o777))
    } catch {
      throw .cannotCreate(path: error.path, error.errno)
    }
  }
}

/// A file that is open for writing. A path such as `/dev/stdout` may lead to a terminal, which is
/// shown what `TerminalFilter` leaves; what was opened counts, and not its name.
final class FileOutput {
  private let descriptor: FileDescriptor
  private var filter: TerminalFilter?

  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    filter = isatty(descriptor.rawValue) != 0 ? TerminalFilter() : nil
  }

  /// Throws `Errno`.
  func write(_ bytes: [UInt8]) throws { try descriptor.writeAll(filter?.shown(bytes) ?? bytes) }
}

extension FileWriteError {
  /// What `body` throws.
  static func thrown(by body: () throws(FileWriteError) -> Void) -> FileWriteError? {
    do throws(FileWriteError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Whether standard output is a pipe that nobody reads any more.
  var isClosedPipe: Bool { self == .cannotWrite(path: OutputFile.standardOutputName, .brokenPipe) }

  /// One sentence: which file, and what the system said.
  var message: String {
    switch self {
    case .cannotCreate(let path, .noSuchFileOrDirectory)
    where FileKind(path: path.folder) != .directory:
      "cannot create \(path): there is no folder \(path.folder)"
    case .cannotCreate(let path, let errno): "cannot create \(path): \(errno)"
    case .cannotWrite(let path, let errno): "cannot write \(path): \(errno)"
    }
  }
}

/// What a terminal has been shown so far, if standard output is one. Files and pipes get all bytes
/// as they are.
final class TerminalOutput: Sendable {
  /// Nil if standard output is not a terminal.
  static let current: TerminalOutput? = isatty(STDOUT_FILENO) != 0 ? TerminalOutput() : nil

  private let filter = Mutex(TerminalFilter())

  private init() {}

  /// What to write for the next piece of the output.
  func shown(_ piece: [UInt8]) -> [UInt8] { filter.withLock { [piece] in $0.shown(piece) } }
}
