import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Files are cut at every length, and every byte is replaced. Each file must be refused, or read
/// completely, without a trap. The answers of a cut file are compared with those of the whole file.
@Suite struct HostileInputTests {
  private static let machO = MachOImage(
    segments: [
      .init(
        name: "__TEXT", address: 0x1000, size: 0x1000,
        sections: [
          .init(name: "__text", address: 0x1100, flags: 0x8000_0400, content: [1, 2, 3, 4]),
          .init(name: "__stubs", address: 0x1200, size: 0x10, flags: 0x8000_0408, reserved2: 8),
        ]),
      .init(
        name: "__DWARF", address: 0x2000, size: 0x100,
        sections: [.debug("__debug_info", [1, 2, 3]), .debug("__zdebug_line", Array("ZLIB".utf8))]),
    ], symbols: [.init(name: "_a", value: 0x1100), .init(name: "_b", type: 0x0e, value: 0x1102)],
    indirectSymbols: [0, 1], functionStarts: [0x80, 2, 2, 0])

  private static let machO32: MachOImage = {
    var image = machO
    image.is64Bit = false
    image.bigEndian = true
    image.cpuType = 12
    return image
  }()

  private static let elf: ElfImage = {
    var compressed = BinaryBuilder()
    compressed.u32(1)
    compressed.u32(0)
    compressed.u64(0)
    compressed.u64(1)
    // zlib.compress(b"") of Python 3.
    compressed.append([0x78, 0x9c, 3, 0, 0, 0, 0, 1])
    var image = ElfImage(
      programHeaders: [
        .init(address: 0x1000, fileSize: 0x40, memorySize: 0x1000),
        .init(type: 4, offset: 232, fileSize: 36, alignment: 4),
      ],
      sections: [
        .init(name: ".text", flags: 6, address: 0x1100, content: [1, 2, 3, 4]),
        .init(name: ".note", type: 7, content: ElfImage.note("GNU", type: 3, Array(1...20))),
        .init(name: ".debug_info", flags: 0x800, content: compressed.bytes),
        .init(name: ".zdebug_line", content: Array("ZLIB".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0]),
      ])
    image.addSymbols([
      .init(name: "a", value: 0x1100, size: 4), .init(name: "b", info: 0, value: 0x1102),
    ])
    return image
  }()

  private static let elf32: ElfImage = {
    var image = ElfImage(
      is64Bit: false, bigEndian: true, machine: 20,
      programHeaders: [.init(address: 0x1000, fileSize: 0x40, memorySize: 0x1000)],
      sections: [
        .init(name: ".text", flags: 6, address: 0x1100, content: [1, 2, 3, 4]),
        .init(
          name: ".note", type: 7,
          content: ElfImage.note("GNU", type: 3, Array(1...20), bigEndian: true)),
        .init(name: ".debug_info", content: [1]),
      ])
    image.addSymbols([.init(name: "a", value: 0x1100, size: 4)])
    return image
  }()

  private static let files: [[UInt8]] = [
    machO.bytes, machO32.bytes, elf.bytes, elf32.bytes,
    FatImage(slices: [
      .init(bytes: machO.bytes), .init(cpuType: 12, bytes: machO32.bytes),
    ]).bytes,
    FatImage(is64Bit: true, bigEndian: false, slices: [.init(bytes: machO.bytes)]).bytes,
  ]

  /// Calls every accessor. Returns the names of the symbols that it finds.
  @discardableResult
  private func readAll(_ bytes: [UInt8]) -> [String]? {
    guard let container = try? parse(bytes) else { return nil }
    var names: [String] = []
    for file in container.objectFiles {
      _ = (file.linkBase(), file.linkBase(segmentName: "__TEXT"), file.loadedRanges)
      _ = (file.codeRanges, file.hasDebugInfo, file.identity)
      for name in [".debug_info", ".debug_line", ".debug_str_offsets"] {
        _ = try? file.debugSection(name, inflatedSizeLimit: 1 << 20)
      }
      let stubs = try? file.readSymbolStubs()
      let starts = try? file.readFunctionStarts()
      for address: UInt64 in [0, 0x1100, 0x1103, 0x1200, 0x120f, 1 << 31, 1 << 63, .max] {
        let address = LinkAddress(address)
        if let stub = try? stubs?.stub(at: address) { expectTrue(stub.addresses.contains(address)) }
        if let start = starts?.start(containing: address) { #expect(start <= address) }
      }
      guard let table = try? file.symbolTable() else { continue }
      for index in 0..<table.count {
        let symbol = table[index]
        names.append(symbol.rawName)
        // A lookup at the start of a symbol finds a symbol that holds this address.
        expectEqual(table.symbol(at: symbol.addresses.lowerBound), symbol)
      }
    }
    return names
  }

  @Test func theWholeFilesAreRead() {
    expectEqual(
      Self.files.map(readAll),
      [
        ["_a", "_b"], ["_a", "_b"], ["a", "b"], ["a"], ["_a", "_b", "_a", "_b"], ["_a", "_b"],
      ])
  }

  @Test(arguments: files.indices)
  func filesCutAtEveryLengthDoNotTrap(index: Int) {
    let bytes = Self.files[index]
    let whole = readAll(bytes) ?? []
    for count in 0..<bytes.count {
      // A cut file may have fewer symbols, but no others.
      let names = readAll(Array(bytes[..<count])) ?? []
      expectTrue(names.count <= whole.count && Set(names).isSubset(of: whole), "cut at \(count)")
    }
  }

  @Test(arguments: files.indices)
  func filesWithEveryByteReplacedDoNotTrap(index: Int) {
    let bytes = Self.files[index]
    for offset in bytes.indices {
      for value: UInt8 in [0x00, 0xff, 0x7f, 0x80] where bytes[offset] != value {
        readAll(bytes.replacing(at: offset, with: [value]))
      }
    }
  }

  @Test(arguments: files.indices)
  func filesWithWholeFieldsReplacedDoNotTrap(index: Int) {
    let bytes = Self.files[index]
    for size in [2, 4, 8] {
      for offset in stride(from: 0, to: bytes.count - size, by: 2) {
        readAll(bytes.replacing(at: offset, with: [UInt8](repeating: 0xff, count: size)))
        readAll(bytes.replacing(at: offset, with: [UInt8](repeating: 0, count: size)))
      }
    }
  }
}
