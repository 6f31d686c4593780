import CrashLogParser
package import SymbolStore
package import SymbolicationModel
import Wording

/// An image in which frames of a report lie.
///
/// A class, because every frame has one: a frame keeps a reference, and images that many frames
/// share compare and hash in one step.
package final class ReportImage: Hashable, Sendable {
  private let content: Content
  /// Nil if no frame is known to lie in the image, too. Then nearly nobody asks for it.
  private let keptFileName: String?
  /// Whether the image is part of the operating system or a simulator. App developers have no
  /// symbol files for these.
  package let belongsToSystem: Bool
  /// Whether the lowest bit of an address marks Thumb code; nil if the architecture is unknown.
  let hasThumb: Bool?
  /// The index in the report's list; nil if only frames mention the image. Equal images may have
  /// different ones.
  let listIndex: Int?
  /// Nil if no frame is known to lie in the image. Then nearly nobody looks it up.
  private let contentHash: Int?

  private init(_ content: Content, at listIndex: Int?, isOfFrames: Bool) {
    self.content = content
    self.listIndex = listIndex
    keptFileName = isOfFrames ? content.path?.lastPathComponent : nil
    belongsToSystem = content.belongsToSystem
    hasThumb = content.architecture?.hasThumb
    contentHash = isOfFrames ? content.hashValue : nil
  }

  /// An image that the report lists. Nil for an entry that stands for no image of its own.
  ///
  /// - Parameter isOfFrames: whether frames lie in it.
  convenience init?(
    _ image: BinaryImage, at listIndex: Int, reportArchitecture: Architecture?,
    isOfFrames: Bool = true
  ) {
    guard image.kind == .image else { return nil }
    let path = image.path
    self.init(
      Content(
        name: image.name ?? path?.lastPathComponent ?? image.bundleIdentifier ?? unknownImageName,
        loadAddress: image.loadAddress, identity: image.identity,
        architecture: image.architecture ?? reportArchitecture, path: path, isListed: true),
      at: listIndex, isOfFrames: isOfFrames)
  }

  /// An image known only from a frame's `NAME … 0xLOAD + offset`.
  convenience init(name: String, loadAddress: LoadAddress, reportArchitecture: Architecture?) {
    self.init(
      Content(
        name: name, loadAddress: loadAddress, identity: nil, architecture: reportArchitecture,
        path: nil, isListed: false),
      at: nil, isOfFrames: true)
  }

  /// What a report says about an image.
  package struct Content: Hashable, Sendable {
    let name: String
    let loadAddress: LoadAddress
    let identity: ImageIdentity?
    let architecture: Architecture?
    let path: String?
    let isListed: Bool
  }

  /// As the report names it.
  package var name: String { content.name }
  /// The last component of the path.
  package var fileName: String? { keptFileName ?? path?.lastPathComponent }
  package var loadAddress: LoadAddress { content.loadAddress }
  package var identity: ImageIdentity? { content.identity }
  package var architecture: Architecture? { content.architecture }
  /// Nil if the report does not state it.
  package var path: String? { content.path }
  /// Whether the report lists the image; if not, only its frames mention it.
  package var isListed: Bool { content.isListed }

  package static func == (left: ReportImage, right: ReportImage) -> Bool {
    left === right
      || left.contentHashValue == right.contentHashValue && left.content == right.content
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(contentHashValue) }

  private var contentHashValue: Int { contentHash ?? content.hashValue }

  package var description: ImageDescription {
    var names: Set = [name]
    // Reports of macOS 11 and earlier show bundle identifiers; the file name is in the path.
    if let fileName { names.insert(fileName) }
    if identity == nil { names.formUnion(name.namesOfSymbols) }
    return ImageDescription(
      identity: identity, architecture: architecture, names: names,
      isOfAppleSystem: isOfAppleSystem)
  }

  /// Whether it is a part of Apple's system. A path with a way out of its folders is none of one.
  package var isOfAppleSystem: Bool {
    belongsToSystem && system == .apple
      && !(path.map { $0.hasBytes(of: "..") && $0.split(separator: "/").contains("..") } ?? false)
  }
}

extension ReportImage.Content {
  /// Whether the image is part of the operating system or a simulator.
  ///
  /// A complete path decides. If the path is missing or cut (`/Volumes/VOLUME/*/libobjc.A.dylib`),
  /// the address decides: the system maps its shared library cache, and nothing else, into a region
  /// of its own (XNU's `SHARED_REGION_BASE_ARM64` 0x180000000 and `SHARED_REGION_BASE_X86_64`
  /// 0x7ff800000000, formerly 0x7fff00000000). Libraries of old systems and of simulators lie
  /// elsewhere; they are recognised by names that only system libraries have.
  var belongsToSystem: Bool {
    if let path {
      if Self.systemFolders.contains(where: { path.hasPrefixBytes($0) })
        || Self.foldersWithinSystems.contains(where: { path.hasBytes(of: $0) })
      {
        return true
      }
      guard isPathCut else { return false }
    }
    return isInKernel || isInSharedCacheRegion || Self.isSystemName(path?.lastPathComponent ?? name)
  }

  /// Whether the report hides part of the path: Apple's writer puts `*` in place of folders that
  /// could identify the user, and `???` if it knows no path.
  private var isPathCut: Bool {
    guard let path else { return true }
    return path.hasPrefix("*/") || path.hasBytes(of: "/*/") || !path.hasBytes(of: "/")
  }

  /// The kernel and its extensions are in the upper half of the addresses.
  private var isInKernel: Bool { loadAddress.value >= 1 << 63 }

  private var isInSharedCacheRegion: Bool {
    Self.isInSharedCacheRegion(loadAddress, architecture)
  }

  /// - Parameter architecture: nil if it is unknown; then the regions of all count.
  package static func isInSharedCacheRegion(
    _ address: LoadAddress, _ architecture: Architecture?
  ) -> Bool {
    sharedCacheRegions.contains { architectures, region in
      architecture.map { architectures.contains($0) } ?? true && region.contains(address.value)
    }
  }

  /// Swift's libraries do not count: apps for systems before iOS 12.2 and macOS 10.14.4 bring their
  /// own.
  package static func isSystemName(_ name: String) -> Bool {
    systemNames.contains(name) || (name.hasPrefix("libsystem_") && name.hasSuffix(".dylib"))
  }

  private static let systemFolders = [
    "/System/", "/usr/lib/", "/usr/libexec/", "/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/",
    "/Library/Apple/", "/private/preboot/", "/Developer/", "/lib/", "/lib64/",
  ]
  /// Folders of simulator runtimes and old SDKs, wherever Xcode is installed.
  private static let foldersWithinSystems = [
    "/RuntimeRoot/", ".platform/Developer/", "/usr/lib/swift/linux/",
  ]
  private static let sharedCacheRegions: [(architectures: Set<Architecture>, Range<UInt64>)] = [
    ([.arm64, .arm64e], 0x1_8000_0000..<0x3_0000_0000),
    ([.x86_64, .x86_64h], 0x7ff8_0000_0000..<0x8000_0000_0000),
  ]
  private static let systemNames: Set = [
    "dyld", "dyld_sim", "libdyld.dylib", "libSystem.B.dylib", "libobjc.A.dylib",
    "libdispatch.dylib",
    "libxpc.dylib", "libc++.1.dylib", "libc++abi.dylib", "libstdc++.6.dylib", "CoreFoundation",
    "Foundation", "CFNetwork", "UIKit", "UIKitCore", "AppKit", "QuartzCore", "CoreGraphics",
    "GraphicsServices", "SwiftUI", "SwiftUICore", "AttributeGraph", "Security", "XCTest",
    "XCTestCore", "XCTestSupport", "XCTAutomationSupport", "XCUIAutomation",
    "libobjc-trampolines.dylib", "libMainThreadChecker.dylib",
  ]
}

extension ReportImage {
  /// The system that it is part of, if it is part of one.
  package var system: ImageDiagnosis.System { isFromLinux ? .linux : .apple }

  /// Whether it is an ELF library: its name, or the size of its build-id, says so.
  var isFromLinux: Bool {
    name.hasBytes(of: ".so") || identity.map { $0.bytes.count != 16 } == true
      || path.map { $0.hasPrefix("/lib") || $0.hasBytes(of: ".so") } == true
  }
}

extension String {
  /// What Unity and Flutter call the file with the symbols of a library.
  var namesOfSymbols: [String] {
    guard hasSuffix(".so") else { return [] }
    let names = ["sym.so", "dbg.so", "so.debug"].map { "\(dropLast(2))\($0)" }
    guard self == "app.so" else { return names }
    return names + ["arm64", "arm", "x64"].map { "app.android-\($0).symbols" }
  }
}
