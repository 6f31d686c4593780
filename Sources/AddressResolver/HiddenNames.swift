import Demangling
import DwarfReader
import ObjectFiles
import SymbolStore
import SymbolicationModel

/// Replaces the names that a build with bitcode hid (`__hidden#12_`) by those of the image's symbol
/// map: linkage names, plain names, directories and files.
///
/// The map is looked for at the first hidden name, and a name that cannot be replaced is a problem
/// of the image. What is not hidden is returned as it is.
final class HiddenNames {
  private let files: ImageFiles
  private let problemList: ProblemList
  private lazy var map: FoundSymbolMap? = find()

  init(_ files: ImageFiles, problems: ProblemList) {
    self.files = files
    self.problemList = problems
  }

  /// The real name, spelt as the symbol file would spell it.
  func revealed(_ name: String) -> String {
    guard let hidden = HiddenName(name), let map else { return name }
    if let name = map.map.name(of: hidden) { return name }
    add(.missingName(path: map.path, number: hidden.number, count: map.map.count))
    return name
  }

  /// Each component of a path is hidden for itself. A name that turns out to be absolute does not
  /// begin in the directory before it.
  func revealed(_ location: SourceLocation) -> SourceLocation {
    guard Self.isHidden(inPath: location.path) else { return location }
    var path = ""
    for (index, part) in location.path.split(separator: "/", omittingEmptySubsequences: false)
      .enumerated()
    {
      let written = String(part)
      let name = revealed(written)
      let isAbsolute = name.utf8.first == UInt8(ascii: "/") || name.isAbsoluteWindowsPath
      if index == 0 || (isAbsolute && name != written) {
        path = name
      } else {
        path += path.utf8.last == UInt8(ascii: "/") && index > 1 ? name : "/" + name
      }
    }
    return SourceLocation(path: path, line: location.line, column: location.column)
  }

  /// The answer with its frames, not with the line row of code without a function.
  func revealed(_ answer: DwarfAnswer) -> DwarfAnswer {
    guard answer.frames.contains(where: Self.isHidden) else { return answer }
    return answer.moved(revealed)
  }

  private static func isHidden(_ frame: DwarfFrame) -> Bool {
    frame.linkageName.map { HiddenName($0) != nil } == true
      || frame.name.map { HiddenName($0) != nil } == true
      || frame.location.map { isHidden(inPath: $0.path) } == true
  }

  static func areHidden(_ names: FunctionNames) -> Bool {
    (names.linkageName.map { isHidden($0) } ?? false) || (names.name.map { isHidden($0) } ?? false)
  }

  static func isHidden(_ name: String) -> Bool { HiddenName(name) != nil }

  private func revealed(_ frame: DwarfFrame) -> DwarfFrame {
    DwarfFrame(
      linkageName: frame.linkageName.map { revealed($0) }, name: frame.name.map { revealed($0) },
      location: frame.location.map { revealed($0) }, range: frame.range)
  }

  func revealed(_ code: ImageSymbols.NamedCode) -> ImageSymbols.NamedCode {
    guard HiddenName(code.symbol.rawName) != nil else { return code }
    return ImageSymbols.NamedCode(
      symbol: Symbol(
        rawName: revealed(code.symbol.rawName), addresses: code.symbol.addresses),
      origin: code.origin)
  }

  // MARK: Answers of an index

  func occur(in answer: ResolvedAddress) -> Bool {
    Self.isHidden(answer.function) || answer.inlinedFrames.contains(where: Self.isHidden)
  }

  private static func isHidden(_ frame: ResolvedFrame) -> Bool {
    HiddenName(frame.rawName) != nil || frame.location.map { isHidden(inPath: $0.path) } == true
  }

  func revealed(
    _ answer: ResolvedAddress, _ demangler: inout SymbolDemangler
  ) -> ResolvedAddress {
    func frame(_ frame: ResolvedFrame) -> ResolvedFrame {
      let rawName = revealed(frame.rawName)
      return ResolvedFrame(
        name: rawName == frame.rawName
          ? frame.name : demangler.shownName(of: rawName, isMachOSymbol: false),
        rawName: rawName, location: frame.location.map { revealed($0) },
        rangeStart: frame.rangeStart)
    }
    return ResolvedAddress(
      inlinedFrames: answer.inlinedFrames.map(frame), function: frame(answer.function),
      origin: answer.origin)
  }

  // MARK: The map

  static func isHidden(inPath path: String) -> Bool {
    path.utf8.contains(UInt8(ascii: "#"))
      && path.split(separator: "/").contains { HiddenName(String($0)) != nil }
  }

  private func find() -> FoundSymbolMap? {
    let asking = files.askingDebugFile
    switch files.store.symbolMap(
      for: asking, originalIdentity: files.dsymPropertyList?.originalIdentity)
    {
    case .found(let map): return map
    case .missing(let finding):
      add(finding)
      return nil
    }
  }

  private func add(_ finding: SymbolMapFinding) {
    let path = files.askingDebugFile.objectFile.path
    let isKnown = problemList.problems.contains { problem in
      guard problem.path == path, case .hiddenNames = problem.kind else { return false }
      return true
    }
    // One sentence for each symbol file.
    if !isKnown { problemList.add(SymbolFileProblem(path: path, kind: .hiddenNames(finding))) }
  }
}
