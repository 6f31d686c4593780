import FileSystem
import SystemPackage

/// Reads small parts that are scattered over a region of a mapped file, without touching the
/// mapping. Touching it would load the pages around each part into the memory of the process.
package final class ScatteredReader {
  private let region: ByteRegion
  private let descriptor: FileDescriptor

  /// Nil if `region` is not in a mapped file, or another file is at its path by now.
  package init?(_ region: ByteRegion) {
    guard let file = region.storage.file,
      let descriptor = try? FileDescriptor.open(
        FilePath(pathText: file.path), .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return nil }
    guard let status = try? FileStatus(descriptor, path: file.path),
      status.identity == file.identity
    else {
      try? descriptor.close()
      return nil
    }
    self.region = region
    self.descriptor = descriptor
  }

  deinit { try? descriptor.close() }

  /// A copy of the `count` bytes at `offset` of the region, or of fewer at its end. Nil if `offset`
  /// is beyond the end, or the system cannot read the bytes.
  package func part(at offset: UInt64, count: Int) -> ByteRegion? {
    guard offset < UInt64(region.count), count > 0 else { return nil }
    let start = Int(offset)
    let size = min(count, region.count - start)
    let part = try? unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = try unsafe descriptor.readFully(
        into: UnsafeMutableRawBufferPointer(buffer),
        fromAbsoluteOffset: Int64(region.range.lowerBound + start))
    }
    guard let part, part.count == size else { return nil }
    return ByteRegion(copying: part)
  }
}
