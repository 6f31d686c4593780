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
  /// Nil without a trailer.
  private let blocks: IndexBlocks?

  /// Maps and opens the regular file at `path`.
  ///
  /// Cost: reads the header, the trailer and the number of source files, whatever the size of the
  /// file. What else is damaged is found when it is looked up.
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
    var blocks: IndexBlocks?
    if let trailer, let part = try? region.subregion(offset: 0, count: trailer.contentSize),
      let table = try? region.subregion(offset: trailer.contentSize, count: trailer.tableSize)
    {
      content = part
      blocks = IndexBlocks(of: part, table: table, tableChecksums: trailer.tableChecksums)
    }
    do {
      self.gsym = try GsymFile(content, blocks: blocks)
    } catch {
      throw .gsym(error)
    }
    self.blocks = blocks
    self.bytes = region
    self.path = path
  }

  /// Whether the bytes of the GSYM file are those that were written; nil without a trailer. Cost:
  /// reads the whole file.
  package var hasIntactContent: Bool? { blocks?.areAllIntact }
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
