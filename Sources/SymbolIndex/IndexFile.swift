package import BinaryInput
import SystemPackage

/// An index: a GSYM file in the file system, with a trailer if this program wrote it.
package struct IndexFile: Sendable {
  package let path: String
  package let gsym: GsymFile
  /// Nil if another program wrote the file.
  package let trailer: IndexTrailer?
  /// All bytes of the file.
  package let bytes: ByteRegion
  /// The bytes of the GSYM file, without the trailer.
  private let content: ByteRegion

  /// Maps and opens the regular file at `path`.
  ///
  /// Cost: reads the header, the trailer and the number of source files, whatever the size of the
  /// file.
  package static func open(path: String) throws(IndexFileError) -> IndexFile {
    let region: ByteRegion
    do {
      region = try MappedFile.openRegularFile(path: path)
    } catch {
      throw .inaccessible(errno: error.errno.rawValue)
    }
    return try IndexFile(region, path: path)
  }

  /// Opens the index that fills `region`. `path` only names it.
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
    self.bytes = region
    self.path = path
  }

  /// Whether the bytes of the GSYM file are those that were written, judged by the trailer's
  /// checksum; nil without a trailer. Cost: reads the whole file.
  package var hasIntactContent: Bool? {
    guard let trailer else { return nil }
    var checksum = IndexChecksum()
    content.withRawSpan { checksum.add($0) }
    return checksum.value == trailer.contentChecksum
  }
}

/// Why an index cannot be used.
package enum IndexFileError: Error, Hashable, Sendable {
  /// The system did not open or map the file: the value of C's `errno`.
  case inaccessible(errno: CInt)
  /// The GSYM file cannot be read.
  case gsym(GsymError)
  /// The file ends with a trailer that cannot be used.
  case trailer(IndexTrailerError)
}
