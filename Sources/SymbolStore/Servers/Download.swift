import BinaryInput
import Decompression
import FileSystem
import ObjectFiles
import Platform
import SymbolicationModel
import SystemPackage

/// A complete download, which is checked before it becomes a file of the cache.
struct Download {
  /// The file as it came in. It is moved or removed.
  let path: String
  let identity: ImageIdentity
  let cache: ServerCache
  let sizeLimit: UInt64

  enum Refusal: Error, Hashable {
    case malformed(ServerProblem.Malformation)
    case cache(FileSystemError)
  }

  /// Unpacks the file if it is compressed, opens it, compares its identity, and moves it into the
  /// cache.
  ///
  /// - Parameter unpackedBytes: counts what is unpacked, also if it is refused.
  func accept(
    as key: ServerCache.Key, unpackedBytes: inout UInt64
  ) throws(Refusal) -> String {
    defer { try? removeFile(at: path) }
    let content = try content()
    let start = content.prefix(64)
    if start.starts(with: Array("MSCF".utf8)) { throw .malformed(.cabinet) }
    if Self.isWebPage(start) { throw .malformed(.webPage) }
    if let format = CompressedFile(start: start) {
      let unpacked = cache.temporaryPath()
      defer { try? removeFile(at: unpacked) }
      try unpack(content, format, to: unpacked, &unpackedBytes)
      try check(unpacked)
      try keep(unpacked, key)
    } else {
      try check(path)
      try keep(path, key)
    }
    return cache.path(key)
  }

  private func content() throws(Refusal) -> ByteRegion {
    let content: ByteRegion
    do {
      content = try MappedFile.openRegularFile(path: path)
    } catch {
      throw .cache(FileSystemError(path: path, errno: error.errno))
    }
    guard !content.isEmpty else { throw .malformed(.empty) }
    return content
  }

  private func check(_ path: String) throws(Refusal) {
    if let malformation = Self.malformation(ofFileAt: path, identity) {
      throw .malformed(malformation)
    }
  }

  /// Why the file at `path` is not the whole symbol file with this identity; nil if it is.
  static func malformation(
    ofFileAt path: String, _ identity: ImageIdentity
  ) -> ServerProblem.Malformation? {
    do {
      let container = try ObjectContainer.open(path: path)
      guard let file = container.objectFile(identity: identity) else {
        return .otherIdentity(found: container.objectFiles.compactMap(\.identity))
      }
      // A file that was cut short still states its identity, at its beginning.
      return file.faults.lazy.map { SymbolFileProblem($0).kind }
        .first { if case .truncated = $0 { true } else { false } }
        .map { .unreadable($0) }
    } catch {
      return .unreadable(SymbolFileProblem(error).kind)
    }
  }

  private func keep(_ path: String, _ key: ServerCache.Key) throws(Refusal) {
    do {
      try cache.keep(path, as: key)
    } catch {
      throw .cache(error)
    }
  }

  private func unpack(
    _ content: ByteRegion, _ format: CompressedFile, to path: String, _ count: inout UInt64
  ) throws(Refusal) {
    var failure: Errno?
    var damage: DecompressionError?
    do {
      let descriptor = try FileDescriptor.open(
        FilePath(pathText: path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: FilePermissions(rawValue: 0o600))
      try descriptor.closingAfter {
        content.withRawSpan { span in
          do throws(DecompressionError) {
            try unsafe format.inflate(span, limit: sizeLimit) { piece in
              count += UInt64(piece.count)
              do {
                try unsafe descriptor.writeAll(piece)
              } catch {
                failure = (error as? Errno) ?? .ioError
              }
              return failure == nil
            }
          } catch {
            damage = error
          }
        }
        if failure == nil, uninterrupted({ fsync(descriptor.rawValue) }) != 0 {
          failure = .current
        }
      }
    } catch {
      failure = (error as? Errno) ?? .ioError
    }
    if let failure { throw .cache(FileSystemError(path: path, errno: failure)) }
    if let damage { throw .malformed(.damagedCompression(damage)) }
  }

  /// Servers answer with a page that says "not found" or "log in", and call that a success.
  private static func isWebPage(_ start: [UInt8]) -> Bool {
    start.first { $0 != 0x20 && !(0x09...0x0d).contains($0) } == UInt8(ascii: "<")
  }
}
