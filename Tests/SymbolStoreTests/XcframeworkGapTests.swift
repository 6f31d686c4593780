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
    let found = try #require(gap())
    #expect(found.xcframeworkPath == xcframework.path)
    #expect(found.identifier == "ios-arm64")
    #expect(found.reason == .unstated)
  }

  /// dSYMs lie where the list says.
  @Test func noGap() throws {
    #expect(gap(VendorXcframework.simulator + "/Inlines.framework/Inlines") == nil)
    try xcframework.addDsym(to: VendorXcframework.device)
    for path in ["dSYMs", "./dSYMs/", "dSYMs/."] {
      try xcframework.write(debugSymbolsPath: path)
      #expect(gap() == nil, "\(path)")
    }
  }

  @Test func folderOfTheStatedPath() throws {
    try xcframework.write(debugSymbolsPath: "dSYMs")
    #expect(gap()?.reason == .noFolder("dSYMs"))
    try xcframework.directory.write([], to: VendorXcframework.device + "/file")
    try xcframework.write(debugSymbolsPath: "file")
    #expect(gap()?.reason == .noFolder("file"))
    try xcframework.write(debugSymbolsPath: "Inlines.framework")
    #expect(gap()?.reason == .noDsyms("Inlines.framework"))
  }

  /// The simulator's dSYMs, and a folder elsewhere that has some, do not count.
  @Test(arguments: ["../ios-arm64-simulator/dSYMs", "a/../dSYMs", "..", "/", "/dSYMs"])
  func pathsThatLeadOut(path: String) throws {
    try xcframework.addDsym(to: VendorXcframework.device)
    try xcframework.write(debugSymbolsPath: path)
    #expect(gap()?.reason == .leadsOut(path))
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
    #expect(gap() == nil)
  }

  @Test func placeOfAPath() {
    func place(_ path: String) -> [String]? {
      XcframeworkGap.Place(ofFileAt: path).map { [$0.xcframework, $0.identifier] }
    }
    #expect(place("/a/K.xcframework/ios-arm64/K.framework/K") == ["/a/K.xcframework", "ios-arm64"])
    #expect(place("K.xcframework//./ios-arm64/libK.dylib") == ["K.xcframework", "ios-arm64"])
    #expect(
      place("A.xcframework/x/B.xcframework/y/B") == ["A.xcframework/x/B.xcframework", "y"])
    for path in ["", "/", "K.framework/K", "K.xcframework/Info.plist", ".xcframework/a/K"] {
      #expect(place(path) == nil, "\(path)")
    }
  }

  /// The same in a zip, where folders without files are not there.
  @Test func inAZip() async throws {
    func gapInAZip() async throws -> XcframeworkGap? {
      let result = try await Program.run(
        "/bin/sh", ["-c", "rm -f k.zip && zip -qr k.zip \(VendorXcframework.name)"],
        workingDirectory: xcframework.directory.path)
      #expect(result.status == 0)
      return gap("k.zip/" + VendorXcframework.device + "/Inlines.framework/Inlines")
    }
    #expect(try await gapInAZip()?.reason == .unstated)
    #expect(
      try await gapInAZip()?.xcframeworkPath
        == xcframework.directory.path("k.zip/" + VendorXcframework.name))
    try xcframework.write(debugSymbolsPath: "dSYMs")
    #expect(try await gapInAZip()?.reason == .noFolder("dSYMs"))
    try xcframework.directory.makeDirectory(VendorXcframework.device + "/dSYMs")
    try xcframework.directory.write([], to: VendorXcframework.device + "/dSYMs/notes.txt")
    try xcframework.directory.write([1], to: VendorXcframework.device + "/dSYMs/read.me")
    #expect(try await gapInAZip()?.reason == .noDsyms("dSYMs"))
    try xcframework.addDsym(to: VendorXcframework.device)
    #expect(try await gapInAZip() == nil)
  }
}
