import SymbolicationModel
import TestSupport
import Testing

struct WrittenIdentityTests {
  @Test(arguments: [
    "4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0",
    "4c4c44e1-5555-3144-a18d-7b6b7f5ec2d0",
    "4C4C44E155553144A18D7B6B7F5EC2D0",
    "  4c4c44e155553144a18d7b6b7f5ec2d0\n",
    "<4c4c44e155553144a18d7b6b7f5ec2d0>",
    "{4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0}",
    "(4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0)",
    "\"4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0\"",
    "'<4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0>'",
    "0x4c4c44e155553144a18d7b6b7f5ec2d0",
    "0X4C4C44E155553144A18D7B6B7F5EC2D0",
    "UUID: 4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0",
    "uuid:4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0",
    "UUID: 4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0 (arm64) App.dSYM/Contents/Resources/DWARF/App",
    "4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0 (arm64)",
    "4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0-0",
    "4c4c44e155553144a18d7b6b7f5ec2d0-1a",
    "4C4C44E155553144A18D7B6B7F5EC2D00",
    "4C4C44E155553144A18D7B6B7F5EC2D0abc",
    "Debug ID: 4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0-0",
  ])
  func readsUuids(_ text: String) throws {
    let written = try require(WrittenIdentity(text))
    expectEqual(
      written.identity.bytes,
      [
        0x4c, 0x4c, 0x44, 0xe1, 0x55, 0x55, 0x31, 0x44, 0xa1, 0x8d, 0x7b, 0x6b, 0x7f, 0x5e, 0xc2,
        0xd0,
      ])
    expectEqual(
      written.buildIdPrefix?.bytes,
      [
        0xe1, 0x44, 0x4c, 0x4c, 0x55, 0x55, 0x44, 0x31, 0xa1, 0x8d, 0x7b, 0x6b, 0x7f, 0x5e, 0xc2,
        0xd0,
      ])
  }

  @Test(arguments: [
    "f1c3bcc0279865fe3058404b2831d9e64135386c",
    "F1C3BCC0279865FE3058404B2831D9E64135386C",
    "    Build ID: f1c3bcc0279865fe3058404b2831d9e64135386c",
    "BuildID[sha1]=f1c3bcc0279865fe3058404b2831d9e64135386c",
    "build-id: f1c3bcc0279865fe3058404b2831d9e64135386c",
    "<f1c3bcc0279865fe3058404b2831d9e64135386c>", "F1C3BCC0-2798-65FE-3058-404B2831D9E6-4135386C",
  ])
  func readsBuildIds(_ text: String) throws {
    let written = try require(WrittenIdentity(text))
    expectEqual(written.identity.description, "f1c3bcc0279865fe3058404b2831d9e64135386c")
    expectNil(written.buildIdPrefix)
    expectEqual(written.candidates, [written.identity])
  }

  @Test(arguments: [4, 8, 17, 18, 19, 32, 64])
  func readsBuildIdsOfAnyLength(_ count: Int) throws {
    let bytes = (1...count).map { UInt8($0) }
    let text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try expectEqual(require(WrittenIdentity(text)).identity.bytes, bytes)
  }

  @Test(arguments: [
    "", " ", "abc", "abcdef", "abcdefg1", "App", "0x", "deadbeef1", "-deadbeef", "deadbeef-",
    "<deadbeef", "{deadbeef>", "00000000-0000-0000-0000-000000000000", "UUID:", "UUID 12345678 x",
    "4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0-123456789", "4C4C44E155553144A18D7B6B7F5EC2D0-xyz",
    String(repeating: "ab", count: 65), "/tmp/deadbeef",
  ])
  func refusesOtherTexts(_ text: String) {
    expectNil(WrittenIdentity(text))
  }

  /// The debug-id as Sentry's documentation gives it for a build-id.
  @Test func debugIdsMatchBuildIds() throws {
    let buildId = try require(
      ImageIdentity(hexadecimal: "f1c3bcc0279865fe3058404b2831d9e64135386c".utf8))
    expectEqual(buildId.debugId?.description, "C0BCC3F1-9827-FE65-3058-404B2831D9E6")
    let written = try require(WrittenIdentity("c0bcc3f1-9827-fe65-3058-404b2831d9e6-0"))
    expectTrue(written.matches(buildId))
    expectEqual(written.candidates.count, 2)
    expectEqual(written.buildIdPrefix?.bytes, Array(buildId.bytes.prefix(16)))
    expectFalse(written.matches(try require(ImageIdentity(bytes: Array(buildId.bytes.reversed())))))
    try expectTrue(require(WrittenIdentity("\(buildId)")).matches(buildId))
  }

  @Test func shortBuildIdsArePaddedInDebugIds() throws {
    let buildId = try require(ImageIdentity(bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
    expectEqual(buildId.debugId?.description, "04030201-0605-0807-0000-000000000000")
    try expectTrue(require(WrittenIdentity("04030201060508070000000000000000")).matches(buildId))
  }

  @Test func aUuidMatchesItselfAlone() throws {
    let uuid = try require(ImageIdentity(hexadecimal: "4C4C44E1-5555-3144-A18D-7B6B7F5EC2D0".utf8))
    try expectTrue(require(WrittenIdentity("\(uuid)")).matches(uuid))
    expectFalse(
      (try require(WrittenIdentity("4C4C44E1-5555-3144-A18D-7B6B7F5EC2D1"))).matches(uuid))
  }
}
