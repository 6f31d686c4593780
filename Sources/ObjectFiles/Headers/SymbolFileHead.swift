package import BinaryInput
package import SymbolicationModel

/// What the first bytes of a symbol file, or of a slice of it, state about it.
///
/// It is for files whose bytes come one after the other, such as members of compressed archives:
/// what a symbol file is the file of is known long before all of it is there.
package struct SymbolFileHead: Hashable, Sendable {
  package let format: ObjectFormat
  package let architecture: Architecture
  package let identity: ImageIdentity?
  /// Nil if only the rest of the file shows it.
  package let hasDebugInfo: Bool?
  /// The name of the image, if the file states it: Breakpad only.
  package let moduleName: String?
  /// `ObjectFile.isIdentityPrefix`
  package let isIdentityPrefix: Bool

  package init(
    format: ObjectFormat, architecture: Architecture, identity: ImageIdentity?,
    hasDebugInfo: Bool?, moduleName: String? = nil, isIdentityPrefix: Bool = false
  ) {
    self.format = format
    self.architecture = architecture
    self.identity = identity
    self.hasDebugInfo = hasDebugInfo
    self.moduleName = moduleName
    self.isIdentityPrefix = isIdentityPrefix
  }

  package enum Finding: Hashable, Sendable {
    case notASymbolFile
    /// One for each slice, in the order of their offsets.
    case slices([SymbolFileHead])
    /// It begins like a symbol file. Only the whole file shows more: it may be damaged.
    case needsWholeFile
  }

  /// Reads the head of a file.
  ///
  /// - Parameter bytes: returns `count` bytes at `offset` of the file, or as many as there are. The
  ///   offsets grow from call to call and never shrink.
  package static func read<Failure: Error>(
    _ bytes: (_ offset: UInt64, _ count: Int) throws(Failure) -> ByteRegion
  ) throws(Failure) -> Finding {
    let magic = SymbolFileMagic(try bytes(0, SymbolFileMagic.size).bytes)
    if let head = magic?.standaloneHead { return standalone(head.init(try bytes(0, head.size))) }
    switch magic {
    case .machO:
      let head = try machO(at: 0, bytes)
      return head.map { .slices([$0]) } ?? .needsWholeFile
    case .fat:
      return try fat(bytes)
    case .elf:
      return try elf(bytes)
    default:
      return .notASymbolFile
    }
  }

  private static func standalone(_ head: any StandaloneHead) -> Finding {
    guard head.isSelfContained else { return .needsWholeFile }
    do throws(ObjectFileError) {
      return .slices([SymbolFileHead(try head.objectFile(path: ""), hasDebugInfo: nil)])
    } catch {
      if case .unrecognized = error.reason { return .notASymbolFile }
      return .needsWholeFile
    }
  }

  /// The head of a file that was opened.
  package init(_ file: ObjectFile) {
    self.init(file, hasDebugInfo: file.answersAlone ? nil : file.hasDebugInfo)
  }

  private init(_ file: ObjectFile, hasDebugInfo: Bool?) {
    self.init(
      format: file.format, architecture: file.architecture, identity: file.identity,
      hasDebugInfo: hasDebugInfo, moduleName: file.moduleName,
      isIdentityPrefix: file.isIdentityPrefix)
  }

  /// Whether the file belongs to the image with this identity.
  package func belongs(to identity: ImageIdentity?) -> Bool {
    guard self.identity != identity else { return true }
    return isIdentityPrefix && self.identity.isStart(of: identity)
  }

  // MARK: - Mach-O

  /// More load commands, in bytes, than any linker writes.
  private static let loadCommandLimit: UInt32 = 16 << 20

  private static func machO<Failure: Error>(
    at offset: UInt64, _ bytes: (UInt64, Int) throws(Failure) -> ByteRegion
  ) throws(Failure) -> SymbolFileHead? {
    let header = try bytes(offset, 32)
    guard case .machO(_, let isBigEndian)? = SymbolFileMagic(header.prefix(4)) else { return nil }
    // `sizeofcmds`
    var cursor = header.cursor(at: 20, byteOrder: isBigEndian ? .big : .little)
    let size = cursor.readUInt32()
    guard !cursor.hasFailed, size <= loadCommandLimit,
      let file = try? MachOParser.parse(
        try bytes(offset, 32 + Int(size)), path: "", statedArchitecture: nil)
    else { return nil }
    return SymbolFileHead(file, hasDebugInfo: file.hasDebugInfo)
  }

  private static func fat<Failure: Error>(
    _ bytes: (UInt64, Int) throws(Failure) -> ByteRegion
  ) throws(Failure) -> Finding {
    // `fat_arch_64` has 32 bytes.
    let start = try bytes(0, 8 + 32 * Int(FatHeader.sliceLimit))
    let header: FatHeader?
    do {
      header = try FatHeader.parse(start, path: "")
    } catch {
      if case .unlikelySliceCount = error.reason { return .notASymbolFile }
      return .needsWholeFile
    }
    var slices: [SymbolFileHead] = []
    for slice in (header?.slices ?? []).sorted(by: { $0.offset < $1.offset }) {
      guard let head = try machO(at: slice.offset, bytes) else { return .needsWholeFile }
      slices.append(head)
    }
    return slices.isEmpty ? .needsWholeFile : .slices(slices)
  }
}
