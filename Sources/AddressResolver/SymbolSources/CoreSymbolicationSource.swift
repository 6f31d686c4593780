import CoreSymbolication
import Demangling
import ObjectFiles
import SymbolicationModel

/// The functions and lines of Apple's `.symbols` file.
final class CoreSymbolicationSource: StandaloneSource {
  private let objectFile: ObjectFile
  private let problemList: ProblemList
  /// Nil if the file cannot be opened any more.
  private(set) lazy var file: CoreSymbolicationFile? = open()

  init(_ files: ImageFiles, problems: ProblemList) {
    objectFile = files.objectFile
    problemList = problems
  }

  var outline: any ImageOutline {
    let extent = file.flatMap { file in
      let end = file.linkBase.value.addingReportingOverflow(file.textSize)
      return end.overflow ? nil : file.linkBase..<LinkAddress(end.partialValue)
    }
    return StandaloneOutline(objectFile: objectFile) { extent }
  }

  var hasAny: Bool { file?.isEmpty == false }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    guard let file, let symbol = file.symbol(at: address) else { return .none }
    return .whole(
      ResolvedAddress(
        inlinedFrames: [],
        function: ResolvedFrame(
          name: demangler.shownName(of: symbol.name, isMachOSymbol: true), rawName: symbol.name,
          location: file.location(of: address), rangeStart: symbol.start),
        origin: .coreSymbolication))
  }

  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] { addresses }

  /// All of them are in the resolver's list.
  var problems: [SymbolFileProblem] { [] }

  private func open() -> CoreSymbolicationFile? {
    guard let bytes = objectFile.content(as: .coreSymbolication) else { return nil }
    do throws(SymbolFileProblem) {
      let file = try CoreSymbolicationFile(bytes, path: objectFile.path)
      for fault in file.faults {
        problemList.add(
          SymbolFileProblem(
            path: objectFile.path,
            kind: .unreadableDebugInformation(
              section: "the CoreSymbolication symbols", offset: fault.offset,
              detail: fault.detail)))
      }
      return file
    } catch {
      problemList.add(error)
      return nil
    }
  }
}
