import SystemPackage

/// What the first bytes of a file say it is. The rest of the file is not looked at.
package enum SymbolFileKind: Hashable, Sendable {
  /// Mach-O, fat or ELF.
  case objectFile
  /// GSYM.
  case index
  /// A static library (`.a`), which holds object files, or, if it is thin, names them.
  case archive
  /// Not a symbol file.
  case other

  /// Nil if it cannot be told: nothing is at `path`, it is a directory, it cannot be opened, or it
  /// is a pipe, whose bytes can be read only once.
  package init?(path: String) {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return nil }
    defer { try? descriptor.close() }
    guard (try? descriptor.seek(offset: 0, from: .current)) != nil,
      let start = try? unsafe [UInt8](
        unsafeUninitializedCapacity: 8,
        initializingWith: { buffer, count in
          count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
        })
    else { return nil }
    self = Self.magicNumbers.first { start.starts(with: $0.bytes) }?.kind ?? .other
  }

  private static let magicNumbers: [(bytes: [UInt8], kind: SymbolFileKind)] = [
    ([0x7f, 0x45, 0x4c, 0x46], .objectFile),  // ELF
    ([0xcf, 0xfa, 0xed, 0xfe], .objectFile),  // Mach-O, little endian
    ([0xce, 0xfa, 0xed, 0xfe], .objectFile),
    ([0xfe, 0xed, 0xfa, 0xcf], .objectFile),  // Mach-O, big endian
    ([0xfe, 0xed, 0xfa, 0xce], .objectFile),
    ([0xca, 0xfe, 0xba, 0xbe], .objectFile),  // fat
    ([0xca, 0xfe, 0xba, 0xbf], .objectFile),
    ([0xbe, 0xba, 0xfe, 0xca], .objectFile),
    ([0xbf, 0xba, 0xfe, 0xca], .objectFile),
    ([0x4d, 0x59, 0x53, 0x47], .index),  // GSYM, little endian
    ([0x47, 0x53, 0x59, 0x4d], .index),  // GSYM, big endian
    (Array("!<arch>\n".utf8), .archive),
    (Array("!<thin>\n".utf8), .archive),
  ]
}
