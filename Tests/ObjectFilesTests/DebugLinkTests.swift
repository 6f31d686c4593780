import ObjectFiles
import TestSupport
import Testing

/// `.gnu_debuglink`: the name and the checksum as `objdump -s -j .gnu_debuglink` shows the
/// section's bytes.
struct DebugLinkTests {
  private func elf(_ content: [UInt8], bigEndian: Bool = false) throws -> ObjectFile {
    try parseThin(
      ElfImage(
        bigEndian: bigEndian, sections: [.init(name: ".gnu_debuglink", content: content)]
      ).bytes)
  }

  @Test func theFixture() throws {
    let stripped = try ObjectFile.openElf(
      statedPath: Fixtures.path("Elf/libshapes-stripped.elf"))
    let link = try require(stripped.debugLink())
    expectEqual(link.name, "libshapes.debug")
    expectEqual(link.checksum, 0x2ba6_efe2)
    let debugFile = try ObjectFile.openElf(statedPath: Fixtures.path("Elf/libshapes.debug"))
    expectEqual(debugFile.checksum(), 0x2ba6_efe2)
    try expectNil(debugFile.debugLink())
  }

  @Test(arguments: [("abc", 0), ("abcd", 3), ("a", 2)])
  func paddingAndByteOrder(name: String, padding: Int) throws {
    for bigEndian in [false, true] {
      var builder = BinaryBuilder(bigEndian: bigEndian)
      builder.cString(name)
      builder.append([UInt8](repeating: 0, count: padding))
      builder.u32(0x1234_5678)
      let link = try require(elf(builder.bytes, bigEndian: bigEndian).debugLink())
      expectEqual(link.name, name)
      expectEqual(link.checksum, 0x1234_5678)
    }
  }

  @Test func damage() throws {
    for content in [Array("abc".utf8), Array("abc\0".utf8), Array("abcd\0\0\0\0\u{1}".utf8), []] {
      let file = try elf(content)
      #expect(throws: ObjectFileError.self) { try file.debugLink() }
    }
  }
}
