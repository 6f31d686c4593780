import CoreSymbolication
import Demangling
import LearntNames
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

/// The functions and lines of Apple's `.symbols` file.
final class CoreSymbolicationSource: StandaloneSource {
  private let objectFile: ObjectFile
  private let problemList: ProblemList
  /// Nil if the file cannot be opened any more.
  private(set) lazy var file: CoreSymbolicationFile? = open()
  /// One long text may be that of all symbols, or of all lines. Each is made once.
  private var names: [CoreSymbolicationFile.TextPlace: (raw: String, shown: String)] = [:]
  private var paths: [CoreSymbolicationFile.TextPlace: String] = [:]

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
    let name = name(at: symbol.name, file, &demangler)
    let location = file.location(of: address).map { location in
      SourceLocation(
        path: path(at: location.path, file), line: location.line, column: location.column)
    }
    return .whole(
      ResolvedAddress(
        inlinedFrames: [],
        function: ResolvedFrame(
          name: name.shown, rawName: name.raw, location: location, rangeStart: symbol.start),
        origin: .coreSymbolication))
  }

  private func name(
    at place: CoreSymbolicationFile.TextPlace, _ file: CoreSymbolicationFile,
    _ demangler: inout SymbolDemangler
  ) -> (raw: String, shown: String) {
    if let name = names[place] { return name }
    let raw = file.name(at: place)
    let name = (raw, demangler.shownName(of: raw, isMachOSymbol: true))
    if raw.utf8.count > Self.longText { names[place] = name }
    return name
  }

  private func path(
    at place: CoreSymbolicationFile.TextPlace, _ file: CoreSymbolicationFile
  ) -> String {
    if let path = paths[place] { return path }
    let path = file.path(at: place)
    if path.utf8.count > Self.longText { paths[place] = path }
    return path
  }

  /// Texts with more bytes are kept. They do not overlap (`ByteRegion.sharedNameSize`), so all
  /// together have no more bytes than the file.
  private static let longText = 1024

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
