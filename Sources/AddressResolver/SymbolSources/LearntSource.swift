import Demangling
import LearntNames
import ObjectFiles
import SymbolicationModel

/// The names that were learnt from reports.
final class LearntSource: StandaloneSource {
  private let objectFile: ObjectFile
  /// Opened before with everything that it states: nil does not happen.
  private lazy var file: LearntFile? = objectFile.content(as: .learnt).flatMap {
    try? LearntFile($0, path: objectFile.path)
  }

  init(_ files: ImageFiles) { objectFile = files.objectFile }

  var outline: any ImageOutline {
    let extent = file.map { LinkAddress(0)..<LinkAddress($0.end) }
    return StandaloneOutline(objectFile: objectFile) { extent }
  }

  var hasAny: Bool { file?.isEmpty == false }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    guard let found = file?.answer(at: address.value) else { return .none }
    return .whole(
      ResolvedAddress(
        inlinedFrames: [],
        function: ResolvedFrame(
          name: demangler.shownName(of: found.name, isMachOSymbol: false), rawName: found.name,
          location: nil, rangeStart: LinkAddress(found.start)),
        origin: .learnt))
  }

  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] { addresses }

  /// What is wrong with the file is found when it is opened.
  var problems: [SymbolFileProblem] { [] }
}
