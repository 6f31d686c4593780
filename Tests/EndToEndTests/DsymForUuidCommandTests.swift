import Foundation
import TestSupport
import Testing

/// `symbolicate dsym-for-uuid`: the property list that LLDB reads. Foundation reads it here.
struct DsymForUuidCommandTests {
  private static let storyUuid = "A4B1DE49-70B3-301D-A644-58D6BC22F513"

  private func answers(
    _ arguments: [String], program: String = Program.builtProgramPath, status: Int32 = 0
  ) async throws -> [String: [String: String]] {
    let result = try await Program.run(program, arguments)
    expectEqual(result.status, status)
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(result.standardOutput), options: [], format: nil)
    let entries = try require(list as? [String: [String: Any]])
    return entries.mapValues { $0.compactMapValues { $0 as? String } }
  }

  @Test(arguments: [
    storyUuid, storyUuid.lowercased(), storyUuid.replacing("-", with: ""), "<\(storyUuid)>",
    "\(storyUuid)-0",
  ])
  func findsByUuid(_ uuid: String) async throws {
    let found = try await answers(
      ["dsym-for-uuid", uuid, "-s", Fixtures.path("LetterShuffle")])
    expectEqual(
      found,
      [
        Self.storyUuid: ["DBGDSYMPath": Fixtures.storyDwarfFile, "DBGArchitecture": "arm64"]
      ])
  }

  @Test func severalAndAbsent() async throws {
    let found = try await answers([
      "dsym-for-uuid", Self.storyUuid, "00000000-0000-0000-0000-000000000001",
      "-d", Fixtures.storyBundle,
    ])
    expectEqual(found.count, 2)
    expectEqual(found[Self.storyUuid]?["DBGDSYMPath"], Fixtures.storyDwarfFile)
    expectEqual(
      found["00000000-0000-0000-0000-000000000001"],
      [
        "DBGError":
          "no symbol file with UUID 00000000-0000-0000-0000-000000000001 was found; give the directory of your archives with -s"
      ])
  }

  /// LLDB reads no archives, so the answer says where the file is.
  @Test func inAnArchive() async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyBundle, to: "App.dSYM")
    let packed = try await Program.run(
      "/bin/sh", ["-c", "zip -qr a.zip App.dSYM"], workingDirectory: directory.path)
    expectEqual(packed.status, 0)
    let zip = directory.path("a.zip")
    let found = try await answers(["dsym-for-uuid", Self.storyUuid, "-d", zip])
    expectEqual(
      found,
      [
        Self.storyUuid: [
          "DBGArchitecture": "arm64",
          "DBGError":
            "\(zip)/App.dSYM/Contents/Resources/DWARF/Letter Shuffle has this UUID, but LLDB reads no zip or tar archives; unpack the archive",
        ]
      ])
  }

  /// As LLDB calls it, by the name of Apple's program.
  @Test func asDsymForUuid() async throws {
    let directory = try TemporaryDirectory()
    try directory.link("dsymForUUID", to: Program.builtProgramPath)
    let found = try await answers(
      [
        "--ignoreNegativeCache", "--copyExecutable", Self.storyUuid, "-s",
        Fixtures.path("LetterShuffle"),
      ], program: directory.path("dsymForUUID"))
    expectEqual(found[Self.storyUuid]?["DBGDSYMPath"], Fixtures.storyDwarfFile)
  }

  /// A program in an archive leads to its dSYM, and the UUID to both.
  @Test func programsAreKnownByPathAndByUuid() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("X.xcarchive/Products/Applications/Shapes.app")
    try directory.makeDirectory("X.xcarchive/dSYMs")
    try directory.copy(
      Fixtures.path("MachO/shapes-arm64"), to: "X.xcarchive/Products/Applications/Shapes.app/Shapes"
    )
    try directory.copy(
      Fixtures.path("Dwarf/arm64-dwarf4.dSYM"), to: "X.xcarchive/dSYMs/Shapes.app.dSYM")
    let dwarfFile = "X.xcarchive/dSYMs/Shapes.app.dSYM/Contents/Resources/DWARF/Shapes"
    // The two were linked on their own; a dSYM has the UUID of its program.
    let program = "X.xcarchive/Products/Applications/Shapes.app/Shapes"
    let uuid = try Self.uuid(of: directory.bytes(of: program))
    var bytes = try directory.bytes(of: dwarfFile)
    let old = try Self.uuid(of: bytes)
    let start = try require(
      bytes.indices.first { bytes[$0...].starts(with: old) })
    bytes.replaceSubrange(start..<(start + 16), with: uuid)
    try directory.write(bytes, to: dwarfFile)
    let digits = uuid.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let key = try require(
      digits.uppercased().wholeMatch(of: /(.{8})(.{4})(.{4})(.{4})(.{12})/)
        .map { "\($0.1)-\($0.2)-\($0.3)-\($0.4)-\($0.5)" })
    let expected = [
      key: [
        "DBGDSYMPath": directory.path(dwarfFile), "DBGArchitecture": "arm64",
        "DBGSymbolRichExecutable": directory.path(program),
      ]
    ]
    try await expectEqual(answers(["dsym-for-uuid", directory.path(program)]), expected)
    try await expectEqual(answers(["dsym-for-uuid", key, "-s", directory.path]), expected)
  }

  @Test func whatTheDsymRecordsIsPassedOn() async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyBundle, to: "App.dSYM")
    try directory.write(
      """
      <plist><dict><key>DBGVersion</key><string>3</string><key>DBGOther</key><true/>
      <key>DBGBuildSourcePath</key><string>/build</string>
      <key>DBGSourcePath</key><string>/src</string><key>DBGSourcePathRemapping</key>
      <dict><key>/a</key><string>/b</string></dict></dict></plist>
      """.utf8, to: "App.dSYM/Contents/Resources/\(Self.storyUuid).plist")
    let result = try await Program.symbolicate([
      "dsym-for-uuid", Self.storyUuid, "-d", directory.path,
    ])
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(result.standardOutput), options: [], format: nil)
    let entry = try require((list as? [String: [String: Any]])?[Self.storyUuid])
    expectEqual(entry["DBGVersion"] as? String, "3")
    expectEqual(entry["DBGBuildSourcePath"] as? String, "/build")
    expectEqual(entry["DBGSourcePath"] as? String, "/src")
    expectEqual(entry["DBGSourcePathRemapping"] as? [String: String], ["/a": "/b"])
    expectNil(entry["DBGOther"])
  }

  @Test func buildIdsAreFoundAndWrittenAsLldbDoes() async throws {
    let path = Fixtures.path("Elf/libshapes.elf")
    let found = try await answers(["dsym-for-uuid", path])
    expectEqual(found.count, 1)
    let key = try require(found.keys.first)
    expectTrue(key.wholeMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}-[0-9A-F]{8}/) != nil)
    expectEqual(found[key]?["DBGDSYMPath"], path)
    try await expectEqual(answers(["dsym-for-uuid", key, "-d", path]).keys.first, key)
    let stripped = Fixtures.path("Elf/libshapes-stripped.elf")
    let separate = try await answers(["dsym-for-uuid", stripped])
    expectEqual(separate.values.first?["DBGDSYMPath"], Fixtures.path("Elf/libshapes.debug"))
    expectEqual(separate.values.first?["DBGSymbolRichExecutable"], stripped)
  }

  @Test func errorsAreSentences() async throws {
    let program = Fixtures.path("MachO/shapes-arm64")
    let found = try await answers(["dsym-for-uuid", program, "/no-such-file"])
    expectEqual(
      found["/no-such-file"]?["DBGError"], "cannot read /no-such-file: No such file or directory")
    let alone = try require(found.values.first { $0["DBGSymbolRichExecutable"] != nil })
    expectEqual(alone["DBGSymbolRichExecutable"], program)
    expectEqual(
      alone["DBGError"],
      "\(program) has this UUID but no debug information, and its dSYM was not found; give the directory of your archives with -s"
    )
    let usage = try await Program.symbolicate(["dsym-for-uuid"])
    expectEqual(usage.status, 64)
    expectEmpty(usage.standardOutput)
  }

  /// The 16 bytes after the head of `LC_UUID` (command 0x1b of 24 bytes).
  private static func uuid(of bytes: [UInt8]) throws -> [UInt8] {
    let head: [UInt8] = [0x1b, 0, 0, 0, 24, 0, 0, 0]
    let start = try require(bytes.indices.first { bytes[$0...].starts(with: head) })
    return Array(bytes[(start + 8)..<(start + 24)])
  }
}
