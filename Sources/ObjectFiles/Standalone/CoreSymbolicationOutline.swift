import BinaryInput
import CoreSymbolication
import SymbolicationModel

/// Apple's `.symbols` file, read for what its heads state about the image.
struct CoreSymbolicationOutline: StandaloneHead {
  private let region: ByteRegion

  /// The heads are checked against the size of the file.
  static let size = 64

  init(_ region: ByteRegion) { self.region = region }

  var isSelfContained: Bool { false }

  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile {
    let file: CoreSymbolicationFile
    do {
      file = try CoreSymbolicationFile(region, path: path)
    } catch {
      throw ObjectFileError(path: path, reason: .standalone(error.kind))
    }
    var object = ObjectFile(
      path: path, format: .coreSymbolication, fileType: .debugSymbols,
      architecture: file.architecture, identity: file.identity, byteOrder: .little,
      addressSize: file.architecture.is32Bit ? 4 : 8, segments: [], sections: [], faults: [],
      region: region, symbolTableSource: .none)
    object.standaloneLinkBase = file.linkBase
    let name = file.sourcePath.lastPathComponent
    object.moduleName = name.isEmpty ? nil : name
    return object
  }
}
