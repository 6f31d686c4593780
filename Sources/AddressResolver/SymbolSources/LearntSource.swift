import Demangling
import LearntNames
import ObjectFiles
import SymbolicationModel

/// The names that were learnt from reports.
final class LearntSource: StandaloneSource {
  private let objectFile: ObjectFile
  private let problemList: ProblemList
  /// Nil if the file is damaged.
  private lazy var file: LearntFile? = open()

  init(_ files: ImageFiles, problems: ProblemList) {
    objectFile = files.objectFile
    problemList = problems
  }

  var outline: any ImageOutline {
    StandaloneOutline(
      objectFile: objectFile, extent: file.map { LinkAddress(0)..<LinkAddress($0.end) })
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

  /// All of them are in the resolver's list.
  var problems: [SymbolFileProblem] { [] }

  private func open() -> LearntFile? {
    guard let bytes = objectFile.content(as: .learnt) else { return nil }
    do throws(SymbolFileProblem) {
      let file = try LearntFile(bytes, path: objectFile.path)
      try file.checkContent(path: objectFile.path)
      return file
    } catch {
      problemList.add(error)
      return nil
    }
  }
}
