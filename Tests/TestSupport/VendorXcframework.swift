import Foundation

/// `Inlines.xcframework`, put together from fixtures: the framework for devices, without a dSYM,
/// and the one for the simulator, with a dSYM of its own.
public struct VendorXcframework {
  public let directory: TemporaryDirectory

  public static let name = "Inlines.xcframework"
  public static let device = name + "/ios-arm64"
  public static let simulator = name + "/ios-arm64-simulator"
  public static let deviceUuid = ReleaseArchive.frameworkUuid
  public static let simulatorUuid = "00010203-0405-0607-0809-0A0B0C0D0E0F"

  /// - Parameter debugSymbolsPath: what the `Info.plist` states for devices.
  public init(
    in directory: TemporaryDirectory? = nil, debugSymbolsPath: String? = nil
  ) throws {
    self.directory = try directory ?? TemporaryDirectory()
    for folder in [Self.device, Self.simulator] {
      try self.directory.makeDirectory(folder + "/Inlines.framework")
      try self.directory.copy(
        Fixtures.path("DebugMap/swift/Inlines"), to: folder + "/Inlines.framework/Inlines")
    }
    try addDsym(to: Self.simulator)
    let dwarf = Self.simulator + "/dSYMs/Inlines.framework.dSYM/Contents/Resources/DWARF/Inlines"
    for file in [Self.simulator + "/Inlines.framework/Inlines", dwarf] {
      var patch = try MachOPatch(contentsOf: self.directory.path(file))
      patch.setUuid(Array(0..<16))
      try self.directory.write(patch.bytes, to: file)
    }
    try write(debugSymbolsPath: debugSymbolsPath)
  }

  public var path: String { directory.path(Self.name) }

  /// Adds the dSYM for devices to the folder `dSYMs` of a library.
  public func addDsym(to library: String) throws {
    try directory.makeDirectory(library + "/dSYMs")
    try directory.copy(
      Fixtures.path("Inlines/Inlines.dSYM"), to: library + "/dSYMs/Inlines.framework.dSYM")
  }

  /// Writes the `Info.plist`, with the keys that xcodebuild writes.
  public func write(debugSymbolsPath: String?) throws {
    func library(_ identifier: String, _ debugSymbolsPath: String?, _ more: String = "") -> String {
      let path = debugSymbolsPath.map { "<key>DebugSymbolsPath</key><string>\($0)</string>" } ?? ""
      return """
        <dict><key>BinaryPath</key><string>Inlines.framework/Inlines</string>\(path)
        <key>LibraryIdentifier</key><string>\(identifier)</string>
        <key>LibraryPath</key><string>Inlines.framework</string>
        <key>SupportedArchitectures</key><array><string>arm64</string></array>
        <key>SupportedPlatform</key><string>ios</string>\(more)</dict>
        """
    }
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>AvailableLibraries</key><array>
      \(library("ios-arm64", debugSymbolsPath))
      \(library(
        "ios-arm64-simulator", "dSYMs",
        "<key>SupportedPlatformVariant</key><string>simulator</string>"))
      </array><key>CFBundlePackageType</key><string>XFWK</string>
      <key>XCFrameworkFormatVersion</key><string>1.0</string></dict></plist>

      """
    try directory.write(list.utf8, to: Self.name + "/Info.plist")
  }
}
