import BinaryInput
import CLibElf

/// The headers of an ELF file, decoded by libelf. It takes care of class, byte order and counts
/// beyond 16 bits.
///
/// The contents of sections never come from here. They are read from the file's own bytes by
/// checked offsets.
///
/// Soundness: `region` keeps the bytes alive that libelf points to, until `deinit` closes libelf's
/// handle. The bytes are private to this process and writable, as `elf_memory` requires; the calls
/// made here only read them. A handle is used by one thread: it is neither `Sendable` nor copyable,
/// and is gone when the headers have been read. The pointers passed to libelf point to local
/// variables of these methods.
@safe struct LibElfHandle: ~Copyable {
  private let region: ByteRegion
  private let elf: OpaquePointer
  let header: GElf_Ehdr

  /// libelf must be told the version once, before any other call.
  private static let isReady = elf_version(UInt32(EV_CURRENT)) != UInt32(EV_NONE)

  /// Throws libelf's error number if it refuses the bytes.
  init(_ region: ByteRegion) throws(LibElfError) {
    guard Self.isReady else { throw LibElfError(code: elf_errno()) }
    let bytes = unsafe region.unsafeBytes
    guard let base = bytes.baseAddress,
      let elf = unsafe elf_memory(
        UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(to: CChar.self), bytes.count)
    else {
      throw LibElfError(code: elf_errno())
    }
    var header = GElf_Ehdr()
    guard unsafe elf_kind(elf) == ELF_K_ELF, unsafe gelf_getehdr(elf, &header) != nil else {
      let code = elf_errno()
      unsafe elf_end(elf)
      throw LibElfError(code: code)
    }
    self.region = region
    unsafe self.elf = unsafe elf
    self.header = header
  }

  deinit {
    unsafe elf_end(elf)
  }

  /// The number of section headers, including the null one at 0.
  func sectionCount() throws(LibElfError) -> Int {
    var count = 0
    guard unsafe elf_getshdrnum(elf, &count) == 0 else { throw LibElfError(code: elf_errno()) }
    return count
  }

  /// The index of the section that holds the section names; 0 if there is none.
  func sectionNameTable() throws(LibElfError) -> Int {
    var index = 0
    guard unsafe elf_getshdrstrndx(elf, &index) == 0 else { throw LibElfError(code: elf_errno()) }
    return index
  }

  func sectionHeader(_ index: Int) throws(LibElfError) -> GElf_Shdr {
    var header = GElf_Shdr()
    guard let section = unsafe elf_getscn(elf, index), unsafe gelf_getshdr(section, &header) != nil
    else { throw LibElfError(code: elf_errno()) }
    return header
  }

  func programHeaderCount() throws(LibElfError) -> Int {
    var count = 0
    guard unsafe elf_getphdrnum(elf, &count) == 0 else { throw LibElfError(code: elf_errno()) }
    return count
  }

  func programHeader(_ index: Int) throws(LibElfError) -> GElf_Phdr {
    var header = GElf_Phdr()
    guard let index = Int32(exactly: index), unsafe gelf_getphdr(elf, index, &header) != nil else {
      throw LibElfError(code: elf_errno())
    }
    return header
  }
}

/// libelf could not read something.
struct LibElfError: Error {
  /// `elf_errno()`
  let code: Int32
}
