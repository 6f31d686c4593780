import CrashLogParser
package import SymbolStore
package import SymbolicationModel

/// An image in which frames of a report lie.
///
/// A class, because every frame has one: a frame keeps a reference, and images that many frames
/// share compare and hash in one step.
package final class ReportImage: Hashable, Sendable {
  /// As the report names it.
  package let name: String
  package let loadAddress: LoadAddress
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  /// Nil if the report does not state it.
  package let path: String?
  /// The last component of the path.
  package let fileName: String?
  /// Whether the report lists the image; if not, only its frames mention it.
  package let isListed: Bool
  /// Whether the image is part of the operating system or a simulator. App developers have no
  /// symbol files for these.
  package let belongsToSystem: Bool
  /// Whether the lowest bit of an address marks Thumb code; nil if the architecture is unknown.
  let hasThumb: Bool?
  private let contentHash: Int

  private init(_ content: Content) {
    name = content.name
    loadAddress = content.loadAddress
    identity = content.identity
    architecture = content.architecture
    path = content.path
    fileName = content.path?.lastPathComponent
    isListed = content.isListed
    belongsToSystem = content.belongsToSystem
    hasThumb = content.architecture?.hasThumb
    contentHash = content.hashValue
  }

  /// An image that the report lists. Nil for an entry that stands for no image of its own.
  convenience init?(_ image: BinaryImage, reportArchitecture: Architecture?) {
    guard image.kind == .image else { return nil }
    let path = image.path
    self.init(
      Content(
        name: image.name ?? path?.lastPathComponent ?? image.bundleIdentifier ?? unknownImageName,
        loadAddress: image.loadAddress, identity: image.identity,
        architecture: image.architecture ?? reportArchitecture, path: path, isListed: true))
  }

  /// An image known only from a frame's `NAME … 0xLOAD + offset`.
  convenience init(name: String, loadAddress: LoadAddress, reportArchitecture: Architecture?) {
    self.init(
      Content(
        name: name, loadAddress: loadAddress, identity: nil, architecture: reportArchitecture,
        path: nil, isListed: false))
  }

  /// What a report says about an image.
  package struct Content: Hashable {
    package let name: String
    let loadAddress: LoadAddress
    package let identity: ImageIdentity?
    package let architecture: Architecture?
    package let path: String?
    let isListed: Bool
  }

  private var content: Content {
    Content(
      name: name, loadAddress: loadAddress, identity: identity, architecture: architecture,
      path: path, isListed: isListed)
  }

  package static func == (left: ReportImage, right: ReportImage) -> Bool {
    left === right || left.contentHash == right.contentHash && left.content == right.content
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(contentHash) }

  package var description: ImageDescription {
    var names: Set = [name]
    // Reports of macOS 11 and earlier show bundle identifiers; the file name is in the path.
    if let fileName { names.insert(fileName) }
    return ImageDescription(identity: identity, architecture: architecture, names: names)
  }
}
