import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The instructions are those that GNU ld 2.40 and lld 19 wrote, as `objdump -d` and
/// `llvm-objdump-19 -d` show them with the names of the entries.
@Suite struct ProcedureLinkageTableTests {
  /// A slot of the global offset table, and the index of the symbol whose address the loader puts
  /// there.
  private typealias Slot = (address: UInt64, symbol: UInt64)

  /// The symbols 1 and 2 are `puts` and `exit`.
  private func image(
    machine: UInt16 = 62, is64Bit: Bool = true,
    _ code: [(name: String, address: UInt64, code: [UInt8])],
    slots: [Slot], type: UInt64 = 7, more: [ElfImage.Section] = []
  ) -> ElfImage {
    var image = ElfImage(is64Bit: is64Bit, type: 3, machine: machine)
    image.sections = code.map {
      .init(name: $0.name, flags: 6, address: $0.address, content: $0.code)
    }
    image.addSymbols(
      [.init(name: "puts", section: 0, value: 0), .init(name: "exit", section: 0, value: 0)],
      name: ".dynsym", type: 11)
    let symbols = UInt32(image.sections.count - 1)
    var relocations = BinaryBuilder()
    for slot in slots {
      if is64Bit {
        for value in [slot.address, slot.symbol << 32 | type, 0] { relocations.u64(value) }
      } else {
        relocations.u32(UInt32(slot.address))
        relocations.u32(UInt32(slot.symbol << 8 | type))
      }
    }
    image.sections.append(
      .init(
        name: is64Bit ? ".rela.plt" : ".rel.plt", type: is64Bit ? 4 : 9, flags: 2,
        content: relocations.bytes, link: symbols))
    image.sections += more
    return image
  }

  private func names(_ image: ElfImage, _ addresses: [UInt64]) throws -> [String] {
    let table = try require(parseThin(image.bytes).readProcedureLinkageTable())
    return addresses.map { address in
      guard let entry = table.entry(at: LinkAddress(address)) else { return "-" }
      return "\(entry.rawName) \(String(entry.addresses.lowerBound.value, radix: 16))"
    }
  }

  /// `.plt` at 0x1020 with its first entry for the loader; `.plt.got` at 0x1060.
  @Test func x86_64() throws {
    let image = image(
      [
        (
          ".plt", 0x1020,
          [UInt8](
            hexadecimal:
              """
              ff35ca2f0000 ff25cc2f0000 0f1f4000
              ff25ca2f0000 6800000000 e9e0ffffff
              ff25c22f0000 6801000000 e9d0ffffff
              """)
        ), (".plt.got", 0x1060, [UInt8](hexadecimal: "ff257a2f0000 6690")),
      ], slots: [(0x4008, 1), (0x4000, 2), (0x3fe0, 1)])
    try expectEqual(
      names(image, [0x101f, 0x1020, 0x102f, 0x1030, 0x103f, 0x1040, 0x104f, 0x1050]),
      ["-", "-", "-", "exit 1030", "exit 1030", "puts 1040", "puts 1040", "-"])
    try expectEqual(names(image, [0x1060, 0x1067, 0x1068]), ["puts 1060", "puts 1060", "-"])
  }

  /// `.plt` has entries that call the loader alone, `.plt.sec` those that jump; the second of them
  /// with the prefix `bnd`, as older linkers write it.
  @Test func x86_64WithIndirectBranchTracking() throws {
    let image = image(
      [
        (
          ".plt", 0x1020,
          [UInt8](
            hexadecimal:
              """
              ff35ca2f0000 ff25cc2f0000 0f1f4000
              f30f1efa 6800000000 e9e2ffffff 6690
              """)
        ),
        (
          ".plt.sec", 0x1070,
          [UInt8](
            hexadecimal:
              """
              f30f1efa ff25862f0000 660f1f440000
              f30f1efa f2ff257d2f0000 0f1f440000
              """)
        ),
      ], slots: [(0x4000, 1), (0x4008, 2)])
    try expectEqual(
      names(image, [0x1030, 0x103f, 0x1070, 0x107f, 0x1080, 0x108f]),
      ["-", "-", "puts 1070", "puts 1070", "exit 1080", "exit 1080"])
  }

  /// Entries of 16 bytes after the 32 of the loader's; with `bti` they have 24 bytes.
  @Test func aarch64() throws {
    let plain = [UInt8](
      hexadecimal:
        """
        f07bbfa9 10010090 113a42f9 10c21191 20021fd6 1f2003d5 1f2003d5 1f2003d5
        10010090 113e42f9 10e21191 20021fd6
        10010090 114242f9 10021291 20021fd6
        """)
    let image = image(
      machine: 183, [(".plt", 0x10370, plain)], slots: [(0x30478, 1), (0x30480, 2)], type: 1026)
    try expectEqual(
      names(image, [0x10370, 0x10374, 0x1038f, 0x10390, 0x1039f, 0x103a0, 0x103af, 0x103b0]),
      ["-", "-", "-", "puts 10390", "puts 10390", "exit 103a0", "exit 103a0", "-"])

    let marked = [UInt8](
      hexadecimal:
        """
        5f2403d5 10010090 113e42f9 10e21191 20021fd6 1f2003d5
        5f2403d5 10010090 114242f9 10021291 20021fd6 1f2003d5
        """)
    let other = self.image(
      machine: 183, [(".plt", 0x10380, marked)], slots: [(0x30478, 1), (0x30480, 2)], type: 1026)
    try expectEqual(
      names(other, [0x10380, 0x10397, 0x10398, 0x103af]),
      ["puts 10380", "puts 10380", "exit 10398", "exit 10398"])
  }

  /// adrp goes back, too: its 21 bits of pages are a signed number (Arm ARM, C6.2.10). 0xf0ffffd0
  /// is -5 pages from 0x10000.
  @Test func aarch64Backwards() throws {
    let image = image(
      machine: 183,
      [(".plt", 0x10370, [UInt8](hexadecimal: "d0fffff0 113e42f9 10e21191 20021fd6"))],
      slots: [(0xb478, 1)], type: 1026)
    try expectEqual(names(image, [0x10370]), ["puts 10370"])
  }

  /// Position-independent entries count from `.got.plt`.
  @Test func i386() throws {
    let code = [UInt8](
      hexadecimal:
        """
        ffb304000000 ffa308000000 90909090
        ffa30c000000 6800000000 e9e0ffffff
        ff2508330000 6808000000 e9d0ffffff
        """)
    let image = image(
      machine: 3, is64Bit: false, [(".plt", 0x1270, code)], slots: [(0x3304, 1), (0x3308, 2)],
      more: [.init(name: ".got.plt", flags: 3, address: 0x32f8, content: [0, 0, 0, 0])])
    try expectEqual(
      names(image, [0x1270, 0x127f, 0x1280, 0x128f, 0x1290, 0x129f]),
      ["-", "-", "puts 1280", "puts 1280", "exit 1290", "exit 1290"])
  }

  @Test func arm() throws {
    let code = [UInt8](
      hexadecimal:
        """
        04e02de5 00e68fe2 20ea8ee2 94f0bee5 d4d4d4d4 d4d4d4d4 d4d4d4d4 d4d4d4d4
        00c68fe2 20ca8ce2 7cf0bce5 d4d4d4d4
        00c68fe2 20ca8ce2 70f0bce5 d4d4d4d4
        """)
    let image = image(
      machine: 40, is64Bit: false, [(".plt", 0x10230, code)], slots: [(0x302d4, 1), (0x302d8, 2)],
      type: 22)
    try expectEqual(
      names(image, [0x10230, 0x1024f, 0x10250, 0x1025f, 0x10260, 0x1026f]),
      ["-", "-", "puts 10250", "puts 10250", "exit 10260", "exit 10260"])
  }

  /// R_X86_64_IRELATIVE, 37: the addend is the address of the function that chooses the target.
  @Test func indirectFunctions() throws {
    var image = image(
      [(".iplt", 0x1030, [UInt8](hexadecimal: "ff25ca2f0000 6800000000 e9e0ffffff"))],
      slots: [(0x4000, 0)],
      type: 37)
    image.sections[3].content[16] = 0x80
    try expectEqual(names(image, [0x1030]), ["*ABS*+0x80 1030"])
  }

  @Test func whatHasNoName() throws {
    let code: [(name: String, address: UInt64, code: [UInt8])] = [
      (".plt", 0x1030, [UInt8](hexadecimal: "ff25ca2f0000 6800000000 e9e0ffffff"))
    ]
    // No relocation for the slot; a symbol that is not there; one without a name.
    try expectEqual(names(image(code, slots: [(0x4008, 1)]), [0x1030]), ["-"])
    try expectEqual(names(image(code, slots: [(0x4000, 99)]), [0x1030]), ["-"])
    try expectEqual(names(image(code, slots: [(0x4000, 0)]), [0x1030]), ["-"])
    // Another processor; no such section; a debug file, whose sections have no bytes.
    try expectNil(
      parseThin(image(machine: 22, code, slots: [(0x4000, 1)]).bytes)
        .readProcedureLinkageTable())
    try expectNil(
      parseThin(image([(".text", 0x1030, code[0].code)], slots: [(0x4000, 1)]).bytes)
        .readProcedureLinkageTable())
    var debugFile = image(code, slots: [(0x4000, 1)])
    debugFile.sections[0].type = 8
    try expectNil(parseThin(debugFile.bytes).readProcedureLinkageTable())
  }

  @Test func tablesBeyondTheEndAreErrors() throws {
    var image = image(
      [(".plt", 0x1030, [UInt8](hexadecimal: "ff25ca2f0000 6800000000 e9e0ffffff"))],
      slots: [(0x4000, 1)])
    image.sections[3].offset = 0xffff
    let size = UInt64(image.bytes.count)
    let error = #expect(throws: ObjectFileError.self) {
      try parseThin(image.bytes).readProcedureLinkageTable()
    }
    expectEqual(
      error?.reason, .truncated(.relocations, offset: 0xffff, wanted: 24, available: size))
  }

  /// As `llvm-objdump-19 -d` names the entries of `.plt`, which ends at 0x1840.
  @Test func aLinkedImage() throws {
    let file = try parseThin(Fixtures.bytes(of: Fixtures.path("Elf/libshapes.elf")))
    let table = try require(file.readProcedureLinkageTable())
    let expected: [(UInt64, String?)] = [
      (0x17f0, nil), (0x17ff, nil), (0x1800, "sum_of_areas"), (0x180f, "sum_of_areas"),
      (0x1810, "spread"), (0x1820, "table_lookup"), (0x1830, "fail"), (0x183f, "fail"),
      (0x1840, nil),
    ]
    for (address, name) in expected {
      expectEqual(table.entry(at: LinkAddress(address))?.rawName, name, "\(address)")
    }
  }
}
