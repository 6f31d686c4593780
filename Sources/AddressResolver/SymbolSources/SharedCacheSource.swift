import Demangling
import ObjectFiles
import SymbolicationModel

/// The names of a library in a dyld shared cache.
final class SharedCacheSource: StandaloneSource {
  private let files: ImageFiles
  private let problemList: ProblemList
  /// Read when something is first asked for.
  private lazy var table: SymbolTable = read()

  init(_ files: ImageFiles, problems: ProblemList) {
    self.files = files
    self.problemList = problems
  }

  var outline: any ImageOutline { files.objectFile }

  var hasAny: Bool { table.count > 0 }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    guard let symbol = table.symbol(at: address) else { return .none }
    let name = symbol.nameWithoutUnderscore(.sharedCache)
    return .whole(
      ResolvedAddress(
        inlinedFrames: [],
        function: ResolvedFrame(
          name: demangler.shownName(of: name, isMachOSymbol: false), rawName: name, location: nil,
          rangeStart: symbol.addresses.lowerBound),
        origin: .symbolTable))
  }

  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] {
    addresses.filter { table.index(of: $0) == nil }
  }

  /// All of them are in the resolver's list.
  var problems: [SymbolFileProblem] { [] }

  private func read() -> SymbolTable {
    do throws(ObjectFileError) {
      guard let names = try files.objectFile.sharedCacheImage?.names() else { return .empty }
      for fault in names.faults { problemList.add(SymbolFileProblem(fault)) }
      return names.table
    } catch {
      problemList.add(SymbolFileProblem(error))
      return .empty
    }
  }
}
