import CrashLogParser
import SymbolStore
package import SymbolicationModel

/// An image in which frames of a report lie.
package struct ReportImage: Hashable, Sendable {
  /// As the report names it.
  package let name: String
  package let loadAddress: LoadAddress
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  /// Nil if the report does not state it.
  package let path: String?
  /// Whether the report lists the image; if not, only its frames mention it.
  package let isListed: Bool

  /// An image that the report lists. Nil for an entry that stands for no image of its own.
  init?(_ image: BinaryImage, reportArchitecture: Architecture?) {
    guard image.kind == .image else { return nil }
    let path = image.path
    self.name =
      image.name ?? path?.lastPathComponent ?? image.bundleIdentifier ?? unknownImageName
    self.loadAddress = image.loadAddress
    self.identity = image.identity
    self.architecture = image.architecture ?? reportArchitecture
    self.path = path
    self.isListed = true
  }

  /// An image known only from a frame's `NAME … 0xLOAD + offset`.
  init(name: String, loadAddress: LoadAddress, reportArchitecture: Architecture?) {
    self.name = name
    self.loadAddress = loadAddress
    self.identity = nil
    self.architecture = reportArchitecture
    self.path = nil
    self.isListed = false
  }

  var description: ImageDescription {
    var names: Set = [name]
    // Reports of macOS 11 and earlier show bundle identifiers; the file name is in the path.
    if let path { names.insert(path.lastPathComponent) }
    return ImageDescription(identity: identity, architecture: architecture, names: names)
  }
}
