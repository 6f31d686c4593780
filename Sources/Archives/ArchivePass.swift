import BinaryInput
import CLibArchive
import SymbolicationModel

/// One pass over the members of an archive with libarchive, from the first to the last.
///
/// It enables one format and at most one filter, those that the first bytes demand: otherwise
/// libarchive would decompress what is compressed again and again, and a few kilobytes could keep
/// it busy for hours.
///
/// Soundness: `handle` and `entry` are libarchive's own; they are used from one thread at a time
/// and freed in `deinit`. libarchive reads `bytes`, which this object keeps alive. A block is valid
/// until the next call.
@safe final class ArchivePass {
  private let bytes: ByteRegion
  private let path: String
  private let kind: ArchiveKind
  let limits: ArchiveLimits
  private let handle: OpaquePointer
  /// The place of the member that `next` reads, if there is one.
  private(set) var nextIndex = 0
  private var currentName: String?
  private let budget: UnpackingBudget
  private var isAtEndOfData = true
  /// Whether an error was met after which no member can be read.
  private(set) var isDead = false

  /// One member, of any kind.
  struct Header {
    /// Counted from 0, over all members.
    let index: Int
    let name: String
    /// In bytes, as the archive states it; 0 if it does not, as for directories.
    let size: UInt64
    /// Whether it is a file, and not a directory or a link.
    let isFile: Bool
    let isEncrypted: Bool
  }

  /// Some bytes of a member. They are valid until the next call to the pass.
  @safe struct Block {
    /// Where they belong in the member.
    let offset: UInt64
    let bytes: UnsafeRawBufferPointer
    var count: UInt64 { UInt64(unsafe bytes.count) }
  }

  /// - Parameters:
  ///   - checksCrc: whether the checksums of zip members are compared, which reads all of their
  ///     bytes.
  ///   - start: where the member begins that is read first; nil to read them all. From a start,
  ///     libarchive reads a zip archive without its directory.
  init(
    _ bytes: ByteRegion, path: String, kind: ArchiveKind, limits: ArchiveLimits,
    budget: UnpackingBudget, checksCrc: Bool, start: UInt64? = nil
  ) throws(ArchiveError) {
    guard let handle = unsafe archive_read_new() else {
      throw ArchiveError(path: path, .outOfMemory(size: 0))
    }
    self.bytes = bytes
    self.path = path
    self.kind = kind
    self.limits = limits
    unsafe self.handle = handle
    self.budget = budget
    switch kind {
    case .zip:
      try check(
        unsafe start == nil
          ? archive_read_support_format_zip_seekable(handle)
          : archive_read_support_format_zip_streamable(handle))
      if !checksCrc {
        try check(unsafe archive_read_set_format_option(handle, "zip", "ignorecrc32", "1"))
      }
    case .tar:
      try check(unsafe archive_read_support_format_tar(handle))
    case .compressed(let compression):
      try check(unsafe archive_read_support_format_tar(handle))
      try check(unsafe archive_read_append_filter(handle, compression.filter))
    }
    let memory = unsafe bytes.unsafeBytes
    let skipped = Int(clamping: min(start ?? 0, UInt64(memory.count)))
    let status = unsafe archive_read_open_memory(
      handle, memory.baseAddress.map { unsafe $0 + skipped }, memory.count - skipped)
    if status < ARCHIVE_WARN, clibarchive_means_unrecognized(unsafe archive_errno(handle)) {
      throw error(unrecognizedFault)
    }
    try check(status)
  }

  deinit { unsafe archive_read_free(handle) }

  func error(_ fault: ArchiveFault) -> ArchiveError {
    budget.error(fault, path: path, member: currentName)
  }

  /// Throws `damaged` for a status that is worse than a warning.
  private func check(_ status: CInt, allowsWarning: Bool = true) throws(ArchiveError) {
    guard status < (allowsWarning ? ARCHIVE_WARN : ARCHIVE_OK) else { return }
    if status == ARCHIVE_FATAL { isDead = true }
    throw error(.damaged(detail: errorText))
  }

  // MARK: - Members

  /// The next member; nil after the last. What is left of the one before is skipped.
  func next() throws(ArchiveError) -> Header? {
    // libarchive would decompress what is skipped without a limit.
    if case .compressed = kind { while try nextBlock() != nil {} }
    currentName = nil
    isAtEndOfData = true
    var entry: OpaquePointer?
    let status = unsafe archive_read_next_header(handle, &entry)
    if status == ARCHIVE_EOF { return nil }
    // Members that cannot be read count too, so that every pass ends.
    guard nextIndex < limits.memberCount else {
      isDead = true
      throw error(.tooManyMembers(limit: limits.memberCount))
    }
    let index = nextIndex
    nextIndex += 1
    try check(status)
    guard let entry = unsafe entry else { return nil }
    let header = unsafe Header(
      index: index, name: Self.name(of: entry) ?? "member \(index)",
      size: UInt64(clamping: archive_entry_size(entry)),
      isFile: archive_entry_filetype(entry) == clibarchive_regular_file
        && archive_entry_hardlink(entry) == nil,
      isEncrypted: archive_entry_is_encrypted(entry) != 0)
    currentName = header.name
    isAtEndOfData = false
    return header
  }

  /// What is wrong with an archive that libarchive does not recognise, although it begins like one.
  private var unrecognizedFault: ArchiveFault {
    switch kind {
    case .zip: .missingDirectory
    case .tar: .damaged(detail: "")
    case .compressed(let compression):
      Self.isDecompressible(bytes, compression)
        ? .notATarArchive(compression: compression.rawValue) : .damaged(detail: "")
    }
  }

  /// Whether the first bytes can be decompressed. libarchive does not say whether a file is not a
  /// tar archive or is cut short.
  private static func isDecompressible(
    _ bytes: ByteRegion, _ compression: ArchiveKind.Compression
  ) -> Bool {
    guard let handle = unsafe archive_read_new() else { return false }
    defer { unsafe archive_read_free(handle) }
    let memory = unsafe bytes.unsafeBytes
    var entry: OpaquePointer?
    return unsafe archive_read_support_format_raw(handle) == ARCHIVE_OK
      && archive_read_append_filter(handle, compression.filter) >= ARCHIVE_WARN
      && archive_read_open_memory(handle, memory.baseAddress, memory.count) >= ARCHIVE_WARN
      && archive_read_next_header(handle, &entry) >= ARCHIVE_WARN
  }

  /// What libarchive says about the last failure; empty if it says nothing.
  private var errorText: String {
    guard let text = unsafe archive_error_string(handle) else { return "" }
    return unsafe String(cString: text)
  }

  private static func name(of entry: OpaquePointer) -> String? {
    if let text = unsafe archive_entry_pathname(entry) { return unsafe String(cString: text) }
    return unsafe archive_entry_pathname_utf8(entry).map { unsafe String(cString: $0) }
  }

  // MARK: - Content

  /// The next bytes of the member, and their offset in it; nil at its end. What no block covers is
  /// zero.
  func nextBlock() throws(ArchiveError) -> Block? {
    guard !isAtEndOfData else { return nil }
    var start: UnsafeRawPointer?
    var count = 0
    var offset: la_int64_t = 0
    let status = unsafe archive_read_data_block(handle, &start, &count, &offset)
    if status == ARCHIVE_EOF {
      isAtEndOfData = true
      return nil
    }
    if status != ARCHIVE_OK {
      isAtEndOfData = true
      // Nothing can be skipped in a compressed file.
      if case .compressed = kind { isDead = true }
    }
    // A warning says that the content and its checksum do not fit together.
    try check(status, allowsWarning: false)
    guard let offset = UInt64(exactly: offset) else {
      isDead = true
      throw error(.damaged(detail: ""))
    }
    let block = unsafe Block(
      offset: offset, bytes: UnsafeRawBufferPointer(start: start, count: count))
    guard offsetInArchive(of: block) == nil else { return block }
    do throws(ArchiveFault) {
      try budget.take(block.count)
    } catch {
      isDead = true
      throw self.error(error)
    }
    return block
  }

  /// Hands over what is left of the member, from the next block to its end.
  ///
  /// - Parameter write: returns false if the rest is not wanted.
  /// - Returns: whether everything was handed over.
  @discardableResult func unpackRest(
    with unpacking: inout MemberUnpacking, to write: (RawSpan) -> Bool,
    progress: (UInt64) -> Void = { _ in }
  ) throws(ArchiveError) -> Bool {
    while let block = try nextBlock() {
      do throws(ArchiveFault) {
        guard try unsafe unpacking.add(block.bytes.bytes, at: block.offset, to: write) else {
          return false
        }
      } catch {
        throw self.error(error)
      }
      progress(unpacking.done)
    }
    do throws(ArchiveFault) {
      return try unpacking.end(allowsHole: kind != .zip, to: write)
    } catch {
      throw self.error(error)
    }
  }

  /// Where `block` lies in the archive's own bytes; nil if it is somewhere else.
  func offsetInArchive(of block: Block) -> UInt64? {
    let memory = unsafe bytes.unsafeBytes
    let distance =
      unsafe Int(bitPattern: block.bytes.baseAddress)
      - Int(
        bitPattern: memory.baseAddress)
    guard distance >= 0, distance <= memory.count, block.count <= UInt64(memory.count - distance)
    else { return nil }
    return UInt64(distance)
  }
}

extension ArchiveKind.Compression {
  fileprivate var filter: CInt {
    switch self {
    case .gzip: ARCHIVE_FILTER_GZIP
    case .xz: ARCHIVE_FILTER_XZ
    case .zstd: ARCHIVE_FILTER_ZSTD
    case .bzip2: ARCHIVE_FILTER_BZIP2
    }
  }
}

/// Puts the blocks of a member together: in order, as many bytes as the archive states, and zeros
/// where a sparse file has holes.
struct MemberUnpacking {
  private let size: UInt64
  /// Of the bytes handed over so far.
  private(set) var done: UInt64 = 0

  private let budget: UnpackingBudget

  /// - Parameter budget: pays for the zeros of holes, which no block does.
  init(size: UInt64, budget: UnpackingBudget) {
    self.size = size
    self.budget = budget
  }

  /// Hands over the block that belongs at `offset`. Throws `wrongSize` if it does not fit.
  ///
  /// - Parameter write: returns false if the rest is not wanted.
  /// - Returns: what `write` returned.
  mutating func add(
    _ block: RawSpan, at offset: UInt64, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(block.byteCount))
    guard offset >= done, !overflow, end <= size else {
      throw .wrongSize(stated: size, found: overflow ? .max : end)
    }
    guard try addZeros(upTo: offset, to: write), write(block) else { return false }
    done = end
    return true
  }

  /// Hands over the zeros of a hole at the end. Only a sparse file has one: what a zip archive
  /// states, it must hold.
  mutating func end(
    allowsHole: Bool, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    guard done == size || allowsHole else { throw .wrongSize(stated: size, found: done) }
    return try addZeros(upTo: size, to: write)
  }

  private mutating func addZeros(
    upTo offset: UInt64, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    guard done < offset else { return true }
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    while done < offset {
      let part = Int(min(offset - done, UInt64(zeros.count)))
      try budget.take(UInt64(part))
      guard unsafe write(zeros.span.bytes.extracting(first: part)) else { return false }
      done += UInt64(part)
    }
    return true
  }
}
