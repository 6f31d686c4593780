import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// Files of learnt names. `Fixtures/Learnt/learnt.py` writes one, and lists what it holds.
struct LearntResolverTests {
  private static let path = Fixtures.path("Learnt/system.learnt")

  @Test func answersAsFarAsReportsHaveShown() throws {
    let resolver = try ImageResolver(symbolFile: Self.path)
    expectEqual(resolver.architecture, .arm64e)
    expectEqual(resolver.imageName, "libSystem.dylib")
    expectEqual(resolver.linkBase(), LinkAddress(0))
    for (address, name) in [
      (UInt64(0x0fff), nil), (0x1000, "objc_msgSend"), (0x103f, "objc_msgSend"),
      (0x1040, "start_wqthread"), (0x1041, nil), (0x2000, "-[UIView layoutSubviews]"),
      (0x208f, "-[UIView layoutSubviews]"), (0x2090, nil),
      // A function that seems to reach into the next one is known at its start only.
      (0x3000, "exported"), (0x3001, nil), (0x307f, nil), (0x3080, "hidden"), (0x3090, nil),
    ] {
      let answer = resolver.resolve(LinkAddress(address))
      expectEqual(answer?.function.name, name, "at \(address)")
      if name != nil { expectEqual(answer?.origin, .learnt) }
    }
  }

  @Test func wrongFieldsAreNamed() throws {
    let bytes = try Fixtures.bytes(of: Self.path)
    let size = UInt64(bytes.count)
    let directory = try TemporaryDirectory()
    func kind(_ bytes: [UInt8]) throws -> SymbolFileProblem.Kind? {
      let path = try directory.write(bytes, to: "a.learnt")
      do {
        _ = try ImageResolver(symbolFile: path)
        return nil
      } catch {
        return error.kind
      }
    }
    func sizeProblem(_ expected: UInt64) -> SymbolFileProblem.Kind {
      .malformed(
        structure: "size of the learnt names", value: size, expected: .exactly(expected))
    }
    let checksum = SymbolFileProblem.Kind.damaged(
      structure: "checksum of the learnt names", offset: 56)
    for (offset, value, expected) in [
      (8, UInt32(2), .unsupported(structure: "version of the learnt names", value: 2)),
      (12, 6, sizeProblem(size + 24)), (32, 5, sizeProblem(size - 12)),
      (36, 4, sizeProblem(size + 8)), (40, 0, sizeProblem(64 + 5 * 24 + 6 * 12 + 3 * 8)),
      (
        44, 1000,
        .malformed(
          structure: "size of the image's name in the learnt names", value: 1015,
          expected: .atMost(size - 64 - 5 * 24 - 6 * 12 - 3 * 8))
      ),
      (16, 1, checksum), (48, 1, checksum), (52, 7, checksum), (56, 7, checksum),
      (64, 7, checksum), (bytes.count - 4, 7, checksum),
    ] as [(Int, UInt32, SymbolFileProblem.Kind)] {
      expectEqual(try kind(bytes.replacing(at: offset, with: value)), expected, "at \(offset)")
    }
    expectEqual(
      try kind(Array(bytes.prefix(40))),
      .truncated(structure: "head of the learnt names", offset: 0, wanted: 64, available: 40))
  }
}
