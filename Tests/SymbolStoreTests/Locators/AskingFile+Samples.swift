import BinaryInput
import SymbolicationModel
import TestSupport

@testable import ObjectFiles
@testable import SymbolStore

extension AskingFile {
  /// An ELF library that seems to lie at `path`.
  static func elf(
    at path: String, realPath: String? = nil, buildId: [UInt8] = []
  ) throws -> AskingFile {
    let region = ByteRegion(copying: TinyElf.bytes(buildId: buildId))
    let file = try ObjectContainer.parse(region, path: path).preferredObjectFile(for: nil)
    return AskingFile(file, realPath: realPath)
  }

  /// A Mach-O file that seems to lie at `path`.
  static func machO(at path: String, realPath: String?) throws -> AskingFile {
    let region = ByteRegion(copying: try Fixtures.bytes(of: Fixtures.storyDwarfFile))
    let file = try ObjectContainer.parse(region, path: path).preferredObjectFile(for: nil)
    return AskingFile(file, realPath: realPath)
  }
}

extension SymbolStore {
  /// The paths at which a store looks for the file, in its order.
  static func paths(
    for request: SymbolFileRequest, debugDirectories: [String] = ["/usr/lib/debug"]
  ) -> [String] {
    SymbolStore(debugDirectories: debugDirectories).locators
      .compactMap { $0 as? any PathLocator }
      .flatMap { $0.paths(for: request) }
      .withoutRepetitions
  }
}
