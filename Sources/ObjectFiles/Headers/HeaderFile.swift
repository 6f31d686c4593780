import BinaryInput
import FileSystem
import SymbolicationModel
import SystemPackage

/// An open file. Only its headers are read.
struct HeaderFile {
  private let descriptor: FileDescriptor
  let path: String
  /// Of the file, in bytes.
  let size: UInt64
  /// The first bytes of the file.
  private let start: ByteRegion

  /// The load commands of most Mach-O files, and the program headers of most ELF files, end here.
  private static let startSize = 8192
  /// More than any table of headers has that is read here.
  private static let readLimit: UInt64 = 16 << 20

  /// The headers of all slices of the file at `path`; nil if anything is unusual. Throws
  /// `inaccessible`, `empty` and `unrecognized`, as `ObjectContainer` does.
  static func slices(path: String) throws(ObjectFileError) -> [SymbolFileHeader]? {
    let descriptor: FileDescriptor
    do {
      // Without waiting, because the file may be a pipe by now.
      descriptor = try FileDescriptor.open(
        FilePath(pathText: path), .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw refusal(.open, (error as? Errno) ?? .ioError, path)
    }
    defer { try? descriptor.close() }
    return try HeaderFile(descriptor, path: path).slices()
  }

  private static func refusal(
    _ operation: FileAccessError.Operation, _ errno: Errno, _ path: String
  ) -> ObjectFileError {
    ObjectFileError(
      path: path,
      reason: .inaccessible(FileAccessError(path: path, operation: operation, errno: errno)))
  }

  private init(_ descriptor: FileDescriptor, path: String) throws(ObjectFileError) {
    self.descriptor = descriptor
    self.path = path
    let status: FileStatus
    do {
      status = try FileStatus(descriptor, path: path)
    } catch {
      throw Self.refusal(.inspect, error.errno, path)
    }
    switch status.kind {
    case .regularFile: break
    case .directory: throw Self.refusal(.read, .isDirectory, path)
    case .symbolicLink, .special: throw Self.refusal(.refuseSpecialFile, .notSupported, path)
    }
    size = status.size
    guard size > 0 else { throw ObjectFileError(path: path, reason: .empty) }
    do {
      start = ByteRegion(
        copying: try Self.read(descriptor, offset: 0, count: Int(min(size, UInt64(Self.startSize))))
      )
    } catch {
      throw Self.refusal(.read, (error as? Errno) ?? .ioError, path)
    }
    guard SymbolFileMagic(start.prefix(SymbolFileMagic.size)) != nil else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: start.prefix(8)))
    }
  }

  private func slices() -> [SymbolFileHeader]? {
    let magic = SymbolFileMagic(start.prefix(SymbolFileMagic.size))
    if let head = magic?.standaloneHead { return standalone(head) }
    return switch magic {
    case .machO: machO(at: 0, size: size, stated: nil).map { [$0] }
    case .fat: fatSlices()
    case .elf: ElfHeaderReader.read(self).map { [$0] }
    default: nil
    }
  }

  private func standalone(_ type: any StandaloneHead.Type) -> [SymbolFileHeader]? {
    let head = type.init(start)
    let isComplete = size <= UInt64(start.count)
    guard isComplete || (head.isSelfContained && start.count >= type.size),
      let file = try? head.objectFile(path: path)
    else { return nil }
    return [SymbolFileHeader(file)]
  }

  /// The `count` bytes at `offset`; nil if the file does not hold them all, or if they are too many
  /// for headers.
  func bytes(offset: UInt64, count: UInt64) -> ByteRegion? {
    let (end, overflow) = offset.addingReportingOverflow(count)
    guard !overflow, end <= size, count <= Self.readLimit, offset <= UInt64(Int64.max) else {
      return nil
    }
    if end <= UInt64(start.count) { return try? start.subregion(offset: offset, count: count) }
    guard
      let bytes = try? Self.read(descriptor, offset: Int64(offset), count: Int(count)),
      bytes.count == Int(count)
    else { return nil }
    return ByteRegion(copying: bytes)
  }

  /// As many of `count` bytes as the file has from `offset` on.
  private static func read(
    _ descriptor: FileDescriptor, offset: Int64, count: Int
  ) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let read = try unsafe descriptor.read(
          fromAbsoluteOffset: offset + Int64(filled), into: rest)
        guard read > 0 else { return }
        filled += read
      }
    }
  }

  // MARK: - Mach-O

  /// The header of the thin Mach-O file at `offset`.
  private func machO(at offset: UInt64, size: UInt64, stated: Architecture?) -> SymbolFileHeader? {
    // mach_header_64 has 32 bytes, mach_header 28; sizeofcmds is at 20 in both.
    guard let header = bytes(offset: offset, count: min(size, 32)), header.count >= 28,
      case .machO(let is64Bit, let isBigEndian)? = SymbolFileMagic(header.prefix(4))
    else { return nil }
    var reader = header.reader(byteOrder: isBigEndian ? .big : .little)
    guard (try? reader.skip(20)) != nil, let commandsSize = try? reader.read(UInt32.self) else {
      return nil
    }
    let headerSize = UInt64(is64Bit ? 32 : 28) + UInt64(commandsSize)
    guard headerSize <= size, let headers = bytes(offset: offset, count: headerSize),
      let file = try? MachOParser.parse(
        headers, path: path, statedArchitecture: stated, sliceSize: size)
    else { return nil }
    return SymbolFileHeader(file)
  }

  private func fatSlices() -> [SymbolFileHeader]? {
    guard let header = (try? FatHeader.parse(start, path: path)) ?? nil else { return nil }
    var taken: [Range<UInt64>] = []
    var slices: [SymbolFileHeader] = []
    for slice in header.slices {
      guard let range = fileRange(start: slice.offset, size: slice.size), range.upperBound <= size,
        !taken.contains(where: { $0.overlaps(range) }),
        let found = machO(at: slice.offset, size: slice.size, stated: slice.architecture),
        found.architecture == slice.architecture
      else { return nil }
      taken.append(range)
      slices.append(found)
    }
    return slices
  }
}
