/// Makes the symbol tables of a Mach-O file (fat or thin, little-endian) or an ELF file empty, and
/// leaves everything else as it is: `LC_SYMTAB` and `LC_DYSYMTAB` then count no symbols, and
/// `SHT_SYMTAB` and `SHT_DYNSYM` sections have no bytes. It does not check the file, so it is only
/// for files that the tests trust.
func hideSymbolTables(in bytes: inout [UInt8]) {
  switch word(bytes, 0) {
  case 0x464c_457f: hideElfSymbolTables(in: &bytes)
  case 0xbeba_feca: hideFatSymbolTables(in: &bytes, entrySize: 20)
  case 0xbfba_feca: hideFatSymbolTables(in: &bytes, entrySize: 32)
  default: hideMachOSymbolTables(in: &bytes, at: 0)
  }
}

/// - Parameter entrySize: the size of `fat_arch` (20) or `fat_arch_64` (32), which are big-endian.
private func hideFatSymbolTables(in bytes: inout [UInt8], entrySize: Int) {
  for index in 0..<Int(word(bytes, 4).byteSwapped) {
    let offset = 8 + index * entrySize + (entrySize == 32 ? 12 : 8)
    hideMachOSymbolTables(in: &bytes, at: Int(word(bytes, offset).byteSwapped))
  }
}

private func hideMachOSymbolTables(in bytes: inout [UInt8], at start: Int) {
  let magic = word(bytes, start)
  guard magic == 0xfeed_facf || magic == 0xfeed_face else { return }
  var command = start + (magic == 0xfeed_facf ? 32 : 28)
  for _ in 0..<word(bytes, start + 16) {
    switch word(bytes, command) {
    case 0x2:  // LC_SYMTAB: nsyms
      bytes.replaceSubrange(command + 12..<command + 16, with: repeatElement(0, count: 4))
    case 0xb:  // LC_DYSYMTAB: where local, external and undefined symbols begin, and their counts
      bytes.replaceSubrange(command + 8..<command + 32, with: repeatElement(0, count: 24))
    default: break
    }
    command += Int(word(bytes, command + 4))
  }
}

private func hideElfSymbolTables(in bytes: inout [UInt8]) {
  let is64Bit = bytes[4] == 2
  let isBigEndian = bytes[5] == 2
  func number(_ offset: Int, _ size: Int) -> Int {
    let digits = bytes[offset..<offset + size]
    return (isBigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
  let table = is64Bit ? number(0x28, 8) : number(0x20, 4)
  let entrySize = is64Bit ? 64 : 40
  for index in 0..<number(is64Bit ? 0x3c : 0x30, 2) {
    let header = table + index * entrySize
    let type = number(header + 4, 4)
    guard type == 2 || type == 11 else { continue }  // SHT_SYMTAB, SHT_DYNSYM
    let size = is64Bit ? header + 32..<header + 40 : header + 20..<header + 24
    bytes.replaceSubrange(size, with: repeatElement(0, count: size.count))
  }
}

private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
  (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
}
