import ArgumentParser
import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// Reads reports and lists of addresses.
enum InputFile {
  /// The report at `path`, unpacked if it is compressed, or that on standard input for `-`.
  ///
  /// - Parameter limits: `reportSize` is the greatest number of bytes, compressed or not.
  static func readReport(
    path: String, limits: ResourceLimits
  ) throws(ReportReadError) -> ReportBytes {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try read(path: path, limit: limits.reportSize)
    } catch {
      throw .unreadable(error)
    }
    return try ReportBytes(bytes, path: path, limits: limits)
  }

  /// The report of an input, which may be a file in an archive.
  static func readReport(
    _ input: ReportInput, limits: ResourceLimits
  ) throws(ReportReadError) -> ReportBytes {
    if let report = try input.knownReport(limits: limits) { return report }
    return try readReport(path: input.path, limits: limits)
  }

  /// All bytes of a file that an option names. If it cannot be read, says so and ends the command.
  static func readForOption(path: String, limits: ResourceLimits) throws(ExitCode) -> [UInt8] {
    do throws(Errno) {
      return try read(path: path, limit: limits.reportSize)
    } catch {
      Diagnostics.error(InputMessages.unreadable(path, error))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
  }

  /// All bytes of the file at `path`, or of standard input for `-`.
  ///
  /// - Parameter limit: the greatest number of bytes. More throw `fileTooLarge`, and a regular file
  ///   is then not read at all.
  static func read(path: String, limit: UInt64) throws(Errno) -> [UInt8] {
    let limit = Int(clamping: limit)
    do {
      guard path != "-" else {
        return try readToEnd(.standardInput, sizeHint: 0, limit: limit)
      }
      let descriptor = try open(path)
      return try descriptor.closingAfter {
        let size = regularFileSize(descriptor)
        if size > limit { throw Errno.fileTooLarge }
        return try readToEnd(descriptor, sizeHint: size, limit: limit)
      }
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  static func open(_ path: String) throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(pathText: path), .readOnly, options: .closeOnExec)
    } catch {
      // swift-system throws nothing but `Errno` here, without saying so in the type.
      throw (error as? Errno) ?? .ioError
    }
  }

  /// Throws if standard input is closed or a directory, which `readLine` treats as its end.
  static func checkStandardInput() throws(Errno) {
    let status: FileStatus
    do {
      status = try FileStatus(.standardInput, path: "standard input")
    } catch {
      throw error.errno
    }
    if status.kind == .directory { throw .isDirectory }
  }

  /// 0 for anything but a regular file: a pipe has no size, and that of a directory means nothing.
  private static func regularFileSize(_ descriptor: FileDescriptor) -> Int {
    guard let status = try? FileStatus(descriptor, path: ""), status.kind == .regularFile else {
      return 0
    }
    return Int(clamping: status.size)
  }

  /// - Parameter sizeHint: the number of bytes expected. There may be fewer or more.
  private static func readToEnd(
    _ descriptor: FileDescriptor, sizeHint: Int, limit: Int
  ) throws -> [UInt8] {
    var content: [UInt8] = []
    // One byte more than expected finds the end without growing the buffer. A size that is only
    // claimed, like that of a sparse file, is believed up to a limit.
    var chunkSize = min(max(sizeHint, 1 << 16), 1 << 30) + 1
    while true {
      let chunk = try descriptor.readChunk(upTo: chunkSize)
      guard !chunk.isEmpty else { return content }
      // Appending doubles the capacity, so the bytes of a pipe are not copied at each read.
      guard chunk.count <= limit - content.count else { throw Errno.fileTooLarge }
      if content.isEmpty { content = chunk } else { content += chunk }
      chunkSize = 1 << 16
    }
  }
}

extension FileDescriptor {
  /// What can be read at once; empty at the end.
  func readChunk(upTo size: Int) throws(Errno) -> [UInt8] {
    do {
      return try unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      // swift-system throws nothing but `Errno` here, without saying so in the type.
      throw (error as? Errno) ?? .ioError
    }
  }
}

/// What the commands say about inputs that cannot be read: a sentence each.
enum InputMessages {
  static func unreadableReport(
    _ path: String, _ error: ReportReadError, limits: ResourceLimits
  ) -> String {
    let message = error.message(report: path, limits: limits)
    switch error {
    case .unreadable(.isDirectory) where CrashPoint.isOne(path):
      return
        "\(path) has no reports: expected .crash files in Filters/*/Logs or DistributionInfos/*/Logs; let Xcode's Organizer download them"
    case .unreadable(.isDirectory):
      return message + "; give the report first, and symbol files after it or with -d"
    case .unreadable(.noSuchFileOrDirectory):
      guard let command = ProgramDescription.similarName(to: path) else { return message }
      return message + "; did you mean 'symbolicate \(command)'?"
    default: return message
    }
  }

  /// Directories that were walked, and archives, which have no report.
  static func noReports(in directories: [String], _ archives: [String]) -> String {
    guard !directories.isEmpty else {
      return archives.map { "\($0) \(ReportReadError.archive(reportCount: 0, first: nil).reason)" }
        .joined(separator: "; ")
    }
    return
      "no report in \((directories + archives).joined(separator: ", ")); directories of symbol files are given with -d"
  }

  static func unreadable(_ path: String, _ errno: Errno) -> String {
    "cannot read \(path.isEmpty ? "''" : path): \(errno)"
  }
}
