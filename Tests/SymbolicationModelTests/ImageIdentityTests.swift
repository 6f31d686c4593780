import SymbolicationModel
import Testing

struct ImageIdentityTests {
  @Test func readsUuidsWithAndWithoutDashesInEitherCase() throws {
    let plain = try #require(
      ImageIdentity(hexadecimal: "a4b1de4970b3301da64458d6bc22f513".utf8))
    let dashed = try #require(
      ImageIdentity(hexadecimal: "A4B1DE49-70B3-301D-A644-58D6BC22F513".utf8))
    #expect(plain == dashed)
    #expect(plain.bytes.first == 0xa4)
    #expect(plain.bytes.count == 16)
    #expect(plain.description == "A4B1DE49-70B3-301D-A644-58D6BC22F513")
  }

  @Test func showsBuildIdsAsReadelfDoes() throws {
    let text = "0f10a6e0c4b1de4970b3301da64458d6bc22f513"
    #expect(try #require(ImageIdentity(hexadecimal: text.utf8)).description == text)
  }

  @Test(arguments: ["", "-", "0", "abc", "0g", "00000000-0000-0000-0000-000000000000", "(null)"])
  func refusesWhatIdentifiesNothing(text: String) {
    #expect(ImageIdentity(hexadecimal: text.utf8) == nil)
  }

  @Test func refusesBytesThatAreAllZero() {
    #expect(ImageIdentity(bytes: []) == nil)
    #expect(ImageIdentity(bytes: [0, 0]) == nil)
    #expect(ImageIdentity(bytes: [0, 1])?.bytes == [0, 1])
  }
}
