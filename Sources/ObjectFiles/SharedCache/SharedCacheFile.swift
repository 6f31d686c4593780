import BinaryInput
import SymbolicationModel

/// One file of a dyld shared cache: its header, and the tables that the header leads to.
struct SharedCacheFile: Sendable {
  let path: String
  let region: ByteRegion
  let architecture: Architecture
  /// Nil if the file states none.
  let identity: ImageIdentity?
  /// Those whose bytes are in the file, in the order of the file.
  private(set) var mappings: [Mapping] = []
  private(set) var faults: [ObjectFileError] = []
  /// The header has the fields that begin before this offset.
  private let headerSize: UInt64

  /// A part of the file that has addresses.
  struct Mapping: Sendable {
    let addresses: Range<UInt64>
    /// Where the first byte is in the file, which holds all of them.
    let fileOffset: UInt64
    let slide: SharedCacheSlide
  }

  /// With what a file of a cache begins.
  private static let magicStart = Array("dyld_v1".utf8)
  private static let magicSize = 16
  /// A header has at least the fields up to the UUID.
  private static let smallestHeader: UInt64 = 0x68
  /// More mappings, sub-caches or images than any system has.
  private static let mappingLimit: UInt64 = 1024
  private static let subCacheLimit: UInt64 = 1024
  private static let imageLimit: UInt64 = 1 << 16

  /// Whether a file that begins so is one of a shared cache: other texts begin with `dyld`, too.
  static func begins(_ start: some Collection<UInt8>) -> Bool { start.starts(with: magicStart) }

  /// Reads the header and the mappings. Throws `unrecognized` for another file, and a problem with
  /// the field that makes the whole file useless.
  init(_ region: ByteRegion, path: String) throws(ObjectFileError) {
    let magic = region.prefix(Self.magicSize)
    guard Self.begins(magic) else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: region.prefix(8)))
    }
    let name = magic.dropFirst(Self.magicStart.count).drop { $0 == UInt8(ascii: " ") }
      .prefix { $0 != 0 }
    self.path = path
    self.region = region
    self.architecture = Architecture(name: String(decoding: name, as: UTF8.self))
    guard region.count >= Self.smallestHeader else {
      throw ObjectFileError(
        path: path, architecture: architecture,
        reason: .truncated(
          .sharedCacheHeader, offset: 0, wanted: Self.smallestHeader,
          available: UInt64(region.count)))
    }
    let headerSize = region.unsigned(
      at: SharedCacheField.mappingOffset.offset, size: 4, byteOrder: .little)
    self.headerSize = headerSize ?? 0
    self.identity = (try? region.subregion(offset: SharedCacheField.uuid.offset, count: 16))
      .flatMap { ImageIdentity(bytes: $0.bytes) }
    guard self.headerSize >= Self.smallestHeader else {
      throw malformed(.mappingOffset, self.headerSize, .atLeast(Self.smallestHeader))
    }
    try readMappings()
  }

  // MARK: - Fields

  /// Whether the header is long enough to have the field.
  func has(_ field: SharedCacheField) -> Bool { field.offset < headerSize }

  /// The number in the field; 0 if the header has no such field.
  func number(_ field: SharedCacheField) -> UInt64 {
    guard has(field) else { return 0 }
    return number(at: field.offset, size: field.size)
  }

  /// The UUID in the field; nil if the header has no such field, or only zeros in it.
  func identity(_ field: SharedCacheField) -> ImageIdentity? {
    has(field) ? identity(at: field.offset) : nil
  }

  /// The number at `offset`; 0 beyond the end of the file. Tables are checked as a whole.
  private func number(at offset: UInt64, size: Int) -> UInt64 {
    region.unsigned(at: offset, size: size, byteOrder: .little) ?? 0
  }

  private func identity(at offset: UInt64) -> ImageIdentity? {
    (try? region.subregion(offset: offset, count: 16)).flatMap { ImageIdentity(bytes: $0.bytes) }
  }

  func error(_ kind: SymbolFileProblem.Kind) -> ObjectFileError {
    ObjectFileError(path: path, architecture: architecture, reason: .sharedCache(kind))
  }

  func malformed(
    _ field: SharedCacheField, _ value: UInt64, _ expected: SymbolFileProblem.Bound
  ) -> ObjectFileError {
    error(.malformed(structure: field.term, value: value, expected: expected))
  }

  /// The offsets of the entries of a table. Throws if it is not in the file, or has more than
  /// `limit` entries.
  private func table(
    _ offsetField: SharedCacheField, _ countField: SharedCacheField, entrySize: UInt64,
    limit: UInt64
  ) throws(ObjectFileError) -> StrideTo<UInt64> {
    let count = number(countField)
    guard count > 0 else { return stride(from: 0, to: 0, by: 1) }
    guard count <= limit else { throw malformed(countField, count, .atMost(limit)) }
    let offset = number(offsetField)
    let size = UInt64(region.count)
    guard offset <= size, count * entrySize <= size - offset else {
      throw error(
        .truncated(
          structure: offsetField.term, offset: offset, wanted: count * entrySize, available: size))
    }
    return stride(from: offset, to: offset + count * entrySize, by: Int(entrySize))
  }

  // MARK: - Tables

  private mutating func readMappings() throws(ObjectFileError) {
    let fileSize = UInt64(region.count)
    let slides = readSlides()
    let entries = try table(
      .mappingOffset, .mappingCount, entrySize: 32, limit: Self.mappingLimit)
    for (index, entry) in entries.enumerated() {
      let address = number(at: entry, size: 8)
      let size = number(at: entry + 8, size: 8)
      let fileOffset = number(at: entry + 16, size: 8)
      guard size <= .max - address else {
        faults.append(
          error(
            .malformed(
              structure: "size of mapping \(index) of the shared cache", value: size,
              expected: .atMost(.max - address))))
        continue
      }
      let available = fileOffset <= fileSize ? min(size, fileSize - fileOffset) : 0
      if available < size {
        faults.append(
          error(
            .truncated(
              structure: "mapping \(index) of the shared cache", offset: fileOffset,
              wanted: size, available: fileSize)))
      }
      guard available > 0 else { continue }
      let slide = index < slides.count ? slides[index] : .none
      mappings.append(
        Mapping(
          addresses: address..<(address + available), fileOffset: fileOffset, slide: slide))
    }
  }

  /// How pointers are stored, for each mapping. Without such a table only names of methods are
  /// missing.
  private func readSlides() -> [SharedCacheSlide] {
    guard has(.mappingWithSlideOffset) else {
      // The second mapping is the one with data.
      return [.none, SharedCacheSlide(region, at: number(.slideInfoOffset))]
    }
    let entries = try? table(
      .mappingWithSlideOffset, .mappingWithSlideCount, entrySize: 56, limit: Self.mappingLimit)
    return (entries.map { Array($0) } ?? []).map { entry in
      number(at: entry + 32, size: 8) == 0
        ? .none : SharedCacheSlide(region, at: number(at: entry + 24, size: 8))
    }
  }

  /// Another file that the header names.
  struct SubCache: Hashable, Sendable {
    let identity: ImageIdentity?
    /// What its name has more than that of the main file.
    let suffix: String
  }

  /// The files with other parts of the cache, without that of the symbols.
  func subCaches() throws(ObjectFileError) -> [SubCache] {
    let hasSuffixes = has(.cacheSubType)
    let entries = try table(
      .subCacheArrayOffset, .subCacheArrayCount, entrySize: hasSuffixes ? 56 : 24,
      limit: Self.subCacheLimit)
    return entries.enumerated().map { index, entry in
      var suffix = ".\(index + 1)"
      if hasSuffixes, let field = try? region.subregion(offset: entry + 24, count: 32) {
        suffix = String(decoding: field.bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return SubCache(identity: identity(at: entry), suffix: suffix)
    }
  }

  /// What the file states about an image.
  struct Image: Sendable {
    let address: UInt64
    /// Nil in a file that only states addresses.
    var identity: ImageIdentity?
    /// Of `__TEXT`; 0 if it is not stated.
    var textSize: UInt64 = 0
    let path: String
  }

  /// The images of the cache, in the order of the file; none in a sub-cache.
  func images() throws(ObjectFileError) -> [Image] {
    let withIdentity = try table(
      .imagesTextOffset, .imagesTextCount, entrySize: 32, limit: Self.imageLimit)
    let images = withIdentity.map { entry in
      Image(
        address: number(at: entry + 16, size: 8), identity: identity(at: entry),
        textSize: number(at: entry + 24, size: 4),
        path: imagePath(at: number(at: entry + 28, size: 4)))
    }
    guard images.isEmpty else { return images }
    let isNew = has(.imagesCount) && number(.imagesCount) > 0
    let entries = try table(
      isNew ? .imagesOffset : .imagesOffsetOld, isNew ? .imagesCount : .imagesCountOld,
      entrySize: 32, limit: Self.imageLimit)
    return entries.map { entry in
      Image(
        address: number(at: entry, size: 8), path: imagePath(at: number(at: entry + 24, size: 4)))
    }
  }

  /// Longer paths are cut: many images may share one.
  private static let pathLimit: UInt64 = 1024

  private func imagePath(at offset: UInt64) -> String {
    let size = UInt64(region.count)
    guard offset < size,
      let field = try? region.subregion(
        offset: offset, count: min(Self.pathLimit, size - offset))
    else { return "" }
    return field.path(at: 0, count: field.countBeforeZero(from: 0) ?? field.count) ?? ""
  }
}

/// How the pointers of a mapping are stored in the file. The loader makes addresses of them, with
/// the help of slide information (`dyld_cache_slide_info2` to `dyld_cache_slide_info5`).
enum SharedCacheSlide: Hashable, Sendable {
  /// They are addresses.
  case none
  /// Bits of `delta` lead to the next pointer. The others are relative to `base`, unless they are
  /// 0. Versions 2, and 4 for pointers of 32 bits.
  case delta(UInt64, base: UInt64, is32Bit: Bool)
  /// Version 3: pointers that are authenticated are relative to `base`, others are addresses of 43
  /// bits.
  case authenticated(base: UInt64)
  /// Version 5: 34 bits, relative to `base`.
  case relative(base: UInt64)

  /// Reads the information at `offset`; `none` if it is not in the region, or of version 1, where
  /// pointers are addresses, or of an unknown one.
  init(_ region: ByteRegion, at offset: UInt64) {
    func number(_ field: UInt64, _ size: Int) -> UInt64 {
      guard field <= .max - offset else { return 0 }
      return region.unsigned(at: offset + field, size: size, byteOrder: .little) ?? 0
    }
    switch offset == 0 ? 0 : number(0, 4) {
    case 2: self = .delta(number(0x18, 8), base: number(0x20, 8), is32Bit: false)
    case 3: self = .authenticated(base: number(0x10, 8))
    case 4: self = .delta(number(0x18, 8), base: number(0x20, 8), is32Bit: true)
    case 5: self = .relative(base: number(0x10, 8))
    default: self = .none
    }
  }

  /// The address that the stored pointer stands for; 0 for none.
  func address(_ stored: UInt64) -> UInt64 {
    guard stored != 0 else { return 0 }
    switch self {
    case .none: return stored
    case .delta(let mask, let base, let is32Bit):
      let value = stored & ~mask
      if value == 0 { return 0 }
      return is32Bit ? (value &+ base) & 0xffff_ffff : (value &+ base) & 0x00ff_ffff_ffff_ffff
    case .authenticated(let base):
      return stored >> 63 != 0 ? (stored & 0xffff_ffff) &+ base : stored & 0x07ff_ffff_ffff
    case .relative(let base): return (stored & 0x3_ffff_ffff) &+ base
    }
  }
}
