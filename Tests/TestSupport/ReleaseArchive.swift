import Foundation

/// An archive of Xcode as a release build leaves it, put together from fixtures:
/// `Ledger.xcarchive` with an app, a framework, a Swift library, and the dSYMs of the first two.
public final class ReleaseArchive {
  public let directory: TemporaryDirectory

  public static let app = "Ledger.xcarchive/Products/Applications/Ledger.app"
  public static let framework = app + "/Frameworks/Inlines.framework"
  public static let appDsym = "Ledger.xcarchive/dSYMs/Ledger.app.dSYM"
  public static let frameworkDsym = "Ledger.xcarchive/dSYMs/Inlines.framework.dSYM"
  public static let dwarfFolder = "/Contents/Resources/DWARF"
  public static let appDwarf = appDsym + dwarfFolder + "/ledger"
  public static let frameworkDwarf = frameworkDsym + dwarfFolder + "/Inlines"

  public static let appUuid = "4C4C44C6-5555-3144-A165-519FBE5C73F3"
  public static let frameworkUuid = "4C4C440B-5555-3144-A174-35F176083CD8"
  public static let libraryUuid = "4C4C4414-5555-3144-A15F-E299962BFAF0"

  public static let program = Fixtures.path("DebugMap/arm64-dwarf5/ledger")

  public init() throws {
    directory = try TemporaryDirectory()
    for folder in [
      Self.framework, Self.appDsym + Self.dwarfFolder, Self.frameworkDsym + Self.dwarfFolder,
      "Ledger.xcarchive/BCSymbolMaps",
    ] {
      try directory.makeDirectory(folder)
    }
    try directory.write(Self.propertyList.utf8, to: "Ledger.xcarchive/Info.plist")
    try directory.write(Self.propertyList.utf8, to: Self.app + "/Info.plist")
    try directory.write(Self.propertyList.utf8, to: Self.appDsym + "/Contents/Info.plist")
    try directory.copy(Self.program, to: Self.app + "/ledger")
    try directory.copy(Fixtures.path("DebugMap/swift/Inlines"), to: Self.framework + "/Inlines")
    try directory.copy(
      Fixtures.path("MachO/libshapes.dylib"), to: Self.app + "/Frameworks/libswiftCore.dylib")
    try directory.copy(
      Fixtures.path("DebugMap/arm64-dwarf5.dSYM" + Self.dwarfFolder + "/ledger"), to: Self.appDwarf)
    try directory.copy(
      Fixtures.path("Inlines/Inlines.dSYM" + Self.dwarfFolder + "/Inlines"),
      to: Self.frameworkDwarf)
  }

  public var path: String { directory.path("Ledger.xcarchive") }

  public func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: directory.path(name))
  }

  /// Changes a Mach-O file in place.
  public func patch(_ name: String, _ change: (inout MachOPatch) -> Void) throws {
    var patch = try MachOPatch(contentsOf: directory.path(name))
    change(&patch)
    try directory.write(patch.bytes, to: name)
  }

  private static let propertyList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>CFBundleIdentifier</key>
    \t<string>com.example.Ledger</string>
    \t<key>CFBundleShortVersionString</key>
    \t<string>1.2</string>
    \t<key>CFBundleVersion</key>
    \t<string>34</string>
    </dict>
    </plist>

    """
}
