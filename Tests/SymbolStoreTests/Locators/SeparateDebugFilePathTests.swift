import Testing

@testable import AddressResolver

/// Where separate debug files are looked for: as Xcode and dsymutil lay out dSYMs, and as the GDB manual,
/// section "Separate Debug Files", has it of ELF.
struct SeparateDebugFilePlacesTests {
  private func places(
    _ program: String, realPath: String? = nil, debugDirectories: [String] = ["/usr/lib/debug"]
  ) -> SeparateDebugFilePlaces {
    SeparateDebugFilePlaces(
      program: program, realPath: realPath, debugDirectories: debugDirectories)
  }

  /// The bundles looked into, each once.
  private func bundles(_ program: String, realPath: String? = nil) -> [String] {
    var bundles: [String] = []
    for path in places(program, realPath: realPath).dsyms {
      guard let bundle = path.split(separator: "/Contents/Resources/DWARF/").first else { continue }
      if bundles.last != String(bundle) { bundles.append(String(bundle)) }
    }
    return bundles
  }

  @Test func besideAProgram() {
    #expect(bundles("/build/tool") == ["/build/tool.dSYM", "/build/tool.app.dSYM"])
    #expect(bundles("tool") == ["./tool.dSYM", "./tool.app.dSYM"])
    #expect(
      places("/build/tool").dsyms.first == "/build/tool.dSYM/Contents/Resources/DWARF/tool")
    #expect(bundles("/tool") == ["/tool.dSYM", "/tool.app.dSYM"])
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
  func besideABundle(program: String, bundle: String) {
    #expect(bundles(program).contains(bundle))
    #expect(places(program).dsyms.contains("\(bundle)/Contents/Resources/DWARF/X"))
  }

  @Test func bundlesInBundles() {
    let extensions = bundles("/b/X.app/Contents/PlugIns/Y.appex/Contents/MacOS/Y")
    #expect(extensions.contains("/b/X.app/Contents/PlugIns/Y.appex.dSYM"))
    #expect(extensions.contains("/b/Y.appex.dSYM"))
    #expect(bundles("/b/X.app/Frameworks/Kit.framework/Kit").contains("/b/Kit.framework.dSYM"))
    #expect(!bundles("/b/a/c/d/tool").contains { $0.hasPrefix("/b/a/c.") })
  }

  @Test func anArchiveOfXcodes() {
    #expect(
      bundles("/a/X 1.xcarchive/Products/Applications/X.app/X")
        .contains("/a/X 1.xcarchive/dSYMs/X.app.dSYM"))
    #expect(
      bundles("/a/X.xcarchive/Products/usr/local/bin/tool")
        .contains("/a/X.xcarchive/dSYMs/tool.dSYM"))
  }

  @Test func aRenamedProgram() {
    #expect(
      places("/b/X.app/Renamed").dsyms.contains("/b/X.app.dSYM/Contents/Resources/DWARF/X"))
  }

  @Test func throughALink() {
    #expect(
      bundles("/link/tool", realPath: "/real/tool-1")
        == [
          "/link/tool.dSYM", "/link/tool.app.dSYM", "/real/tool-1.dSYM", "/real/tool-1.app.dSYM",
        ])
  }

  @Test func byLink() {
    #expect(
      places("/usr/bin/tool").byLink(name: "tool.debug") == [
        "/usr/bin/tool.debug", "/usr/bin/.debug/tool.debug", "/usr/lib/debug/usr/bin/tool.debug",
      ])
    #expect(
      places("bin/tool", realPath: "/h/bin/tool").byLink(name: "t") == [
        "bin/t", "/h/bin/t", "bin/.debug/t", "/h/bin/.debug/t", "/usr/lib/debug/h/bin/t",
      ])
    #expect(
      places("/b/x", debugDirectories: []).byLink(name: "../../etc/t") == ["/b/t", "/b/.debug/t"])
    for name in ["", "/", "..", "a/..", "."] { #expect(places("/b/x").byLink(name: name).isEmpty) }
  }

  @Test func byBuildId() {
    #expect(
      places("/b/x", debugDirectories: ["/d", "/e"]).byBuildId([0xab, 0x01, 0xff])
        == ["/d/.build-id/ab/01ff.debug", "/e/.build-id/ab/01ff.debug"])
    #expect(places("/b/x").byBuildId([]).isEmpty)
    #expect(places("/b/x").byBuildId([1]).isEmpty)
  }
}
