import SymbolStore
import TestSupport
import Testing

/// Why an xcframework has no dSYM for one of its libraries.
struct XcframeworkGapTests {
  private let xcframework: VendorXcframework

  init() throws { xcframework = try VendorXcframework() }

  private func gap(
    _ file: String = VendorXcframework.device + "/Inlines.framework/Inlines"
  ) -> XcframeworkGap? {
    var origins = BuildOrigins()
    return origins.xcframeworkGap(ofFileAt: xcframework.directory.path(file))
  }

  @Test func noPathIsStated() throws {
    let found = try require(gap())
    expectEqual(found.xcframeworkPath, xcframework.path)
    expectEqual(found.identifier, "ios-arm64")
    expectEqual(found.reason, .unstated)
  }

  /// dSYMs lie where the list says.
  @Test func noGap() throws {
    expectNil(gap(VendorXcframework.simulator + "/Inlines.framework/Inlines"))
    try xcframework.addDsym(to: VendorXcframework.device)
    for path in ["dSYMs", "./dSYMs/", "dSYMs/."] {
      try xcframework.write(debugSymbolsPath: path)
      expectNil(gap(), "\(path)")
    }
  }

  @Test func folderOfTheStatedPath() throws {
    try xcframework.write(debugSymbolsPath: "dSYMs")
    expectEqual(gap()?.reason, .noFolder("dSYMs"))
    try xcframework.directory.write([], to: VendorXcframework.device + "/file")
    try xcframework.write(debugSymbolsPath: "file")
    expectEqual(gap()?.reason, .noFolder("file"))
    try xcframework.write(debugSymbolsPath: "Inlines.framework")
    expectEqual(gap()?.reason, .noDsyms("Inlines.framework"))
  }

  /// The simulator's dSYMs, and a folder elsewhere that has some, do not count.
  @Test(arguments: ["../ios-arm64-simulator/dSYMs", "a/../dSYMs", "..", "/", "/dSYMs"])
  func pathsThatLeadOut(path: String) throws {
    try xcframework.addDsym(to: VendorXcframework.device)
    try xcframework.write(debugSymbolsPath: path)
    expectEqual(gap()?.reason, .leadsOut(path))
  }

  /// The list says nothing of the library, or is damaged.
  @Test(arguments: [
    "", "no list", "<plist version=\"1.0\"><array/></plist>",
    "<plist version=\"1.0\"><dict><key>AvailableLibraries</key><string>ios-arm64</string></dict></plist>",
    "<plist version=\"1.0\"><dict><key>AvailableLibraries</key><array><string>a</string><dict/></array></dict></plist>",
    "<plist version=\"1.0\"><dict><key>AvailableLibraries</key><array><dict><key>LibraryIdentifier</key><string>ios-arm64e</string></dict></array></dict></plist>",
  ])
  func listsWithoutTheLibrary(list: String) throws {
    try xcframework.directory.write(list.utf8, to: VendorXcframework.name + "/Info.plist")
    expectNil(gap())
  }

  @Test func placeOfAPath() {
    func place(_ path: String) -> [String]? {
      XcframeworkGap.Place(ofFileAt: path).map { [$0.xcframework, $0.identifier] }
    }
    expectEqual(
      place("/a/K.xcframework/ios-arm64/K.framework/K"), ["/a/K.xcframework", "ios-arm64"])
    expectEqual(place("K.xcframework//./ios-arm64/libK.dylib"), ["K.xcframework", "ios-arm64"])
    expectEqual(place("A.xcframework/x/B.xcframework/y/B"), ["A.xcframework/x/B.xcframework", "y"])
    for path in ["", "/", "K.framework/K", "K.xcframework/Info.plist", ".xcframework/a/K"] {
      expectNil(place(path), "\(path)")
    }
  }

  /// The same in a zip, where folders without files are not there.
  @Test func inAZip() async throws {
    func gapInAZip() async throws -> XcframeworkGap? {
      let result = try await Program.run(
        "/bin/sh", ["-c", "rm -f k.zip && zip -qr k.zip \(VendorXcframework.name)"],
        workingDirectory: xcframework.directory.path)
      expectEqual(result.status, 0)
      return gap("k.zip/" + VendorXcframework.device + "/Inlines.framework/Inlines")
    }
    try await expectEqual(gapInAZip()?.reason, .unstated)
    try await expectEqual(
      gapInAZip()?.xcframeworkPath, xcframework.directory.path("k.zip/" + VendorXcframework.name))
    try xcframework.write(debugSymbolsPath: "dSYMs")
    try await expectEqual(gapInAZip()?.reason, .noFolder("dSYMs"))
    try xcframework.directory.makeDirectory(VendorXcframework.device + "/dSYMs")
    try xcframework.directory.write([], to: VendorXcframework.device + "/dSYMs/notes.txt")
    try xcframework.directory.write([1], to: VendorXcframework.device + "/dSYMs/read.me")
    try await expectEqual(gapInAZip()?.reason, .noDsyms("dSYMs"))
    try xcframework.addDsym(to: VendorXcframework.device)
    try await expectNil(gapInAZip())
  }
}
