import SymbolicationModel
import TestSupport
import Testing

struct ImageIdentityTests {
  @Test func readsUuidsWithAndWithoutDashesInEitherCase() throws {
    let plain = try require(ImageIdentity(hexadecimal: "a4b1de4970b3301da64458d6bc22f513".utf8))
    let dashed = try require(
      ImageIdentity(hexadecimal: "A4B1DE49-70B3-301D-A644-58D6BC22F513".utf8))
    expectEqual(plain, dashed)
    expectEqual(plain.bytes.first, 0xa4)
    expectEqual(plain.bytes.count, 16)
    expectEqual(plain.description, "A4B1DE49-70B3-301D-A644-58D6BC22F513")
  }

  @Test func showsBuildIdsAsReadelfDoes() throws {
    let text = "0f10a6e0c4b1de4970b3301da64458d6bc22f513"
    try expectEqual(require(ImageIdentity(hexadecimal: text.utf8)).description, text)
  }

  @Test(arguments: ["", "-", "0", "abc", "0g", "00000000-0000-0000-0000-000000000000", "(null)"])
  func refusesWhatIdentifiesNothing(text: String) {
    expectNil(ImageIdentity(hexadecimal: text.utf8))
  }

  @Test func refusesBytesThatAreAllZero() {
    expectNil(ImageIdentity(bytes: []))
    expectNil(ImageIdentity(bytes: [0, 0]))
    expectEqual(ImageIdentity(bytes: [0, 1])?.bytes, [0, 1])
  }
}
