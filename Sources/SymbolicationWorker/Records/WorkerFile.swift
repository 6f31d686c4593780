import FileSystem
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// Reads the reports that records name by their paths.
enum WorkerFile {
  /// The report in a regular file, unpacked if it is compressed.
  static func readReport(path: String, limits: ResourceLimits) throws(WorkerFailure) -> [UInt8] {
    let limit = limits.reportSize
    let bytes = try read(path: path, limit: limit)
    do throws(ReportReadError) {
      return try ReportBytes(bytes, path: path, limits: limits).bytes
    } catch {
      throw .unreadable(
        path: path, error == .unreadable(.fileTooLarge) ? .tooLarge(limit: limit) : .content(error))
    }
  }

  /// All bytes of a regular file. A pipe, a device, or what the kernel shows as a file (`/proc`)
  /// could keep a worker waiting for ever, or tell about this machine. A path with a zero byte is
  /// that of no file: the system would only read it up to there.
  static func read(path: String, limit: UInt64) throws(WorkerFailure) -> [UInt8] {
    let fault: WorkerFailure.FileFault
    do {
      guard !path.utf8.contains(0) else { throw Errno.noSuchFileOrDirectory }
      let descriptor = try FileDescriptor.open(
        FilePath(pathText: path), .readOnly, options: [.closeOnExec, .nonBlocking])
      let content = try descriptor.closingAfter { () throws -> Result<[UInt8], TooLarge>? in
        let status = try FileStatus(descriptor, path: path)
        guard status.isOrdinaryFile(at: path) else { return nil }
        return try read(descriptor, size: status.size, limit: Int(clamping: limit))
      }
      switch content {
      case .success(let bytes): return bytes
      case .failure: fault = .tooLarge(limit: limit)
      case nil: fault = .notAFile
      }
    } catch {
      fault = .errno((error as? Errno) ?? (error as? FileSystemError)?.errno ?? .ioError)
    }
    throw .unreadable(path: path, fault)
  }

  private struct TooLarge: Error {}

  private static func read(
    _ descriptor: FileDescriptor, size: UInt64, limit: Int
  ) throws -> Result<[UInt8], TooLarge> {
    guard size <= limit else { return .failure(TooLarge()) }
    var content: [UInt8] = []
    // One byte more than expected finds the end. The file may grow.
    var chunkSize = max(Int(clamping: size), 1 << 12) + 1
    while true {
      let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
        count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if chunk.isEmpty { return .success(content) }
      guard chunk.count <= limit - content.count else { return .failure(TooLarge()) }
      if content.isEmpty { content = chunk } else { content += chunk }
      chunkSize = 1 << 16
    }
  }
}
