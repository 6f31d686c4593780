package import BinaryInput
import SystemPackage

/// A GSYM file in the file system, with its trailer where this program wrote it.
package struct IndexFile: Sendable {
  package let path: String
  package let gsym: GsymFile
  /// Nil for a file that another program wrote.
  package let trailer: IndexTrailer?
  /// The GSYM file's bytes, without the trailer.
  private let content: ByteRegion

  /// Maps the regular file at `path`.
  ///
  /// Cost: its header, its end and the number of its source files are read, whatever its size.
  package static func open(path: String) throws(IndexFileError) -> IndexFile {
    let region: ByteRegion
    do {
      region = try MappedFile.openRegularFile(path: path)
    } catch {
      throw .inaccessible(errno: error.errno.rawValue)
    }
    return try IndexFile(region, path: path)
  }

  /// The index that `region` is, from its first to its last byte. `path` names it.
  package init(_ region: ByteRegion, path: String) throws(IndexFileError) {
    do {
      self.trailer = try IndexTrailer(region)
    } catch {
      throw .trailer(error)
    }
    var content = region
    if let trailer, let part = try? region.subregion(offset: 0, count: trailer.contentSize) {
      content = part
    }
    do {
      self.gsym = try GsymFile(content)
    } catch {
      throw .gsym(error)
    }
    self.content = content
    self.path = path
  }

  /// Whether the GSYM file is, byte for byte, what was written; nil where nothing was written to
  /// compare it with. Cost: the whole file is read.
  package var hasIntactContent: Bool? {
    guard let trailer else { return nil }
    var checksum = IndexChecksum()
    content.withRawSpan { checksum.add($0) }
    return checksum.value == trailer.contentChecksum
  }
}

/// Why an index cannot be used.
package enum IndexFileError: Error, Hashable, Sendable {
  /// The system refused to open or map it: the value of C's `errno`.
  case inaccessible(errno: CInt)
  case gsym(GsymError)
  case trailer(IndexTrailerError)
}
