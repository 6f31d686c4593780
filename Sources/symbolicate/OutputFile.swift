import FileSystem
import ReportSymbolication
import SystemPackage

/// Writes results to standard output, and makes the directory for results.
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

  /// Makes the directory at `path`, and those it lies in, unless they exist.
  static func makeDirectory(_ path: String) throws(FileWriteError) {
    do throws(FileSystemError) {
      try Directory.createWithParents(at: path, permissions: FilePermissions(rawValue: 0o777))
    } catch {
      throw .cannotCreate(path: error.path, error.errno)
    }
  }
}

extension FileWriteError {
  /// Whether standard output is a pipe that nobody reads any more.
  var isClosedPipe: Bool { self == .cannotWrite(path: OutputFile.standardOutputName, .brokenPipe) }
}
