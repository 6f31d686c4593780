import FileSystem
import ReportSymbolication
import SystemPackage

/// Messages on standard error. Names and paths in them are from strangers, so characters that a
/// terminal would act on are replaced, wherever the messages go.
enum Diagnostics {
  /// Writes `program: message` and a newline. A message that cannot be written is lost: there is
  /// nowhere left to report it.
  static func print(_ message: String, program: String = "symbolicate") {
    note("\(program): \(message)")
  }

  /// Says that a result was not written. Nothing is said if standard output is a pipe that nobody
  /// reads any more: whoever closed it (`| head -1`) has what was wanted.
  static func print(_ error: FileWriteError, program: String = "symbolicate") {
    guard !error.isClosedPipe else { return }
    print(error.message, program: program)
  }

  /// Writes `line` and a newline.
  static func note(_ line: String) { write(MessageLook.shown(line)) }

  /// Writes a text of several lines and a newline.
  static func help(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.flatMap { StyledMessage.plain(String($0)) })
  }

  private static func write(_ bytes: [UInt8]) {
    _ = try? FileDescriptor.standardError.writeAll(bytes)
  }
}
