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
      #expect(match(image, [index]) == index)
      #expect(match(image, [directory.path("")]) == directory.path("a/b/App.gsym"))
    }
    #expect(match(SymbolStoreTests.image(SymbolStoreTests.unknownIdentity), [index]) == nil)
  }

  @Test func foundByBuildId() throws {
    let buildId = (1...20).map { UInt8($0) }
    let index = try writeIndex("lib.gsym", uuid: buildId)
    let digits = "0102030405060708090a0b0c0d0e0f1011121314"
    #expect(match(SymbolStoreTests.image(digits), [index]) == index)
  }

  @Test func foundByNameIfTheReportHasNoUuid() throws {
    let index = try writeIndex("App.gsym")
    let store = SymbolStore(paths: [index])
    #expect(store.symbolFile(for: SymbolStoreTests.image(nil, ["App"]))?.basis == .name)
    #expect(store.symbolFile(for: SymbolStoreTests.image(nil, ["App.gsym"])) == nil)
    #expect(store.givenFiles.first?.candidates.map(\.name) == ["App"])
  }

  /// Debug information wins over an index, and an index over a symbol table.
  @Test func preference() throws {
    let story = [UInt8](
      ImageIdentity(hexadecimal: SymbolStoreTests.storyIdentity.utf8)?.bytes ?? [])
    let index = try writeIndex("App.gsym", uuid: story)
    let image = SymbolStoreTests.image(SymbolStoreTests.storyIdentity)
    #expect(match(image, [index, Fixtures.storyDwarfFile]) == Fixtures.storyDwarfFile)
    // A file given by name is enough: the directory is not searched.
    #expect(match(image, [index, Fixtures.path("LetterShuffle")]) == index)

    let executable = [UInt8](
      ImageIdentity(hexadecimal: SymbolStoreTests.executableIdentity.utf8)?.bytes ?? [])
    let other = try writeIndex("Shapes.gsym", uuid: executable)
    let program = Fixtures.path("MachO/shapes-arm64")
    #expect(
      match(SymbolStoreTests.image(SymbolStoreTests.executableIdentity), [program, other]) == other)
  }

  @Test func otherVersionsAreReported() throws {
    let index = try writeIndex("App.gsym", version: 3)
    let problem = SymbolFileProblem(path: index, kind: .unsupportedIndexVersion(3))
    #expect(SymbolStore(paths: [index]).problems == [problem])
    let store = SymbolStore(paths: [directory.path])
    #expect(store.symbolFile(for: SymbolStoreTests.image(Self.identity)) == nil)
    #expect(store.searchProblems == [problem])
  }
}
