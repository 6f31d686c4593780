import BinaryInput
import LearntNames
import SymbolicationModel

/// A file of learnt names, read for what its head states about the image.
struct LearntOutline: StandaloneHead {
  private let region: ByteRegion

  /// The head is checked against the size of the file, and the file against its checksum.
  static let size = 64

  init(_ region: ByteRegion) { self.region = region }

  var isSelfContained: Bool { false }

  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile {
    let file: LearntFile
    do {
      file = try LearntFile(region, path: path)
      try file.checkContent(path: path)
    } catch {
      if case .notASymbolFile(let bytes) = error.kind {
        throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: bytes))
      }
      throw ObjectFileError(path: path, reason: .standalone(error.kind))
    }
    let architecture =
      file.architecture.isEmpty ? .unknown : Architecture(name: file.architecture)
    var object = ObjectFile(
      path: path, format: .learnt, fileType: .debugSymbols, architecture: architecture,
      identity: file.identity, byteOrder: .little, addressSize: architecture.is32Bit ? 4 : 8,
      segments: [], sections: [], faults: [], region: region, symbolTableSource: .none)
    // Addresses are relative to the start of the image.
    object.standaloneLinkBase = LinkAddress(0)
    object.moduleName = file.imageName.isEmpty ? nil : file.imageName
    object.reportCount = file.reportCount
    return object
  }
}
