import DwarfReader
import ObjectFiles
import SymbolStore
import SymbolicationModel

/// One object file to which a debug map leads. It is opened when it is first asked about something.
/// It belongs to one owner at a time.
final class DebugMapObject {
  private let request: SymbolFileRequest
  private let store: SymbolStore
  private let makeReader: DebugMapReader.MakeReader
  private lazy var content: Content? = open()
  private(set) var wasAsked = false
  /// The search for the file, if it led to none that can be used.
  private(set) var failedSearch: DebugFileSearch?
  private var ownProblems: [SymbolFileProblem] = []

  private struct Content {
    let file: ObjectFile
    let reader: any DwarfReading
    let symbols: [String: LinkAddress?]

    func symbol(_ name: String) -> LinkAddress? { symbols[name] ?? nil }
  }

  init(
    _ object: DebugMap.Object, of image: AskingFile, in store: SymbolStore,
    makeReader: @escaping DebugMapReader.MakeReader
  ) {
    self.request = SymbolFileRequest(.debugMapObject(object), for: image)
    self.store = store
    self.makeReader = makeReader
  }

  /// The path of the file as the debug map writes it; nil if the file cannot be used.
  var path: String? {
    wasAsked = true
    return content?.file.path
  }

  /// What could not be read, in the order in which it was found.
  var faults: [DwarfReadError] { wasAsked ? content?.reader.faults ?? [] : [] }

  var problems: [SymbolFileProblem] {
    guard wasAsked, let content else { return ownProblems }
    return ownProblems + faults.map { SymbolFileProblem($0, path: content.file.path) }
  }

  /// The answer at `distance` bytes from the start of the symbol of `function`, and where that
  /// symbol is.
  func answer(
    at distance: UInt64, in function: DebugMap.Function
  ) throws(DwarfReadError) -> (answer: DwarfAnswer, symbol: LinkAddress)? {
    wasAsked = true
    guard let content, let symbol = content.symbol(function.name),
      let answer = try content.reader.answer(at: LinkAddress(symbol.value &+ distance))
    else { return nil }
    // The padding between a function's end and the next symbol has a row only because rows reach to
    // the next function; dsymutil leaves it out. Code without functions (assembly) has rows of its
    // own.
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
      // Debug maps often have no time. A function longer than the one that was linked is other
      // code.
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

  /// Decodes what `answer` needs for these symbols and distances.
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
    let answer = store.locate(request)
    guard let file = answer.file else {
      failedSearch = DebugFileSearch(
        purpose: .debugMapObject, name: request.name, attempts: answer.refused)
      return nil
    }
    ownProblems += file.faults.map { SymbolFileProblem($0) }
    do {
      let symbols = try file.codeSymbolAddresses()
      let sections = DwarfSections(file, limits: store.limits, problems: &ownProblems)
      return Content(file: file, reader: try makeReader(sections), symbols: symbols)
    } catch let error as DwarfReadError {
      ownProblems.append(SymbolFileProblem(error, path: file.path))
    } catch let error as ObjectFileError {
      ownProblems.append(SymbolFileProblem(error))
    } catch {}
    return nil
  }
}
