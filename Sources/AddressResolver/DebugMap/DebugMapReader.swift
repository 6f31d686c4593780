package import DwarfReader
package import ObjectFiles
package import SymbolicationModel

/// Answers from the DWARF of the object files of which a Mach-O image was linked, found by its debug map.
///
/// The way of an address: the function of the debug map that holds it; that function's object file; the
/// symbol of the same name there; the object file's DWARF at the same distance from that symbol; and the
/// ranges of the answer moved back. A function keeps its shape when it is linked, so that the distance is the
/// same. What of an answer lies outside of the function is cut off: it may have gone elsewhere.
///
/// Object files are opened when the first address of theirs is asked for, each with a DWARF reader of its
/// own. (Their DWARF can be read as it is: the relocations of debug sections are against sections, and
/// clang and swiftc write addresses in the object file into the place already.) One owner, one
/// thread; `prepare` uses several.
package final class DebugMapReader: DwarfReading {
  package typealias MakeReader =
    @Sendable (DwarfSections) throws(DwarfReadError) -> any DwarfReading

  private let map: DebugMap
  private let imagePath: String
  private let files: DebugMapFiles
  private let makeReader: MakeReader
  /// By number: those that something was asked of.
  private var objects: [Int: DebugMapObject] = [:]

  /// - Parameters:
  ///   - image: the file that `map` is of.
  ///   - makeReader: makes the reader of one object file.
  package init(_ map: DebugMap, of image: ObjectFile, makeReader: @escaping MakeReader) {
    self.map = map
    self.imagePath = image.path
    self.files = DebugMapFiles(image: image)
    self.makeReader = makeReader
  }

  package func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer? {
    guard let (function, distance) = place(of: address),
      let found = try object(function.object).answer(
        at: distance, in: function)
    else { return nil }
    return found.answer.moved { $0.moved(from: found.symbol, to: function.addresses) }
  }

  package func prepare(for addresses: [LinkAddress], jobs: Int) {
    var groups: [Int: [(distance: UInt64, symbol: String)]] = [:]
    for address in addresses {
      guard let (function, distance) = place(of: address) else { continue }
      groups[function.object, default: []].append((distance, function.name))
    }
    let lent = groups.sorted { $0.key < $1.key }.map {
      Lent(object: object($0.key), places: $0.value)
    }
    guard lent.count > 1 else {
      lent.first.map { $0.object.prepare(for: $0.places, jobs: jobs) }
      return
    }
    // An object file is mostly one unit: there is work for several threads in several of them.
    ParallelWork.perform(count: lent.count, jobs: jobs) { index in
      lent[index].object.prepare(for: lent[index].places, jobs: 1)
    }
  }

  /// An object file on loan to a thread. Sound because none occurs twice, and the owner waits until all
  /// are given back.
  private struct Lent: @unchecked Sendable {
    let object: DebugMapObject
    let places: [(distance: UInt64, symbol: String)]
  }

  private func place(of address: LinkAddress) -> (function: DebugMap.Function, distance: UInt64)? {
    guard let function = map.function(at: address),
      let distance = address.distance(from: function.addresses.lowerBound)
    else { return nil }
    return (function, distance)
  }

  private func object(_ number: Int) -> DebugMapObject {
    if let known = objects[number] { return known }
    let object = DebugMapObject(map.object(number), files, makeReader: makeReader)
    objects[number] = object
    return object
  }

  /// In the order of the debug map, whatever was asked first.
  private var askedObjects: [DebugMapObject] {
    objects.sorted { $0.key < $1.key }.map(\.value).filter(\.wasAsked)
  }

  /// How many faults are kept: enough to see what the files are like.
  private static let faultLimit = 4096

  package var faults: [DwarfReadError] {
    var faults: [DwarfReadError] = []
    for object in askedObjects where faults.count < Self.faultLimit {
      faults += object.faults.prefix(Self.faultLimit - faults.count)
    }
    return faults
  }

  /// How many of the object files that cannot be used are told of one by one.
  private static let searchLimit = 3

  /// `faults`, each with the object file that it is about, and the object files asked about that cannot
  /// be used.
  package var problems: [SymbolFileProblem] {
    let searches = failedSearches
    var problems: [SymbolFileProblem] = []
    if !searches.isEmpty {
      problems.append(
        SymbolFileProblem(
          path: imagePath,
          kind: .unusableDebugMapObjects(
            Array(searches.prefix(Self.searchLimit)), count: searches.count)))
    }
    for object in askedObjects where problems.count < Self.faultLimit {
      problems += object.problems.prefix(Self.faultLimit - problems.count)
    }
    return problems
  }

  /// The searches that led to no object file, of those asked about, in the order of the debug map.
  package var failedSearches: [DebugFileSearch] { askedObjects.compactMap(\.failedSearch) }

  /// The search that led to no object file for the function at `address`, where that was asked about.
  func failedSearch(for address: LinkAddress) -> DebugFileSearch? {
    map.function(at: address).flatMap { objects[$0.object]?.failedSearch }
  }

  /// The object file whose DWARF answers for `address`, as `path/lib.a(member.o)` where it is a member of
  /// an archive; nil where the debug map has no function there, or the file cannot be used.
  package func objectPath(for address: LinkAddress) -> String? {
    map.function(at: address).flatMap { object($0.object).path }
  }
}

extension DwarfFrame {
  /// The frame of the object file where the function's symbol is at `symbol`, as one of the image where
  /// the function is at `addresses`.
  fileprivate func moved(from symbol: LinkAddress, to addresses: Range<LinkAddress>) -> DwarfFrame {
    func moved(_ address: LinkAddress) -> UInt64 {
      // Modulo 2^64, as all of it lies near the symbol in sound files; the rest is cut off.
      address.value &- symbol.value &+ addresses.lowerBound.value
    }
    let start = range.lowerBound <= symbol ? addresses.lowerBound.value : moved(range.lowerBound)
    let end = max(start, min(moved(range.upperBound), addresses.upperBound.value))
    return DwarfFrame(
      linkageName: linkageName, name: name, location: location,
      range: LinkAddress(start)..<LinkAddress(end))
  }
}
