import BinaryInput
import SymbolicationModel

/// A Breakpad symbol file, read for what its head states about the image. `BreakpadSymbols` reads
/// the records after it.
struct BreakpadOutline: StandaloneHead {
  private let region: ByteRegion

  static let size = BreakpadModule.headLimit

  init(_ region: ByteRegion) { self.region = region }

  var isSelfContained: Bool { true }

  /// Throws `unrecognized` if the file does not begin with a sound `MODULE` record.
  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile {
    guard let module = BreakpadModule(region.prefix(BreakpadModule.headLimit)) else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: region.prefix(8)))
    }
    var file = ObjectFile(
      path: path, format: .breakpad, fileType: .debugSymbols, architecture: module.architecture,
      identity: module.identity, byteOrder: .little,
      addressSize: module.architecture.is32Bit ? 4 : 8, segments: [], sections: [], faults: [],
      region: region, symbolTableSource: .none)
    // Addresses are relative to the start of the image.
    file.standaloneLinkBase = LinkAddress(0)
    file.moduleName = module.name.isEmpty ? nil : module.name
    file.isIdentityPrefix = module.isIdentityPrefix
    return file
  }
}
