import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// A GSYM file with our trailer in a file of its own.
@Suite struct IndexFileTests {
  private let directory: TemporaryDirectory
  private let gsym = HandmadeGsym.sample().bytes
  private let stamp = SourceStamp(
    size: 1, modificationSeconds: 2, modificationNanoseconds: 3, path: "/x")

  init() throws { directory = try TemporaryDirectory() }

  private var withTrailer: [UInt8] {
    gsym
      + IndexTrailer.ending(
        linkBase: LinkAddress(0x1000), architecture: .arm64, source: stamp, of: [gsym])
  }

  private func error(_ path: String) -> IndexFileError? {
    do throws(IndexFileError) {
      _ = try IndexFile.open(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func readsBoth() throws {
    let index = try IndexFile.open(path: directory.write(withTrailer, to: "a.gsym"))
    expectEqual(index.gsym.functionCount, 3)
    expectEqual(index.trailer?.source, stamp)
    expectEqual(index.trailer?.linkBase, LinkAddress(0x1000))
    expectEqual(index.hasIntactContent, true)
  }

  @Test func aFileOfAnotherProgram() throws {
    let index = try IndexFile.open(path: directory.write(gsym, to: "a.gsym"))
    expectEqual(index.gsym.functionCount, 3)
    expectNil(index.trailer)
    expectNil(index.hasIntactContent)
  }

  /// The sample has a block of its own, so any changed byte of it is found when it is opened.
  @Test func damageInTheContentIsFound() throws {
    for place in gsym.indices {
      var bytes = withTrailer
      bytes[place] ^= 0x10
      expectFalse(
        error(try directory.write(bytes, to: "a.gsym")) == nil, "byte \(place)")
    }
  }

  /// Beyond the first block, damage is found when it is looked for, or something there is looked
  /// up.
  @Test func damageInTheContentIsFoundWhenAskedFor() throws {
    let content = gsym + [UInt8](repeating: 0, count: 5000)
    var bytes =
      content
      + IndexTrailer.ending(linkBase: nil, architecture: .arm64, source: stamp, of: [content])
    try expectEqual(
      IndexFile.open(path: directory.write(bytes, to: "a.gsym")).hasIntactContent, true)
    bytes[content.count - 1] ^= 1
    let index = try IndexFile.open(path: directory.write(bytes, to: "a.gsym"))
    expectEqual(index.hasIntactContent, false)
  }

  @Test func whatCannotBeUsed() throws {
    // ENOENT and EISDIR of Linux.
    expectEqual(error(directory.path("missing.gsym")), .inaccessible(errno: 2))
    expectEqual(error(directory.path), .inaccessible(errno: 21))
    expectEqual(
      error(try directory.write([], to: "empty.gsym")),
      .gsym(.outOfBounds(.header, offset: 0, count: 4, available: 0)))
    expectEqual(
      error(try directory.write(withTrailer.dropFirst(), to: "cut.gsym")),
      .trailer(
        // The table of checksums has one of eight bytes.
        .contentSize(expected: UInt64(gsym.count + 8), actual: UInt64(gsym.count - 1 + 8))))
    expectEqual(
      error(try directory.write([0x7f, 0x45, 0x4c, 0x46], to: "elf.gsym")),
      .gsym(.notGsym(magic: 0x464c_457f)))
  }

  @Test(.enabled(if: GsymUtil.path != nil, "\(GsymUtil.need)"))
  func llvmReadsAFileWithATrailer() async throws {
    var unit = GsymUnit()
    let name = unit.name("function")
    try unit.add(
      GsymFunction(range: LinkAddress(0x1000)..<LinkAddress(0x1010), name: name))
    var writer = try GsymWriter(uuid: [1, 2, 3, 4])
    writer.add(unit)
    let bytes = try writer.encode()
    let ending = IndexTrailer.ending(
      linkBase: nil, architecture: .arm64, source: stamp, of: [bytes])
    let path = try directory.write(bytes + ending, to: "a.gsym")
    let result = try await GsymUtil.run([path, "--verbose"])
    expectEqual(result.status, 0)
    expectFalse(result.standardError.contains("error"))
    expectFalse(result.outputText.contains("error"))
    try await expectEqual(GsymUtil.answers(of: path, at: [0x1008]), [["function + 8"]])
  }
}
