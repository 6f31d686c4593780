import Glibc
import SystemPackage

/// Where results go.
enum OutputFile {
  enum Failure: Error {
    case cannotCreate(path: String, Errno)
    case cannotWrite(path: String, Errno)
  }

  static func writeToStandardOutput(_ bytes: [UInt8]) throws(Failure) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      throw .cannotWrite(path: "standard output", errno(of: error))
    }
  }

  /// Makes the directory at `path`, unless it is there.
  static func makeDirectory(_ path: String) -> Failure? {
    if unsafe mkdir(path, 0o777) == 0 { return nil }
    let errno = Errno(rawValue: Glibc.errno)
    if errno == .fileExists, InputFile.isDirectory(path) { return nil }
    return .cannotCreate(path: path, errno == .fileExists ? .notDirectory : errno)
  }

  /// Writes the file at `path` whole or not at all: the bytes go to a new file beside it, which takes
  /// its place when everything is on the disk. Permissions of a file that is replaced are kept, one
  /// that may not be written to is not replaced, and links are followed. What is no regular file (a
  /// device, a pipe) is written to as it is.
  static func replace(path: String, with bytes: [UInt8]) throws(Failure) {
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      return try writeInPlace(path: path, bytes)
    }
    let isWritable = unsafe access(path, W_OK) == 0
    guard !exists || isWritable else {
      throw .cannotCreate(path: path, Errno(rawValue: Glibc.errno))
    }
    guard let target = resolvedLinks(path) else {
      throw .cannotCreate(path: path, .tooManySymbolicLinkLevels)
    }
    let mode = exists ? FilePermissions(rawValue: status.st_mode & 0o7777) : newFilePermissions
    let temporary = try createBeside(target, mode: mode, shownPath: path)
    do {
      try temporary.descriptor.closeAfter {
        try temporary.descriptor.writeAll(bytes)
        guard fsync(temporary.descriptor.rawValue) == 0 else { throw Errno(rawValue: Glibc.errno) }
      }
      guard unsafe rename(temporary.path, target) == 0 else { throw Errno(rawValue: Glibc.errno) }
    } catch {
      unsafe unlink(temporary.path)
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  private static func writeInPlace(path: String, _ bytes: [UInt8]) throws(Failure) {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
    } catch {
      throw .cannotCreate(path: path, errno(of: error))
    }
    do {
      _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
    } catch {
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  private static func createBeside(
    _ target: String, mode: FilePermissions, shownPath: String
  ) throws(Failure) -> (descriptor: FileDescriptor, path: String) {
    var path = ""
    let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
    do {
      while true {
        path = "\(folder).symbolicate-\(UInt32.random(in: .min ... .max)).partial"
        do {
          let descriptor = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: mode)
          // The process's mask was applied; a file that is replaced keeps what it had.
          fchmod(descriptor.rawValue, mode.rawValue)
          return (descriptor, path)
        } catch Errno.fileExists {
          continue
        }
      }
    } catch {
      throw .cannotCreate(path: shownPath, errno(of: error))
    }
  }

  /// What `open` would give a new file: read and write for all, less the process's mask.
  private static var newFilePermissions: FilePermissions {
    let mask = umask(0)
    umask(mask)
    return FilePermissions(rawValue: 0o666 & ~mask)
  }

  /// What `path` leads to when it is a link, or a link to a link; the last one may lead to a file that
  /// is yet to be made. Nil where the links lead round in a circle: after as many as the system follows.
  private static func resolvedLinks(_ path: String) -> String? {
    var path = path
    for _ in 0..<40 {
      guard let destination = linkDestination(path) else { return path }
      let folder = destination.hasPrefix("/") ? nil : path.lastIndex(of: "/").map { path[...$0] }
      path = (folder ?? "") + destination
    }
    return nil
  }

  /// What the symbolic link at `path` holds; nil where there is none.
  private static func linkDestination(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// swift-system throws `Errno` and nothing else from these calls, without saying so in their types.
  private static func errno(of error: any Error) -> Errno { (error as? Errno) ?? .ioError }
}
