import FileSystem
import SystemPackage

/// Writes results to standard output, and makes the directory for results.
enum OutputFile {
  /// In messages, in place of a path.
  static let standardOutputName = "standard output"

  /// A terminal is shown what `TerminalFilter` leaves.
  static func writeToStandardOutput(_ bytes: [UInt8]) throws(FileWriteError) {
    do {
      try FileDescriptor.standardOutput.writeAll(TerminalOutput.current?.shown(bytes) ?? bytes)
    } catch {
      // swift-system throws nothing but `Errno` here, without saying so in the type.
      throw .cannotWrite(path: standardOutputName, (error as? Errno) ?? .ioError)
    }
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
