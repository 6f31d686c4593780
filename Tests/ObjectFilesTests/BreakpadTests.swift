import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The head of a Breakpad symbol file.
struct BreakpadTests {
  private static let identifier = "0123456789ABCDEF0123456789ABCDEF"
  private static let uuid: [UInt8] = [
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
  ]
  /// The first three fields of a GUID (4, 2 and 2 bytes) in the other byte order.
  private static let swapped: [UInt8] = [
    0x67, 0x45, 0x23, 0x01, 0xab, 0x89, 0xef, 0xcd, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
  ]

  private func read(_ text: String) -> BreakpadModule? { BreakpadModule(Array(text.utf8)) }

  @Test(arguments: ["mac", "Mac", "ios"])
  func identifiersOfApplesSystemsAreUuids(system: String) throws {
    let module = try require(
      read("MODULE \(system) arm64 \(Self.identifier)0 Electron Framework\nFUNC 1 1 0 f\n"))
    expectEqual(module.identity, ImageIdentity(bytes: Self.uuid))
    expectFalse(module.isIdentityPrefix)
    expectEqual(module.name, "Electron Framework")
    expectEqual(module.architecture, .arm64)
  }

  @Test func identifiersOfElfFilesAreGuids() throws {
    let short = try require(read("MODULE Linux x86_64 \(Self.identifier)0 libc.so.6\n"))
    expectEqual(short.identity, ImageIdentity(bytes: Self.swapped))
    expectTrue(short.isIdentityPrefix)
    // Mozilla's file for a build-id of 20 bytes.
    let head = """
      MODULE Linux x86_64 20AD60B0B4C68177552708AA192E77390 basic.full
      INFO GENERATOR mozilla/dump_syms
      INFO CODE_ID B060AD20C6B47781552708AA192E7739FAC7C84A
      FILE 0 /basic.cpp

      """
    let whole = try require(read(head))
    expectEqual(whole.identity?.description, "b060ad20c6b47781552708aa192e7739fac7c84a")
    expectFalse(whole.isIdentityPrefix)
    // A build-id of 8 bytes is padded with zeros in the identifier.
    let padded = try require(
      read("MODULE Linux x86 20AD60B0B4C6817700000000000000000 a\nINFO CODE_ID B060AD20C6B47781\n"))
    expectEqual(padded.identity?.description, "b060ad20c6b47781")
    // One that contradicts the identifier is ignored, and so is one after other records.
    for other in [
      "INFO CODE_ID FF60AD20C6B47781552708AA192E7739FAC7C84A",
      "FILE 0 /a\nINFO CODE_ID B060AD20C6B47781552708AA192E7739FAC7C84A", "INFO CODE_ID xyz",
    ] {
      let module = try require(
        read("MODULE Linux x86_64 20AD60B0B4C68177552708AA192E77390 basic\r\n\(other)\r\n"))
      expectEqual(module.identity?.description, "B060AD20-C6B4-7781-5527-08AA192E7739")
      expectTrue(module.isIdentityPrefix)
      expectEqual(module.name, "basic")
    }
  }

  @Test func architectures() {
    for (name, architecture) in [
      ("x86", Architecture.i386), ("x86_64", .x86_64), ("x86_64h", .x86_64h), ("arm64e", .arm64e),
      ("arm", .armv7), ("armv7s", .armv7s), ("ppc", Architecture(name: "ppc")),
      ("unknown", .unknown),
    ] {
      expectEqual(read("MODULE mac \(name) \(Self.identifier)0 a")?.architecture, architecture)
    }
  }

  /// `MODULE` is also a word of Fortran, and of texts.
  @Test(
    arguments: [
      "MODULE linear_algebra\n", "MODULE mac arm64 1234 App\n", "MODULE mac arm64\n", "MODULE",
      "MODULES mac arm64 0123456789ABCDEF0123456789ABCDEF0 a\n",
      "MODULE mac arm64 0123456789ABCDEF0123456789ABCDEG0 a\n",
      "MODULE mac arm64 0123456789ABCDEF0123456789ABCDEF012345678 a\n", "",
    ])
  func otherTextsAreNoSymbolFiles(text: String) {
    expectNil(read(text))
    guard !text.isEmpty else { return }
    expectEqual(
      refusal(of: Array(text.utf8)), .unrecognized(firstBytes: Array(text.utf8.prefix(8))))
  }

  @Test func isAnObjectFile() throws {
    let text = "MODULE mac arm64e \(Self.identifier)0 Electron Framework\nFUNC 100 10 0 f\n"
    let file = try parseThin(Array(text.utf8))
    expectEqual(file.format, .breakpad)
    expectEqual(file.architecture, .arm64e)
    expectEqual(file.identity, ImageIdentity(bytes: Self.uuid))
    expectEqual(file.imageName, "Electron Framework")
    expectTrue(file.linkBase() == LinkAddress(0) && file.linkBase(segmentName: "__TEXT") == nil)
    expectFalse(file.hasDebugInfo)
    expectTrue(file.answersAlone)
    try expectEqual(file.symbolTable().count, 0)
    expectTrue(
      file.content(as: .breakpad)?.count == text.utf8.count && file.content(as: .gsym) == nil)
    try expectEqual(parseThin(Array("MODULE mac x86 \(Self.identifier)0".utf8)).addressSize, 4)
    // An identifier of zeros is none.
    let zeros = String(repeating: "0", count: 33)
    try expectNil(parseThin(Array("MODULE mac x86 \(zeros) a".utf8)).identity)
  }
}
