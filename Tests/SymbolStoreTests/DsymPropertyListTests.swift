import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// What `Contents/Resources/UUID.plist` of a dSYM records. The rules are those of LLDB's
/// `SymbolVendorMacOSX.cpp`.
struct DsymPropertyListTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyBundle, to: "App.dSYM")
  }

  private static let dwarfFile = "App.dSYM/Contents/Resources/DWARF/Letter Shuffle"
  private static let plist =
    "App.dSYM/Contents/Resources/A4B1DE49-70B3-301D-A644-58D6BC22F513.plist"

  private func read(
    _ members: String, through path: String = dwarfFile
  ) throws -> DsymPropertyList? {
    try directory.write("<plist><dict>\(members)</dict></plist>".utf8, to: Self.plist)
    return try read(through: path)
  }

  private func read(through path: String = dwarfFile) throws -> DsymPropertyList? {
    let file = try SymbolFile.open(path: directory.path(path), architecture: nil).objectFile
    return try DsymPropertyList.read(for: AskingFile(file))
  }

  private func mappings(_ members: String) throws -> [String] {
    try require(read(members)).sourceMappings.map { "\($0.old)=\($0.new)" }
  }

  private static let remapping = """
    <key>DBGSourcePathRemapping</key><dict>
      <key>/build/a/b/Sources</key><string>/net/App/1/b/Sources</string>
      <key>/build/a/longer/Sources</key><string>/net/App/1/longer/Sources</string>
    </dict>
    """

  @Test(arguments: ["", "<key>DBGVersion</key><string>1</string>"])
  func remappingNeedsVersion2(_ version: String) throws {
    try expectEmpty(mappings(version + Self.remapping))
  }

  @Test func version2AddsShorterMappings() throws {
    try expectEqual(
      mappings("<key>DBGVersion</key><string>2</string>" + Self.remapping),
      [
        "/build/a/longer/Sources=/net/App/1/longer/Sources",
        "/build/a/b/Sources=/net/App/1/b/Sources",
        "/build/a=/net/App/1",
      ])
  }

  @Test func mappingsHaveALimit() throws {
    let entries = (100..<400).map { "<key>/build/\($0)</key><string>/\($0)</string>" }.joined()
    try expectEqual(
      mappings(
        "<key>DBGVersion</key><string>3</string><key>DBGSourcePathRemapping</key>"
          + "<dict>\(entries)</dict>"),
      (100..<356).map { "/build/\($0)=/\($0)" })
  }

  @Test(arguments: ["<string>3</string>", "<string>3.1</string>", "<integer>4</integer>"])
  func laterVersionsAreAsWritten(_ version: String) throws {
    try expectEqual(
      mappings("<key>DBGVersion</key>\(version)" + Self.remapping),
      [
        "/build/a/longer/Sources=/net/App/1/longer/Sources",
        "/build/a/b/Sources=/net/App/1/b/Sources",
      ])
  }

  @Test func aShorterMappingOfTheRootIsDropped() throws {
    try expectEqual(
      mappings(
        """
        <key>DBGVersion</key><string>2</string>
        <key>DBGSourcePathRemapping</key><dict>
          <key>/build/a</key><string>/net/x/y/z</string><key>/c/d/e</key><string>/x</string>
        </dict>
        """), ["/build/a=/net/x/y/z", "/c/d/e=/x"])
  }

  @Test func aPairComesLastAndNeedsNoVersion() throws {
    let pair = """
      <key>DBGBuildSourcePath</key><string>/build</string>
      <key>DBGSourcePath</key><string>/net</string>
      """
    try expectEqual(mappings(pair), ["/build=/net"])
    try expectEqual(
      mappings("<key>DBGVersion</key><string>3</string>" + Self.remapping + pair).last,
      "/build=/net")
    try expectEmpty(mappings("<key>DBGBuildSourcePath</key><string>/build</string>"))
  }

  @Test func valuesOfOtherKindsAreIgnored() throws {
    try expectEmpty(
      mappings(
        """
        <key>DBGVersion</key><string>3</string><key>DBGSourcePathRemapping</key><dict>
          <key>/a</key><integer>1</integer><key>/b</key><string/><key></key><string>/c</string>
        </dict><key>DBGBuildSourcePath</key><array/><key>DBGSourcePath</key><true/>
        """
      ))
    try expectEmpty(mappings("<key>DBGVersion</key><real>3</real>" + Self.remapping))
  }

  @Test func originalUuid() throws {
    let list = try require(
      read(
        "<key>DBGOriginalUUID</key><string>0b17c0de-0000-3000-8000-00000000c0de</string>"))
    expectEqual(list.originalIdentity?.description, "0B17C0DE-0000-3000-8000-00000000C0DE")
    expectEqual(list.path, directory.path(Self.plist))
    let other = try require(read("<key>DBGOriginalUUID</key><string>?</string>"))
    expectNil(other.originalIdentity)
  }

  /// A folder of UUIDs, as LLDB uses it, has links to DWARF files.
  @Test func isFoundThroughALink() throws {
    try directory.link("link", to: directory.path(Self.dwarfFile))
    try expectTrue(read("<key>a</key><true/>", through: "link") != nil)
  }

  @Test func absenceIsNoProblem() throws {
    try expectNil(read())
    try directory.copy(directory.path(Self.dwarfFile), to: "alone")
    try expectNil(read(through: "alone"))
    try expectNil(read(through: Self.dwarfFile))
  }

  @Test func damageIsAProblem() throws {
    let path = directory.path(Self.plist)
    #expect(
      throws: SymbolFileProblem(path: path, kind: .unusablePropertyList(.damaged(offset: 21)))
    ) { try read("<string>") }
    try directory.makeDirectory("Other.dSYM/Contents/Resources/DWARF")
    try directory.copy(
      directory.path(Self.dwarfFile), to: "Other.dSYM/Contents/Resources/DWARF/Other")
    let folder = try directory.makeDirectory(
      "Other.dSYM/Contents/Resources/A4B1DE49-70B3-301D-A644-58D6BC22F513.plist")
    #expect(
      throws: SymbolFileProblem(
        path: folder, kind: .unusablePropertyList(.inaccessible(errno: 21)))
    ) { try read(through: "Other.dSYM/Contents/Resources/DWARF/Other") }
  }
}
