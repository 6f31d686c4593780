import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// The paths of `symstore`, `ssqp` and `index2` are those of Microsoft's "SSQP key conventions" and
/// "SymStore" documents; those of `unified` and `native` are described by Sentry's Symbolicator.
@Suite struct SymbolLayoutTests {
  private static let uuid = "497b72f6390a44fc878e5a2d63b6cc4b"
  private static let buildId = "180a373d6afbabf0eb1f09be1bc45bd796a71085"

  private func paths(
    _ layout: SymbolLayout, _ identity: String, name: String
  ) -> [String] {
    let image = ImageDescription(
      identity: ImageIdentity(hexadecimal: identity.utf8), architecture: nil, names: [name])
    return layout.files(for: image).map(\.path)
  }

  @Test func machOInSymstore() {
    let found = paths(.symstore, Self.uuid, name: "Foo.dylib")
    expectContains(found, "_.dwarf/mach-uuid-sym-\(Self.uuid)/_.dwarf")
    expectContains(found, "Foo.dylib/mach-uuid-\(Self.uuid)/Foo.dylib")
  }

  @Test func elfInSymstore() {
    expectEqual(
      paths(.symstore, Self.buildId, name: "foo.so"),
      [
        "_.debug/elf-buildid-sym-\(Self.buildId)/_.debug",
        "foo.so/elf-buildid-\(Self.buildId)/foo.so",
      ])
  }

  @Test func ssqpHasLowercaseNames() {
    expectEqual(
      paths(.ssqp, Self.buildId, name: "Foo.SO").last, "foo.so/elf-buildid-\(Self.buildId)/foo.so")
  }

  @Test func index2HasAFolderInFront() {
    expectEqual(
      paths(.index2, Self.buildId, name: "foo.so"),
      [
        "_/_.debug/elf-buildid-sym-\(Self.buildId)/_.debug",
        "fo/foo.so/elf-buildid-\(Self.buildId)/foo.so",
      ])
    expectEqual(paths(.index2, Self.buildId, name: "f").last, "f/f/elf-buildid-\(Self.buildId)/f")
  }

  /// One file for an image: a UUID as it stands, of a build-id 16 bytes as a little-endian GUID.
  @Test func breakpadAlone() {
    expectEqual(
      paths(.breakpad, Self.uuid, name: "Foo"), ["Foo/497B72F6390A44FC878E5A2D63B6CC4B0/Foo.sym"])
    expectEqual(
      paths(.breakpad, Self.buildId, name: "foo.so"),
      ["foo.so/3D370A18FB6AF0ABEB1F09BE1BC45BD70/foo.so.sym"])
  }

  @Test func unified() {
    let folder = "49/7b72f6390a44fc878e5a2d63b6cc4b/"
    expectEqual(
      paths(.unified, Self.uuid, name: "Foo"),
      ["debuginfo", "executable", "breakpad"].map { folder + $0 })
  }

  @Test func nativeMachOIsInLldbsFolders() {
    let found = paths(.native, Self.uuid, name: "Foo")
    expectEqual(found.first, "497B/72F6/390A/44FC/878E/5A2D63B6CC4B")
    expectContains(found, "497B/72F6/390A/44FC/878E/5A2D63B6CC4B.app")
    expectContains(found, "Foo/497B72F6390A44FC878E5A2D63B6CC4B0/Foo.sym")
  }

  /// The GUID was swapped by hand: 180a373d 6afb abf0 is 3d370a18 fb6a f0ab.
  @Test func nativeElfIsByBuildId() {
    expectEqual(
      paths(.native, Self.buildId, name: "foo.so"),
      [
        "18/0a373d6afbabf0eb1f09be1bc45bd796a71085.debug",
        "18/0a373d6afbabf0eb1f09be1bc45bd796a71085",
        "foo.so/3D370A18FB6AF0ABEB1F09BE1BC45BD70/foo.so.sym",
      ])
  }

  @Test func debuginfod() {
    expectEqual(
      paths(.debuginfod, Self.buildId, name: "foo.so"),
      ["debuginfo", "executable"].map { "buildid/\(Self.buildId)/\($0)" })
  }

  @Test(arguments: SymbolLayout.allCases)
  func namesThatLeadElsewhereAreNotUsed(layout: SymbolLayout) {
    for name in ["..", ".", "", "a/b", "a\u{0}b", "a\nb", "/etc/passwd"] {
      for path in paths(layout, Self.uuid, name: name) {
        expectFalse(path.split(separator: "/").contains(".."))
        expectFalse(path.contains("passwd"))
        expectFalse(path.contains("a/b"))
        expectFalse(path.contains("\n"))
      }
    }
  }

  @Test(arguments: SymbolLayout.allCases)
  func withoutAnIdentityThereAreNoPaths(layout: SymbolLayout) {
    let image = ImageDescription(identity: nil, architecture: nil, names: ["Foo"])
    expectEmpty(layout.files(for: image))
  }
}
