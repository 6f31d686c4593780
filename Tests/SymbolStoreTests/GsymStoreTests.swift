import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Indexes among symbol files. LLVM's Header.h describes the fields of the header.
struct GsymStoreTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let uuid = (0..<16).map { UInt8(0xa0 + $0) }
  private static let identity = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"

  /// An index without functions.
  @discardableResult
  private func writeIndex(
    _ name: String, uuid: [UInt8] = uuid, version: UInt16 = 1
  ) throws -> String {
    var builder = BinaryBuilder()
    builder.u32(0x4753_594d)
    builder.u16(version)
    builder.u8(4)
    builder.u8(UInt8(uuid.count))
    builder.u64(0)
    builder.u32(0)
    builder.u32(52)
    builder.u32(1)
    builder.append(uuid)
    builder.pad(to: 53)
    return try directory.write(builder.bytes, to: name)
  }

  private func match(_ image: ImageDescription, _ paths: [String]) -> String? {
    SymbolStore(paths: paths).symbolFile(for: image)?.objectFile.path
  }

  @Test func foundByUuid() throws {
    try directory.makeDirectory("a/b")
    let index = try writeIndex("a/b/App.gsym")
    for architecture in [nil, Architecture.arm64, .x86_64] {
      let image = SymbolStoreTests.image(Self.identity, ["Other"], architecture)
      expectEqual(match(image, [index]), index)
      expectEqual(match(image, [directory.path("")]), directory.path("a/b/App.gsym"))
    }
    expectNil(match(SymbolStoreTests.image(SymbolStoreTests.unknownIdentity), [index]))
  }

  @Test func foundByBuildId() throws {
    let buildId = (1...20).map { UInt8($0) }
    let index = try writeIndex("lib.gsym", uuid: buildId)
    let digits = "0102030405060708090a0b0c0d0e0f1011121314"
    expectEqual(match(SymbolStoreTests.image(digits), [index]), index)
  }

  @Test func foundByNameIfTheReportHasNoUuid() throws {
    let index = try writeIndex("App.gsym")
    let store = SymbolStore(paths: [index])
    expectEqual(store.symbolFile(for: SymbolStoreTests.image(nil, ["App"]))?.basis, .name)
    expectNil(store.symbolFile(for: SymbolStoreTests.image(nil, ["App.gsym"])))
    expectEqual(store.givenFiles.first?.candidates.map(\.name), ["App"])
  }

  /// Debug information wins over an index, and an index over a symbol table.
  @Test func preference() throws {
    let story = [UInt8](
      ImageIdentity(hexadecimal: SymbolStoreTests.storyIdentity.utf8)?.bytes ?? [])
    let index = try writeIndex("App.gsym", uuid: story)
    let image = SymbolStoreTests.image(SymbolStoreTests.storyIdentity)
    expectEqual(match(image, [index, Fixtures.storyDwarfFile]), Fixtures.storyDwarfFile)
    // A file given by name is enough: the directory is not searched.
    expectEqual(match(image, [index, Fixtures.path("LetterShuffle")]), index)

    let executable = [UInt8](
      ImageIdentity(hexadecimal: SymbolStoreTests.executableIdentity.utf8)?.bytes ?? [])
    let other = try writeIndex("Shapes.gsym", uuid: executable)
    let program = Fixtures.path("MachO/shapes-arm64")
    expectEqual(
      match(SymbolStoreTests.image(SymbolStoreTests.executableIdentity), [program, other]), other)
  }

  @Test func otherVersionsAreReported() throws {
    let index = try writeIndex("App.gsym", version: 3)
    let problem = SymbolFileProblem(path: index, kind: .unsupportedIndexVersion(3))
    expectEqual(SymbolStore(paths: [index]).problems, [problem])
    let store = SymbolStore(paths: [directory.path])
    expectNil(store.symbolFile(for: SymbolStoreTests.image(Self.identity)))
    expectEqual(store.searchProblems, [problem])
  }
}
