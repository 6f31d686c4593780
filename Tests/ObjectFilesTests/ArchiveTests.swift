import BinaryInput
import ObjectFiles
import TestSupport
import Testing

/// Members of archives by name. The formats are those that `ar.h` and GNU's and LLVM's
/// documentation state; the fixtures' members are as `llvm-ar-19 tv` lists them.
struct ArchiveTests {
  /// One member: a header of text and its content.
  private func member(
    _ name: String, _ content: [UInt8], time: String = "1700000000", size: String? = nil
  ) -> [UInt8] {
    var builder = BinaryBuilder()
    for (text, width) in [
      (name, 16), (time, 12), ("0", 6), ("0", 6), ("100644", 8), (size ?? "\(content.count)", 10),
    ] {
      builder.append((Array(text.utf8) + [UInt8](repeating: 0x20, count: width)).prefix(width))
    }
    builder.append("`\n".utf8)
    builder.append(content)
    if content.count % 2 == 1 { builder.append("\n".utf8) }
    return builder.bytes
  }

  private func joined(_ members: [UInt8]...) -> Archive? {
    Archive(ByteRegion(copying: Array("!<arch>\n".utf8) + members.joined()))
  }

  private func contents(_ archive: Archive?, _ name: String) -> [[UInt8]] {
    archive?.members(named: name).map(\.content.bytes) ?? []
  }

  @Test func applesForm() throws {
    let archive = try require(
      joined(
        member("#1/20", Array("__.SYMDEF_64 SORTED\0".utf8) + [9, 9]),
        member("short.o", [1, 2, 3]),
        member("#1/12", Array("a b.o\0\0\0\0\0\0\0".utf8) + [4]),
        member("last.o", [5])))
    expectEqual(contents(archive, "short.o"), [[1, 2, 3]])
    expectEqual(contents(archive, "a b.o"), [[4]])
    expectEqual(contents(archive, "last.o"), [[5]])
    expectEmpty(contents(archive, "#1/12"))
    expectEqual(archive.members(named: "short.o").map(\.modificationTime), [1_700_000_000])
    expectFalse(archive.isDamaged)
  }

  @Test func gnusForm() throws {
    let archive = try require(
      joined(
        member("/", [0, 0, 0, 0]), member("/SYM64/", [0, 0]),
        member("//", Array("a-name-too-long-for-it.o/\nanother-long-name.o/\n".utf8)),
        member("/0", [1]), member("/26", [2, 2]), member("short.o/", [3])))
    expectEqual(contents(archive, "a-name-too-long-for-it.o"), [[1]])
    expectEqual(contents(archive, "another-long-name.o"), [[2, 2]])
    expectEqual(contents(archive, "short.o"), [[3]])
    expectFalse(archive.isDamaged)
  }

  @Test func severalOfOneName() throws {
    let archive = try require(
      joined(member("a.o", [1], time: "10"), member("a.o", [2], time: "20")))
    expectEqual(contents(archive, "a.o"), [[1], [2]])
    expectEqual(archive.members(named: "a.o").map(\.modificationTime), [10, 20])
  }

  @Test func damage() throws {
    let cut = try require(joined(member("a.o", [1, 2]), member("b.o", [3], size: "900")))
    expectEqual(contents(cut, "a.o"), [[1, 2]])
    expectEmpty(contents(cut, "b.o"))
    expectTrue(cut.isDamaged)
    for (name, content) in [
      ("#1/900", [UInt8](repeating: 0x61, count: 8)), ("/900", [1]), ("#1/x", [1]),
      ("#1/99999999999", [1]),
    ] {
      let archive = try require(joined(member(name, content), member("b.o", [3])))
      expectEqual(contents(archive, "b.o"), [[3]])
      expectEmpty(contents(archive, "aaaaaaaa"))
    }
    expectEqual(joined(member("a.o", [1], size: "x"))?.isDamaged, true)
    expectEqual(joined(member("a.o", [1], time: "x"))?.members(named: "a.o")[0].modificationTime, 0)
    expectNil(Archive(ByteRegion(copying: Array("!<thin>\n".utf8))))
    expectNil(Archive(ByteRegion(copying: [])))
    expectEqual(joined()?.isDamaged, false)
  }

  @Test(arguments: [("libearly.a", "early.o"), ("libinterest.a", "interest-of-the-year.o")])
  func fixtures(file: String, name: String) throws {
    let bytes = try Fixtures.bytes(of: Fixtures.path("DebugMap/arm64-dwarf5/\(file)"))
    let archive = try require(Archive(ByteRegion(copying: bytes)))
    let member = try require(archive.members(named: name).first)
    expectFalse(archive.isDamaged)
    expectEqual(member.modificationTime, 0)
    let slice = try require(ObjectFile.machOFiles(in: member.content, path: "m").first)
    expectEqual(slice.fileType, .relocatable)
    expectTrue(slice.hasDebugInfo)
  }

  /// As `lipo -create` joins libraries: a fat header in front of archives.
  @Test func aFatFileOfArchives() throws {
    let first = Array("!<arch>\n".utf8) + member("a.o", [1])
    let second = Array("!<arch>\n".utf8) + member("a.o", [2])
    var builder = BinaryBuilder(bigEndian: true)
    builder.u32(0xcafe_babe)
    builder.u32(2)
    for (type, offset, count) in [(0x0100_0007, 64, first.count), (0x0100_000c, 256, second.count)]
    {
      for value in [type, 3, offset, count, 3] { builder.u32(UInt32(value)) }
    }
    builder.pad(to: 64)
    builder.append(first)
    builder.pad(to: 256)
    builder.append(second)
    let archives = Archive.archives(in: ByteRegion(copying: builder.bytes), path: "fat")
    expectEqual(archives.map { contents($0, "a.o") }, [[[1]], [[2]]])
    expectEmpty(Archive.archives(in: ByteRegion(copying: [1, 2, 3, 4]), path: "x"))
  }
}
