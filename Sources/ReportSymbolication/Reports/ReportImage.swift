import CrashLogParser
import SymbolStore
package import SymbolicationModel

/// An image of a report, in which frames lie.
package struct ReportImage: Hashable, Sendable {
  /// As the report names it.
  package let name: String
  package let loadAddress: LoadAddress
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  /// Nil where the report does not tell it.
  package let path: String?
  /// Whether the report has a line for the image; otherwise only its frames tell of it.
  package let isListed: Bool

  /// An image with a line of its own under `Binary Images`.
  init(_ image: BinaryImage, reportArchitecture: Architecture?) {
    self.name = image.name
    self.loadAddress = image.loadAddress
    self.identity = image.identity
    self.architecture = image.architecture ?? reportArchitecture
    self.path = image.path
    self.isListed = true
  }

  /// An image known only by a frame's `NAME … 0xLOAD + offset`.
  init(name: String, loadAddress: LoadAddress, reportArchitecture: Architecture?) {
    self.name = name
    self.loadAddress = loadAddress
    self.identity = nil
    self.architecture = reportArchitecture
    self.path = nil
    self.isListed = false
  }

  /// An image of a Swift backtrace.
  init(_ image: SwiftBacktraceImage, reportArchitecture: Architecture?) {
    self.name = image.name
    self.loadAddress = image.loadAddress
    self.identity = image.identity
    self.architecture = reportArchitecture
    self.path = image.path
    self.isListed = true
  }

  /// An entry of `usedImages`. Nil for one that stands for no image of its own: the shared cache as a
  /// whole, or addresses without an image.
  init?(_ image: IpsImage, reportArchitecture: Architecture?) {
    guard !image.isAbsolutePseudoImage, !image.isSharedCache else { return nil }
    self.name =
      image.name ?? image.path?.lastPathComponent
      ?? image.bundleIdentifier ?? "???"
    self.loadAddress = image.loadAddress
    self.identity = image.identity
    self.architecture = image.architecture ?? reportArchitecture
    self.path = image.path
    self.isListed = true
  }

  var description: ImageDescription {
    var names: Set = [name]
    // Reports of macOS 11 and earlier show bundle identifiers; the file's name is in the path.
    if let path { names.insert(path.lastPathComponent) }
    return ImageDescription(identity: identity, architecture: architecture, names: names)
  }
}
