import DwarfReader
import ObjectFiles
import SymbolicationModel

/// One object file to which a debug map leads, opened when something is asked of it for the first time.
/// It belongs to one owner at a time.
final class DebugMapObject {
  private let object: DebugMap.Object
  private let files: DebugMapFiles
  private let makeReader: DebugMapReader.MakeReader
  private lazy var content: Content? = open()
  private(set) var wasAsked = false
  /// The search, where it did not lead to a file that can be used.
  private(set) var failedSearch: DebugFileSearch?
  private var ownProblems: [SymbolFileProblem] = []

  private struct Content {
    let file: ObjectFile
    let reader: any DwarfReading
    let symbols: [String: LinkAddress?]

    func symbol(_ name: String) -> LinkAddress? { symbols[name] ?? nil }
  }

  init(
    _ object: DebugMap.Object, _ files: DebugMapFiles,
    makeReader: @escaping DebugMapReader.MakeReader
  ) {
    self.object = object
    self.files = files
    self.makeReader = makeReader
  }

  /// The path of the file, in the form of the debug map, where it is in use.
  var path: String? {
    wasAsked = true
    return content?.file.path
  }

  /// What could not be read, in the order in which it was met.
  var faults: [DwarfReadError] { wasAsked ? content?.reader.faults ?? [] : [] }

  var problems: [SymbolFileProblem] {
    guard wasAsked, let content else { return ownProblems }
    return ownProblems + faults.map { SymbolFileProblem($0, path: content.file.path) }
  }

  /// What is at `distance` from the start of the symbol of `function`, and where that symbol is.
  func answer(
    at distance: UInt64, in function: DebugMap.Function
  ) throws(DwarfReadError) -> (answer: DwarfAnswer, symbol: LinkAddress)? {
    wasAsked = true
    guard let content, let symbol = content.symbol(function.name),
      let answer = try content.reader.answer(at: LinkAddress(symbol.value &+ distance))
    else { return nil }
    // Between a function's end and the next symbol is padding, which has a row only because rows go on
    // to the next function; dsymutil leaves it out. Code without functions at all (assembly) has rows of its own.
    if answer.frames.isEmpty, distance > 0,
      try content.reader.answer(at: symbol)?.frames.isEmpty == false
    {
      return nil
    }
    if let found = answer.frames.last, found.range.lowerBound == symbol,
      let length = found.range.upperBound.distance(from: symbol),
      let linked = function.addresses.upperBound.distance(from: function.addresses.lowerBound),
      length > linked
    {
      // Debug maps often have no time. What is longer than what was linked is other code.
      refuse(
        content.file.path, .otherLength(function: function.name, found: length, expected: linked))
      return nil
    }
    return (answer, symbol)
  }

  private func refuse(_ path: String, _ finding: DebugFileSearch.Finding) {
    guard failedSearch == nil else { return }
    failedSearch = DebugFileSearch(
      purpose: .debugMapObject, name: path.lastPathComponent,
      attempts: [DebugFileSearch.Attempt(path: path, finding: finding)])
  }

  /// Announces places of which some `answer` will be asked.
  func prepare(for places: [(distance: UInt64, symbol: String)], jobs: Int) {
    wasAsked = true
    guard let content else { return }
    let addresses = Set(
      places.compactMap { place in
        content.symbol(place.symbol).map { LinkAddress($0.value &+ place.distance) }
      })
    content.reader.prepare(for: addresses.sorted(), jobs: jobs)
  }

  private func open() -> Content? {
    let file: ObjectFile
    switch files.open(object) {
    case .found(let found): file = found
    case .notFound(let search):
      failedSearch = search
      return nil
    }
    ownProblems += file.faults.map { SymbolFileProblem($0) }
    do {
      let symbols = try file.codeSymbolAddresses()
      let sections = DwarfSections(file, problems: &ownProblems)
      return Content(file: file, reader: try makeReader(sections), symbols: symbols)
    } catch let error as DwarfReadError {
      ownProblems.append(SymbolFileProblem(error, path: file.path))
    } catch let error as ObjectFileError {
      ownProblems.append(SymbolFileProblem(error))
    } catch {}
    return nil
  }
}
