import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Lines of the list of binary images, in the layouts of all writers.
struct ImageLineTests {
  struct Line: Sendable {
    let line: String
    let load: UInt64
    let last: UInt64
    let name: String
    var version: String?
    var architecture: String?
    var identity: String?
    var path: String?
  }

  static let uuid = "BDE08A08-D8CF-3E6B-8CEE-8AB2CF246CCB"

  static let lines = [
    Line(
      line:
        "0x10005c000 - 0x102687fff get arm64  <bde08a08d8cf3e6b8cee8ab2cf246ccb> /var/get.app/get",
      load: 0x1_0005_c000, last: 0x1_0268_7fff, name: "get", architecture: "arm64", identity: uuid,
      path: "/var/get.app/get"),
    Line(
      line:
        "   0xb2000 -   0xd19fff +MyJablotron_dev armv7  <bde08a08d8cf3e6b8cee8ab2cf246ccb> /v/M",
      load: 0xb2000, last: 0xd19fff, name: "MyJablotron_dev", architecture: "armv7",
      identity: uuid, path: "/v/M"),
    Line(
      line:
        "       0x1047d4000 -        0x1047d7fff +bell.com.icdab-avx (1.0 - 1) <\(uuid)> /Users/a b",
      load: 0x1_047d_4000, last: 0x1_047d_7fff, name: "bell.com.icdab-avx", version: "1.0 - 1",
      identity: uuid, path: "/Users/a b"),
    Line(
      line:
        "    0x7fff2ab9b000 -     0x7fff2ae22fff  com.apple.AppKit (6.9 (a) - 1) <\(uuid)> /S/AppKit",
      load: 0x7fff_2ab9_b000, last: 0x7fff_2ae2_2fff, name: "com.apple.AppKit",
      version: "6.9 (a) - 1", identity: uuid, path: "/S/AppKit"),
    Line(
      line:
        "       0x10e30e000 -        0x10e311fff CrashingTest (*) <\(uuid.lowercased())> /U/*/T",
      load: 0x1_0e30_e000, last: 0x1_0e31_1fff, name: "CrashingTest", version: "*", identity: uuid,
      path: "/U/*/T"),
    // Tabs for indentation; `(0)`.
    Line(
      line: "\t\t 0x1000 -  0x1fff +foo (0) <\(uuid)> /foo", load: 0x1000, last: 0x1fff,
      name: "foo",
      version: "0", identity: uuid, path: "/foo"),
    Line(
      line: "0x1000 - 0x1fff WinterBoard.dylib arm  <(null)> /L/W.dylib", load: 0x1000,
      last: 0x1fff,
      name: "WinterBoard.dylib", architecture: "arm", path: "/L/W.dylib"),
    // PLCrashReporter on macOS: architecture and version.
    Line(
      line: "0x1000 - 0x1fff libX.dylib x86_64 (0.0.0 - 0.0.0) <\(uuid)> /X", load: 0x1000,
      last: 0x1fff, name: "libX.dylib", version: "0.0.0 - 0.0.0", architecture: "x86_64",
      identity: uuid, path: "/X"),
    // Paths without a slash.
    Line(
      line: "0x1000 - 0x1fff cl_kernels (???) <\(uuid)> cl_kernels", load: 0x1000, last: 0x1fff,
      name: "cl_kernels", version: "???", identity: uuid, path: "cl_kernels"),
    Line(
      line: "0x1000 - 0x1fff App Namespace arm64e  <\(uuid)> /App Namespace Some.app/App Namespace",
      load: 0x1000, last: 0x1fff, name: "App Namespace", architecture: "arm64e", identity: uuid,
      path: "/App Namespace Some.app/App Namespace"),
    Line(
      line: "0x1000 - 0x1fff  MobileSMS (*) arm64  <\(uuid)> /M", load: 0x1000, last: 0x1fff,
      name: "MobileSMS (*)", architecture: "arm64", identity: uuid, path: "/M"),
    Line(
      line: "0x1000 - 0x1fff MobileSMS (*) (1.0 - 2) <\(uuid)> /M", load: 0x1000, last: 0x1fff,
      name: "MobileSMS (*)", version: "1.0 - 2", identity: uuid, path: "/M"),
    // Entities, as in web pages and property lists.
    Line(
      line:
        "0x1000 - 0x1fff A&amp;B armv7  &lt;bde08a08d8cf3e6b8cee8ab2cf246ccb&gt; /a &quot;b&quot;",
      load: 0x1000, last: 0x1fff, name: "A&B", architecture: "armv7", identity: uuid,
      path: "/a \"b\""),
    Line(
      line: "0x1000 - 0x1fff Letter Shuffle arm64\u{a0} <bde08a08d8cf3e6b8cee8ab2cf246ccb> /var/L",
      load: 0x1000, last: 0x1fff, name: "Letter Shuffle", architecture: "arm64", identity: uuid,
      path: "/var/L"),
    Line(
      line: "0x1000 - 0x1fff name with <brackets> x86_64h <\(uuid)>", load: 0x1000, last: 0x1fff,
      name: "name with <brackets>", architecture: "x86_64h", identity: uuid),
  ]

  /// A word in angle brackets that is not a UUID counts as an identity that someone hid.
  @Test func anIdentityThatIsNotAUuidIsAFault() throws {
    let (report, images) = try images("0x1000 - 0x1fff App arm64 <xxxxxxxx-hidden> /App")
    expectEqual(images.map(\.name), ["App"])
    expectEqual(images.map(\.identity), [nil])
    expectEqual(images.map(\.path), ["/App"])
    expectEqual(report.faults.map(\.kind), [.unreadableImageIdentity])
  }

  @Test(arguments: lines)
  func partsOfALine(_ expected: Line) throws {
    let (report, images) = try images(expected.line)
    let image = try require(images.first)
    expectEqual(image.loadAddress.value, expected.load)
    expectEqual(image.lastAddress.value, expected.last)
    expectEqual(image.byteCount, expected.last - expected.load + 1)
    expectEqual(image.name, expected.name)
    expectEqual(image.version, expected.version)
    expectEqual(image.architecture?.name, expected.architecture)
    expectEqual(image.identity?.description, expected.identity)
    expectEqual(image.path, expected.path)
    expectEqual(image.kind, .image)
    expectNil(image.bundleIdentifier)
    expectEmpty(report.faults)
    expectNesting(report, expected.line)
  }

  @Test func theEntryForAddressesOfNoImageContainsNothing() throws {
    let (report, images) = try images(
      "               0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???",
      "0x1000 - 0x1fff A arm64  <\(Self.uuid)> /A")
    expectEqual(images.map(\.kind), [.absolute, .image])
    expectNil(images[0].identity)
    expectEqual(images[0].byteCount, .max)
    expectFalse(images[0].contains(LoadAddress(0x1800)))
    expectEqual(report.image(containing: LoadAddress(0x1800))?.name, "A")
    expectNil(report.image(containing: LoadAddress(0x2000)))
    expectNil(report.image(containing: LoadAddress(0), loadAddress: LoadAddress(0)))
  }

  @Test(arguments: [
    "0x7fff9ef88000 - 0x7fff9ef89fff libsystem_s", "0x2facb000 - 0x2fbeefff  CoreGraphics armv7  ",
    "0x1000 -", "0x1000 - 0x1fff", "0x1000 - App <\(uuid)> /App",
    "0x1000 - 0x11112222333344445 App <\(uuid)> /App",
  ])
  func linesThatAreNotImagesAreFaults(line: String) throws {
    let (report, images) = try images(line, "0x1000 - 0x1fff A arm64  <\(Self.uuid)> /A")
    expectEqual(images.map(\.name), ["A"])
    expectEqual(report.faults.map(\.kind), [.unreadableImage])
  }

  @Test func severalListsAreOne() throws {
    let report = try ParsedText(
      """
      Process: App [1]
      Path: /App

      Thread 0:
      0   App 0x10 f + 1

      Binary Images (dpkg):
      0x1000 - 0x1fff A arm64  <\(Self.uuid)> /A

      <snip>

      Binary Images (App Store):
      0x3000 - 0x3fff B arm64  <\(Self.uuid)> /B
      Binary Images (Other):
      0x5000 - 0x5fff C arm64  <\(Self.uuid)> /C
      EOF
      """
    ).report
    expectEqual(report.images.map(\.name), ["A", "B", "C"])
    expectEmpty(report.faults)
  }
}
