import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// `.gnu_debugaltlink` and `.debug_sup`. What stands in the fixtures is `readelf -x` of these
/// sections and `readelf -n`; the other bytes follow DWARF 5, section 7.3.6.
@Suite struct SupplementaryLinkTests {
  private func fixture(_ name: String) throws -> ObjectFile {
    try ObjectFile.openElf(statedPath: Fixtures.path("Dwz/\(name)"))
  }

  private func elf(
    _ section: String, _ content: [UInt8], bigEndian: Bool = false
  ) throws -> ObjectFile {
    try parseThin(
      ElfImage(bigEndian: bigEndian, sections: [.init(name: section, content: content)]).bytes)
  }

  private func supplement(
    version: UInt16 = 5, isSupplementary: Bool, name: String, checksum: [UInt8],
    statedSize: UInt64? = nil, bigEndian: Bool = false
  ) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u16(version)
    builder.u8(isSupplementary ? 1 : 0)
    builder.cString(name)
    builder.uleb128(statedSize ?? UInt64(checksum.count))
    builder.append(checksum)
    return builder.bytes
  }

  private func reason(_ file: ObjectFile) -> ObjectFileError.Reason? {
    do throws(ObjectFileError) {
      _ = try file.supplementaryLink()
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func ofDwz() throws {
    let link = try require(fixture("dwarf5/ledger.elf").supplementaryLink())
    expectEqual(link.form, .gnu)
    expectEqual(link.path, "shared.debug")
    expectEqual(
      ImageIdentity(bytes: link.identifier)?.description, "690c0111b3593db64817a444a1655ebff0622398"
    )
    let shared = try fixture("dwarf5/shared.debug")
    try expectEqual(shared.supplementaryIdentifier(for: .gnu), link.identifier)
    try expectNil(shared.supplementaryLink())
    try expectNil(shared.supplementaryIdentifier(for: .dwarf5))
    let other = try fixture("dwarf4/shared.debug")
    expectEqual(other.identity?.description, "46a155580b6faf70d878adc431ec1b887d9519fd")
    try expectNotEqual(other.supplementaryIdentifier(for: .gnu), link.identifier)
  }

  @Test func ofDwzInTheStandardForm() throws {
    let file = try fixture("supplementary/ledger.elf")
    let link = try require(file.supplementaryLink())
    expectEqual(link.form, .dwarf5)
    expectEqual(link.path, "shared.sup")
    expectEqual(
      ImageIdentity(bytes: link.identifier)?.description, "bd87215ad7d2c35568a3c9b0104b6c6a642c5488"
    )
    let shared = try fixture("supplementary/shared.sup")
    try expectNil(shared.supplementaryLink())
    try expectEqual(shared.supplementaryIdentifier(for: .dwarf5), link.identifier)
    // A file that refers to another is not a supplementary file.
    try expectNil(file.supplementaryIdentifier(for: .dwarf5))
  }

  @Test(arguments: [false, true])
  func inBothByteOrders(bigEndian: Bool) throws {
    let content = supplement(
      isSupplementary: false, name: "/usr/lib/debug/x.sup", checksum: [1, 2, 3],
      bigEndian: bigEndian)
    let link = try elf(".debug_sup", content, bigEndian: bigEndian).supplementaryLink()
    expectEqual(link?.path, "/usr/lib/debug/x.sup")
    expectEqual(link?.identifier, [1, 2, 3])
  }

  @Test func absent() throws {
    try expectNil(elf(".debug_info", [0]).supplementaryLink())
    try expectNil(elf(".debug_info", [0]).supplementaryIdentifier(for: .dwarf5))
  }

  @Test func withoutABuildId() throws {
    let link = try elf(".gnu_debugaltlink", Array("name\0".utf8)).supplementaryLink()
    expectEqual(link?.path, "name")
    expectEqual(link?.identifier, [])
  }

  @Test func damaged() throws {
    expectEqual(
      reason(try elf(".gnu_debugaltlink", Array("no end".utf8))),
      .truncated(.section(".gnu_debugaltlink"), offset: 0, wanted: 1, available: 0))
    expectEqual(
      reason(
        try elf(
          ".debug_sup",
          supplement(version: 6, isSupplementary: false, name: "a", checksum: []))),
      .unsupportedSupplementaryVersion(6))
    // Version, flag, "a" and its zero, the size: the checksum would begin at 6.
    expectEqual(
      reason(
        try elf(
          ".debug_sup",
          supplement(isSupplementary: false, name: "a", checksum: [7], statedSize: 4))),
      .truncated(.section(".debug_sup"), offset: 6, wanted: 4, available: 7))
    expectEqual(
      reason(try elf(".debug_sup", [5])),
      .truncated(.section(".debug_sup"), offset: 0, wanted: 2, available: 1))
  }
}

/// Files at paths that another file states.
@Suite struct StatedPathTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func refusal(of path: String) -> ObjectFileError? {
    do throws(ObjectFileError) {
      _ = try ObjectFile.openElf(statedPath: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func tellsNothingOfWhatIsNotElf() throws {
    let secret = try directory.write("password".utf8, to: "secret")
    expectEqual(refusal(of: secret)?.reason, .unrecognized(firstBytes: []))
    let machO = Fixtures.path("MachO/shapes-arm64")
    expectEqual(refusal(of: machO)?.reason, .unrecognized(firstBytes: []))
    expectEqual(refusal(of: try directory.write([], to: "empty"))?.reason, .empty)
  }

  @Test func tellsAbsenceFromRefusal() throws {
    expectEqual(refusal(of: directory.path("missing"))?.isAbsence, true)
    let file = try directory.write([1], to: "file")
    expectEqual(refusal(of: file + "/below")?.isAbsence, true)
    expectEqual(refusal(of: directory.path)?.isAbsence, false)
    expectEqual(refusal(of: file)?.isAbsence, false)
    expectEqual(refusal(of: "/dev/null")?.isAbsence, false)
  }

  @Test func realPath() throws {
    try directory.copy(Fixtures.path("Dwz/partial-dwarf5.elf"), to: "program")
    try directory.link("link", to: directory.path("program"))
    let file = try ObjectFile.openElf(statedPath: directory.path("link"))
    expectEqual(file.path, directory.path("link"))
    expectEqual(file.realPath?.hasSuffix("/program"), true)
  }
}
