import BinaryInput
import SymbolicationModel
import TestSupport
import Testing

@testable import ObjectFiles

/// The header of an index. Its fields and their order are those of LLVM's Header.h.
@Suite struct GsymTests {
  private static func header(
    bigEndian: Bool = false, version: UInt16 = 1, uuid: [UInt8] = [UInt8](repeating: 7, count: 16),
    statedUuidSize: UInt8? = nil
  ) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(0x4753_594d)
    builder.u16(version)
    builder.u8(4)
    builder.u8(statedUuidSize ?? UInt8(uuid.count))
    builder.u64(0x1_0000_0000)
    builder.u32(0)
    builder.u32(52)
    builder.u32(1)
    builder.append(uuid)
    builder.pad(to: 48)
    // No source files, and the empty string.
    builder.u32(0)
    builder.u8(0)
    return builder.bytes
  }

  @Test(arguments: [false, true], [0, 1, 16, 20])
  func tellsTheImageItBelongsTo(bigEndian: Bool, uuidSize: Int) throws {
    let uuid = (0..<uuidSize).map { UInt8($0 + 1) }
    let file = try parseThin(Self.header(bigEndian: bigEndian, uuid: uuid))
    expectEqual(file.format, .gsym)
    expectEqual(file.fileType, .index)
    expectEqual(file.architecture, .unknown)
    expectEqual(file.identity, ImageIdentity(bytes: uuid))
    expectNil(file.linkBase())
    expectFalse(file.hasDebugInfo)
    try expectEqual(file.symbolTable().count, 0)
    expectEmpty(file.loadedRanges)
    expectEmpty(file.codeRanges)
    expectEqual(file.content(as: .gsym)?.count, 53)
  }

  @Test func servesForAnyArchitecture() throws {
    let container = try parse(Self.header())
    for architecture in [nil, Architecture.arm64e, .x86_64, .armv7] {
      try expectEqual(container.preferredObjectFile(for: architecture).format, .gsym)
    }
  }

  @Test func refusesOtherVersionsAndCutHeaders() throws {
    let bytes = Self.header()
    expectEqual(refusal(of: Self.header(version: 0)), .unsupportedIndexVersion(0))
    expectEqual(
      refusal(of: Self.header(bigEndian: true, version: 0x102)), .unsupportedIndexVersion(0x102))
    for (count, wanted) in [(4, 6), (5, 6), (6, 48), (47, 48)] {
      expectEqual(
        refusal(of: Array(bytes.prefix(count))),
        .truncated(
          .indexHeader, offset: 0, wanted: UInt64(wanted), available: UInt64(count)))
    }
    // The version is checked first, because another version may have another header.
    expectEqual(refusal(of: Array(Self.header(version: 3).prefix(6))), .unsupportedIndexVersion(3))
    // The UUID is larger than its field; the reader of the tables refuses such a file.
    try expectEqual(parseThin(Self.header(statedUuidSize: 255)).identity?.bytes.count, 20)
  }

  @Test func imageNames() throws {
    for (path, name) in [
      ("/a/Letter Shuffle.gsym", "Letter Shuffle"), ("b/.gsym", ".gsym"), ("x", "x"),
      ("x.gsym.gsym", "x.gsym"),
    ] {
      let container = try ObjectContainer.parse(region(Self.header()), path: path)
      expectEqual(container.objectFiles[0].imageName, name)
    }
    let other = try ObjectContainer.parse(
      region(MachOImage().bytes), path: "/a/tool.gsym")
    expectEqual(other.objectFiles[0].imageName, "tool.gsym")
    expectNil(other.objectFiles[0].content(as: .gsym))
  }
}
