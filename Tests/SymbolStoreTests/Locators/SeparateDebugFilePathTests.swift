import BinaryInput
import SymbolicationModel
import TestSupport
import Testing

@testable import ObjectFiles
@testable import SymbolStore

/// Where separate debug files are looked for: as Xcode and dsymutil lay out dSYMs, and as the GDB
/// manual, section "Separate Debug Files", describes it for ELF.
@Suite struct SeparateDebugFilePathTests {
  private func dsyms(_ program: String, realPath: String? = nil) throws -> [String] {
    SymbolStore.paths(
      for: SymbolFileRequest(
        .separateDebugFile(nil), for: try .machO(at: program, realPath: realPath)))
  }

  private func byLink(
    _ name: String, of program: String, realPath: String? = nil,
    debugDirectories: [String] = ["/usr/lib/debug"]
  ) throws -> [String] {
    SymbolStore.paths(
      for: SymbolFileRequest(
        .separateDebugFile(DebugLink(name: name, checksum: 0)),
        for: try .elf(at: program, realPath: realPath)),
      debugDirectories: debugDirectories)
  }

  private func byBuildId(
    _ buildId: [UInt8], debugDirectories: [String] = ["/usr/lib/debug"]
  ) throws -> [String] {
    SymbolStore.paths(
      for: SymbolFileRequest(.separateDebugFile(nil), for: try .elf(at: "/b/x", buildId: buildId)),
      debugDirectories: debugDirectories)
  }

  /// The bundles looked into, each once.
  private func bundles(_ program: String, realPath: String? = nil) throws -> [String] {
    var bundles: [String] = []
    for path in try dsyms(program, realPath: realPath) {
      guard let bundle = path.split(separator: "/Contents/Resources/DWARF/").first else { continue }
      if bundles.last != String(bundle) { bundles.append(String(bundle)) }
    }
    return bundles
  }

  @Test func besideAProgram() throws {
    try expectEqual(bundles("/build/tool"), ["/build/tool.dSYM", "/build/tool.app.dSYM"])
    try expectEqual(bundles("tool"), ["./tool.dSYM", "./tool.app.dSYM"])
    try expectEqual(dsyms("/build/tool").first, "/build/tool.dSYM/Contents/Resources/DWARF/tool")
    try expectEqual(bundles("/tool"), ["/tool.dSYM", "/tool.app.dSYM"])
  }

  @Test(arguments: [
    ("/b/X.app/X", "/b/X.app.dSYM"),
    ("/b/X.app/Contents/MacOS/X", "/b/X.app.dSYM"),
    ("/b/X.framework/X", "/b/X.framework.dSYM"),
    ("/b/X.framework/Versions/A/X", "/b/X.framework.dSYM"),
    ("/b/X.appex/X", "/b/X.appex.dSYM"),
    ("/b/X.xctest/Contents/MacOS/X", "/b/X.xctest.dSYM"),
    ("X.app/X", "X.app.dSYM"),
  ])
  func besideABundle(program: String, bundle: String) throws {
    try expectTrue(bundles(program).contains(bundle))
    try expectContains(dsyms(program), "\(bundle)/Contents/Resources/DWARF/X")
  }

  /// lldb looks beside each of the four folders above the program whose name holds a dot.
  @Test func besideFoldersWithADot() throws {
    let found = try dsyms("/b/v1.2/a/Tool.driver/c/X")
    expectContains(found, "/b/v1.2/a/Tool.driver.dSYM/Contents/Resources/DWARF/X")
    expectContains(found, "/b/v1.2.dSYM/Contents/Resources/DWARF/X")
    expectContains(found, "/b/v1.2/a/Tool.driver.dSYM/Contents/Resources/DWARF/Tool")
    try expectFalse(bundles("/b/v1.2/a/b/c/d/X").contains("/b/v1.2.dSYM"))
    try expectFalse(bundles("../X").contains("...dSYM"))
  }

  @Test func bundlesInBundles() throws {
    let extensions = try bundles("/b/X.app/Contents/PlugIns/Y.appex/Contents/MacOS/Y")
    expectContains(extensions, "/b/X.app/Contents/PlugIns/Y.appex.dSYM")
    expectContains(extensions, "/b/Y.appex.dSYM")
    try expectContains(bundles("/b/X.app/Frameworks/Kit.framework/Kit"), "/b/Kit.framework.dSYM")
    try expectFalse(bundles("/b/a/c/d/tool").contains { $0.hasPrefix("/b/a/c.") })
  }

  @Test func anXcodeArchive() throws {
    try expectContains(
      bundles("/a/X 1.xcarchive/Products/Applications/X.app/X"), "/a/X 1.xcarchive/dSYMs/X.app.dSYM"
    )
    try expectContains(
      bundles("/a/X.xcarchive/Products/usr/local/bin/tool"), "/a/X.xcarchive/dSYMs/tool.dSYM")
  }

  @Test func aRenamedProgram() throws {
    try expectContains(dsyms("/b/X.app/Renamed"), "/b/X.app.dSYM/Contents/Resources/DWARF/X")
  }

  @Test func throughALink() throws {
    try expectEqual(
      bundles("/link/tool", realPath: "/real/tool-1"),
      [
        "/link/tool.dSYM", "/link/tool.app.dSYM", "/real/tool-1.dSYM", "/real/tool-1.app.dSYM",
      ])
  }

  @Test func byLink() throws {
    try expectEqual(
      byLink("tool.debug", of: "/usr/bin/tool"),
      [
        "/usr/bin/tool.debug", "/usr/bin/.debug/tool.debug", "/usr/lib/debug/usr/bin/tool.debug",
      ])
    try expectEqual(
      byLink("t", of: "bin/tool", realPath: "/h/bin/tool"),
      [
        "bin/t", "/h/bin/t", "bin/.debug/t", "/h/bin/.debug/t", "/usr/lib/debug/h/bin/t",
      ])
    try expectEqual(
      byLink("../../etc/t", of: "/b/x", debugDirectories: []), ["/b/t", "/b/.debug/t"])
    for name in ["", "/", "..", "a/..", "."] { try expectEmpty(byLink(name, of: "/b/x")) }
  }

  @Test func byBuildId() throws {
    try expectEqual(
      byBuildId([0xab, 0x01, 0xff], debugDirectories: ["/d", "/e"]),
      ["/d/.build-id/ab/01ff.debug", "/e/.build-id/ab/01ff.debug"])
    try expectEmpty(byBuildId([]))
    try expectEmpty(byBuildId([1]))
  }
}
