import Archives
import Decompression
import FileSystem
import ObjectFiles
import SymbolicationModel
import SystemPackage

/// The kind of a file according to its first bytes. The rest of the file is not read.
package enum SymbolFileKind: Hashable, Sendable {
  /// Mach-O, fat or ELF.
  case objectFile
  /// GSYM.
  case index
  /// A Breakpad symbol file.
  case breakpad
  /// A file of a dyld shared cache.
  case sharedCache
  /// Apple's `.symbols`, or names that were learnt from reports.
  case otherSymbols
  /// A static library (`.a`), which holds object files, or, if it is thin, names them.
  case archive
  /// A zip or tar archive, compressed or not, which may hold symbol files.
  case zipOrTar
  /// A compressed file (gzip, xz, zstd) that is no tar archive, or is damaged: maybe a report.
  case compressed
  /// A symbol map of a build with bitcode (`.bcsymbolmap`).
  case symbolMap
  /// Not a symbol file.
  case other

  /// Whether it holds what symbols come from, so that it is no report.
  package var isSymbolFile: Bool {
    switch self {
    case .objectFile, .index, .breakpad, .sharedCache, .otherSymbols, .archive, .zipOrTar,
      .symbolMap:
      true
    case .compressed, .other: false
    }
  }

  /// Enough to tell a `MODULE` record from a text that begins with this word.
  private static let startSize = 256

  /// Nil if it cannot be told: nothing is at `path`, it is a directory, it cannot be opened, or it
  /// is a pipe, whose bytes can be read only once.
  package init?(path: String) {
    guard let descriptor = try? Self.open(path) else { return nil }
    defer { try? descriptor.close() }
    guard (try? descriptor.seek(offset: 0, from: .current)) != nil,
      let start = try? descriptor.readStart(max(Self.startSize, ArchiveKind.prefixSize))
    else { return nil }
    self.init(start: start)
    if self == .zipOrTar, let format = CompressedFile(start: start),
      unsafe !Self.isTar(compressed: Self.longStart(descriptor, start, format).span.bytes, format)
    {
      self = .compressed
    }
  }

  /// Whether a tar archive is in a compressed file, given the start of the file.
  static func isTar(compressed start: RawSpan, _ format: CompressedFile) -> Bool {
    isTarHeader(format.start(of: start, count: tarHeaderSize))
  }

  private static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(pathText: path), .readOnly, options: [.closeOnExec, .nonBlocking])
  }

  /// The first bytes of a file; none if it cannot be read, or is a pipe.
  package static func start(ofFileAt path: String, count: Int) -> [UInt8] {
    guard let descriptor = try? open(path) else { return [] }
    defer { try? descriptor.close() }
    guard (try? descriptor.seek(offset: 0, from: .current)) != nil else { return [] }
    return (try? descriptor.readStart(count)) ?? []
  }

  /// Enough of a compressed file for the first bytes of what is in it.
  private static func longStart(
    _ descriptor: FileDescriptor, _ start: [UInt8], _ format: CompressedFile
  ) -> [UInt8] {
    let whole = try? unsafe [UInt8](unsafeUninitializedCapacity: format.startSize) {
      buffer, count in
      count = try unsafe descriptor.read(
        fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return whole ?? start
  }

  private static let tarHeaderSize = 512

  /// Whether a tar archive begins so: with "ustar", or with the checksum of a header before POSIX,
  /// the sum of its bytes with spaces in place of the checksum.
  private static func isTarHeader(_ header: [UInt8]) -> Bool {
    if ArchiveKind(header) == .tar { return true }
    guard header.count == tarHeaderSize else { return false }
    let digits = header[148..<156].drop { $0 == UInt8(ascii: " ") }
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    let stated = digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
    let sum = (header[..<148] + header[156...]).reduce(8 * 0x20) { $0 + Int($1) }
    return !digits.isEmpty && stated == sum
  }

  /// By the first bytes alone, so that any compressed file is `zipOrTar`.
  init(start: [UInt8]) {
    switch SymbolFileMagic(start) {
    case .machO, .fat, .elf: self = .objectFile
    case .gsym: self = .index
    case .breakpad: self = BreakpadModule(start) == nil ? .other : .breakpad
    case .sharedCache where SharedCache.begins(start): self = .sharedCache
    case .coreSymbolication, .learnt: self = .otherSymbols
    // A tar archive begins with the name of a file, which may begin so.
    case .sharedCache, nil:
      let isArchive = ["!<arch>\n", "!<thin>\n"].contains { start.starts(with: $0.utf8) }
      if start.starts(with: "BCSymbolMap Version".utf8) {
        self = .symbolMap
      } else {
        self = isArchive ? .archive : ArchiveKind(start) != nil ? .zipOrTar : .other
      }
    }
  }
}
