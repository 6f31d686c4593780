import BinaryInput
import CoreSymbolication
import LearntNames
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
