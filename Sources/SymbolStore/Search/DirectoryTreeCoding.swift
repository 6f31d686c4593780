package import BinaryInput
import FileSystem
import ObjectFiles
import SymbolIndex
import SymbolicationModel

/// The bytes of an index of a searched directory.
///
/// All numbers are little-endian:
///
/// | what | bytes |
/// | --- | --- |
/// | the mark `SYMTREE` and a zero | 8 |
/// | version, and 1 if links to directories are followed | 4 + 4 |
/// | number of folders, files, slices; size of the text | 4 × 4 |
/// | for each folder: path, stamp, number of links, first link | 4 + 28 + 4 + 4 |
/// | for each file: path, stamp, number of slices (all ones for an archive) | 4 + 28 + 4 |
/// | for each slice: architecture, identity, stated name | 4 + 4 + 4 |
/// | and size of the identity, format, number of the type, type, flags | 1 + 1 + 4 + 1 + 1 |
/// | the text: strings that end with a zero byte, and identities | |
/// | `IndexChecksum` of everything before | 8 |
///
/// The text begins with the real path of the root. A path and the like is an offset in the text. A
/// stamp is size, seconds, nanoseconds and inode; all ones if there is none. The slices of a file
/// follow those of the file before.
package enum DirectoryTreeCoding {
  private static let mark: UInt64 = 0x0045_4552_544d_5953
  private static let version: UInt32 = 1
  private static let headerSize: UInt64 = 32
  private static let folderSize: UInt64 = 40
  private static let fileSize: UInt64 = 36
  private static let sliceSize: UInt64 = 20
  private static let hasDebugInfoFlag: UInt8 = 1
  private static let isPrefixFlag: UInt8 = 2
  private static let hasNameFlag: UInt8 = 4

  // MARK: - Writing

  /// Nil for a tree that is too large for the format.
  package static func encode(_ tree: DirectoryTree, of root: SearchRoot) -> [UInt8]? {
    var text = Text()
    var records: [UInt8] = []
    _ = text.add(root.realPath)
    var sliceCount = 0
    for folder in tree.folders {
      records.appendNumber(text.add(folder.path))
      append(folder.stamp, to: &records)
      records.appendNumber(UInt32(clamping: folder.links.count))
      var first: UInt32 = 0
      for (index, link) in folder.links.enumerated() {
        let offset = text.add(link)
        if index == 0 { first = offset }
      }
      records.appendNumber(first)
    }
    for file in tree.files {
      records.appendNumber(text.add(file.path))
      append(file.stamp, to: &records)
      records.appendNumber(file.isArchive ? .max : UInt32(clamping: file.slices.count))
      sliceCount += file.slices.count
    }
    for slice in tree.files.lazy.flatMap(\.slices) {
      records.appendNumber(text.add(shared: slice.architecture.name))
      let identity = slice.identity?.bytes ?? []
      guard let size = UInt8(exactly: identity.count) else { return nil }
      records.appendNumber(text.add(identity))
      records.appendNumber(slice.moduleName.map { text.add($0) } ?? 0)
      let (type, number) = FileTypeCode.code(of: slice.fileType)
      records.append(size)
      records.append(slice.format.rawValue)
      records.appendNumber(number)
      records.append(type)
      records.append(
        (slice.hasDebugInfo ? hasDebugInfoFlag : 0) | (slice.isIdentityPrefix ? isPrefixFlag : 0)
          | (slice.moduleName == nil ? 0 : hasNameFlag))
    }
    guard text.bytes.count <= UInt32.max, let folders = UInt32(exactly: tree.folders.count),
      let files = UInt32(exactly: tree.files.count), let slices = UInt32(exactly: sliceCount)
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.count + text.bytes.count + 64)
    bytes.appendNumber(mark)
    bytes.appendNumber(version)
    bytes.appendNumber(UInt32(root.followsLinks ? 1 : 0))
    for count in [folders, files, slices, UInt32(text.bytes.count)] { bytes.appendNumber(count) }
    bytes += records
    bytes += text.bytes
    var checksum = IndexChecksum()
    checksum.add(bytes)
    bytes.appendNumber(checksum.value)
    return bytes
  }

  private static func append(_ stamp: FileStamp?, to bytes: inout [UInt8]) {
    bytes.appendNumber(stamp?.size ?? .max)
    bytes.appendNumber(stamp.map { UInt64(bitPattern: $0.changeTime.seconds) } ?? .max)
    bytes.appendNumber(stamp?.changeTime.nanoseconds ?? .max)
    bytes.appendNumber(stamp?.inode ?? .max)
  }

  private struct Text {
    var bytes: [UInt8] = []
    private var offsets: [String: UInt32] = [:]

    /// A text of more than 4 GiB is not written.
    mutating func add(_ text: String) -> UInt32 {
      let offset = UInt32(clamping: bytes.count)
      bytes += text.utf8
      bytes.append(0)
      return offset
    }

    mutating func add(_ identity: [UInt8]) -> UInt32 {
      let offset = UInt32(clamping: bytes.count)
      bytes += identity
      return offset
    }

    /// For a text that many slices have.
    mutating func add(shared text: String) -> UInt32 {
      if let offset = offsets[text] { return offset }
      let offset = add(text)
      offsets[text] = offset
      return offset
    }
  }

  // MARK: - Reading

  /// The tree; nil if the bytes are damaged, of another version or another root.
  package static func decode(_ region: ByteRegion, of root: SearchRoot) -> DirectoryTree? {
    (try? decodeOrThrow(region, of: root)) ?? nil
  }

  private static func decodeOrThrow(
    _ region: ByteRegion, of root: SearchRoot
  ) throws(ByteReadError) -> DirectoryTree? {
    guard region.count >= 40 else { return nil }
    let content = try region.subregion(offset: 0, count: UInt64(region.count) - 8)
    var end = try region.subregion(offset: UInt64(content.count), count: 8)
      .reader(byteOrder: .little)
    var checksum = IndexChecksum()
    content.withRawSpan { checksum.add($0) }
    guard try end.read(UInt64.self) == checksum.value else { return nil }

    var reader = content.reader(byteOrder: .little)
    guard try reader.read(UInt64.self) == mark, try reader.read(UInt32.self) == version,
      try reader.read(UInt32.self) == (root.followsLinks ? 1 : 0)
    else { return nil }
    let folderCount = UInt64(try reader.read(UInt32.self))
    let fileCount = UInt64(try reader.read(UInt32.self))
    let sliceCount = UInt64(try reader.read(UInt32.self))
    let textSize = UInt64(try reader.read(UInt32.self))
    let recordSize = folderCount * folderSize + fileCount * fileSize + sliceCount * sliceSize
    guard UInt64(content.count) == headerSize + recordSize + textSize else { return nil }
    var text = StoredText(
      region: try content.subregion(offset: headerSize + recordSize, count: textSize))
    guard text.shared(at: 0) == root.realPath else { return nil }

    var tree = DirectoryTree()
    tree.folders.reserveCapacity(Int(folderCount))
    for _ in 0..<folderCount {
      let path = text.own(at: UInt64(try reader.read(UInt32.self)))
      let stamp = try readStamp(&reader)
      let linkCount = try reader.read(UInt32.self)
      var offset = UInt64(try reader.read(UInt32.self))
      guard let path else { return nil }
      var links: [String] = []
      for _ in 0..<linkCount {
        guard let link = text.own(at: offset) else { return nil }
        links.append(link)
        offset += UInt64(link.utf8.count) + 1
      }
      tree.folders.append(DirectoryTree.Folder(path: path, stamp: stamp, links: links))
    }
    var slices = try content.subregion(
      offset: headerSize + folderCount * folderSize + fileCount * fileSize,
      count: sliceCount * sliceSize
    ).reader(byteOrder: .little)
    var architectures: [UInt32: Architecture] = [:]
    tree.files.reserveCapacity(Int(fileCount))
    for _ in 0..<fileCount {
      let path = text.own(at: UInt64(try reader.read(UInt32.self)))
      let stamp = try readStamp(&reader)
      let count = try reader.read(UInt32.self)
      guard let path else { return nil }
      if count == .max {
        tree.files.append(
          DirectoryTree.File(path: path, stamp: stamp, slices: [], isArchive: true))
        continue
      }
      var headers: [SymbolFileHeader] = []
      for _ in 0..<count {
        guard let header = try readSlice(&slices, &text, &architectures) else { return nil }
        headers.append(header)
      }
      tree.files.append(DirectoryTree.File(path: path, stamp: stamp, slices: headers))
    }
    return tree
  }

  private static func readStamp(_ reader: inout ByteReader) throws(ByteReadError) -> FileStamp? {
    let size: UInt64 = try reader.read()
    let seconds: UInt64 = try reader.read()
    let nanoseconds: UInt32 = try reader.read()
    let inode: UInt64 = try reader.read()
    if nanoseconds == .max { return nil }
    return FileStamp(
      size: size,
      changeTime: FileTime(seconds: Int64(bitPattern: seconds), nanoseconds: nanoseconds),
      inode: inode)
  }

  private static func readSlice(
    _ reader: inout ByteReader, _ text: inout StoredText,
    _ architectures: inout [UInt32: Architecture]
  ) throws(ByteReadError) -> SymbolFileHeader? {
    let name: UInt32 = try reader.read()
    let identity: UInt32 = try reader.read()
    let moduleName: UInt32 = try reader.read()
    let identitySize: UInt8 = try reader.read()
    let format: UInt8 = try reader.read()
    let number: UInt32 = try reader.read()
    let type: UInt8 = try reader.read()
    let flags: UInt8 = try reader.read()
    var architecture = architectures[name]
    if architecture == nil {
      architecture = text.shared(at: UInt64(name)).map { Architecture(name: $0) }
      architectures[name] = architecture
    }
    guard let architecture, let format = ObjectFormat(rawValue: format),
      let type = FileTypeCode.type(of: type, number)
    else { return nil }
    let bytes = try text.region.subregion(offset: UInt64(identity), count: UInt64(identitySize))
      .bytes
    return SymbolFileHeader(
      format: format, fileType: type, architecture: architecture,
      identity: ImageIdentity(bytes: bytes), hasDebugInfo: flags & hasDebugInfoFlag != 0,
      moduleName: flags & hasNameFlag == 0 ? nil : text.own(at: UInt64(moduleName)),
      isIdentityPrefix: flags & isPrefixFlag != 0)
  }
}

/// The text of an index that is read.
private struct StoredText {
  let region: ByteRegion
  /// How many bytes of the text may still be read. Each string but a shared one is in the text for
  /// its own sake, so all together are not larger than the text: records that lie cannot make one
  /// string many.
  private var rest: Int

  init(region: ByteRegion) {
    self.region = region
    rest = region.count
  }

  /// A string that one record has.
  mutating func own(at offset: UInt64) -> String? {
    guard rest > 0, let text = region.text(at: offset) else { return nil }
    rest -= text.utf8.count + 1
    return text
  }

  /// A string that many records may have.
  func shared(at offset: UInt64) -> String? { region.text(at: offset) }
}

/// The numbers that stand for types of files.
private enum FileTypeCode {
  private static let named: [ObjectFileType] = [
    .executable, .dynamicLibrary, .bundle, .relocatable, .debugSymbols, .dynamicLinker,
    .kernelExtension, .index, .core,
  ]
  private static let other: UInt8 = 255

  static func code(of type: ObjectFileType) -> (code: UInt8, number: UInt32) {
    if case .other(let number) = type { return (other, number) }
    return (UInt8(named.firstIndex(of: type) ?? 0), 0)
  }

  static func type(of code: UInt8, _ number: UInt32) -> ObjectFileType? {
    if code == other { return .other(number) }
    return named.indices.contains(Int(code)) ? named[Int(code)] : nil
  }
}
