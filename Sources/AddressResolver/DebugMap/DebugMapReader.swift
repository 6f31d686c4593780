package import DwarfReader
package import ObjectFiles
package import SymbolStore
package import SymbolicationModel

/// Answers from the DWARF of the object files from which a Mach-O image was linked. The image's
/// debug map leads to them.
///
/// An address is looked up in these steps: the function of the debug map that holds it; that
/// function's object file; the symbol of the same name there; the object file's DWARF at the same
/// distance from that symbol. Then the ranges of the answer are moved back. A function keeps its
/// shape when it is linked, so the distance stays the same. The parts of an answer outside of the
/// function are cut off: the linker may have put them elsewhere.
///
/// An object file is opened when its first address is asked about, with a DWARF reader of its own.
/// (Its DWARF needs no relocation: the relocations of debug sections are against sections, and
/// clang and swiftc already write the addresses in the object file.) It belongs to one owner and
/// one thread; `prepare` uses several.
package final class DebugMapReader: DwarfReading {
  package typealias MakeReader =
    @Sendable (DwarfSections) throws(DwarfReadError) -> any DwarfReading

  private let map: DebugMap
  private let image: AskingFile
  private let store: SymbolStore
  private let makeReader: MakeReader
  /// The object files that were asked about something, by their numbers.
  private var objects: [Int: DebugMapObject] = [:]

  /// - Parameters:
  ///   - image: the file that has `map`.
  ///   - store: finds the object files.
  ///   - makeReader: makes the reader of one object file.
  package init(
    _ map: DebugMap, of image: ObjectFile, in store: SymbolStore,
    makeReader: @escaping MakeReader
  ) {
    self.map = map
    self.image = AskingFile(image)
    self.store = store
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
    // Most object files are one unit: several threads need several files.
    ParallelWork.perform(count: lent.count, jobs: jobs) { index in
      lent[index].object.prepare(for: lent[index].places, jobs: 1)
    }
  }

  /// An object file on loan to a thread.
  ///
  /// Soundness: none occurs twice, and the owner waits until all threads are done.
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
    let object = DebugMapObject(
      map.object(number), of: image, in: store, makeReader: makeReader)
    objects[number] = object
    return object
  }

  /// In the order of the debug map, not in that of the questions.
  private var askedObjects: [DebugMapObject] {
    objects.sorted { $0.key < $1.key }.map(\.value).filter(\.wasAsked)
  }

  /// How many faults are kept: enough to judge the files by.
  private static let faultLimit = 4096

  package var faults: [DwarfReadError] {
    var faults: [DwarfReadError] = []
    for object in askedObjects where faults.count < Self.faultLimit {
      faults += object.faults.prefix(Self.faultLimit - faults.count)
    }
    return faults
  }

  /// How many of the object files that cannot be used are reported one by one.
  private static let searchLimit = 3

  /// `faults`, each with its object file, and the object files asked about that cannot be used.
  package var problems: [SymbolFileProblem] {
    let searches = failedSearches
    var problems: [SymbolFileProblem] = []
    if !searches.isEmpty {
      problems.append(
        SymbolFileProblem(
          path: image.objectFile.path,
          kind: .unusableDebugMapObjects(
            Array(searches.prefix(Self.searchLimit)), count: searches.count)))
    }
    for object in askedObjects where problems.count < Self.faultLimit {
      problems += object.problems.prefix(Self.faultLimit - problems.count)
    }
    return problems
  }

  /// The searches that found no object file, in the order of the debug map.
  package var failedSearches: [DebugFileSearch] { askedObjects.compactMap(\.failedSearch) }

  /// The search for the object file of the function at `address`, if it was asked about and failed.
  func failedSearch(for address: LinkAddress) -> DebugFileSearch? {
    map.function(at: address).flatMap { objects[$0.object]?.failedSearch }
  }

  /// The object file whose DWARF answers for `address`, as `path/lib.a(member.o)` if it is a member
  /// of an archive. Nil if the debug map has no function there, or the file cannot be used.
  package func objectPath(for address: LinkAddress) -> String? {
    map.function(at: address).flatMap { object($0.object).path }
  }
}

extension DwarfFrame {
  /// The frame, in an object file whose symbol for the function is at `symbol`, as a frame of the
  /// image, in which the function is at `addresses`.
  fileprivate func moved(from symbol: LinkAddress, to addresses: Range<LinkAddress>) -> DwarfFrame {
    func moved(_ address: LinkAddress) -> UInt64 {
      // Modulo 2^64: in sound files everything is near the symbol, and the rest is cut off.
      address.value &- symbol.value &+ addresses.lowerBound.value
    }
    let start = range.lowerBound <= symbol ? addresses.lowerBound.value : moved(range.lowerBound)
    let end = max(start, min(moved(range.upperBound), addresses.upperBound.value))
    return DwarfFrame(
      linkageName: linkageName, name: name, location: location,
      range: LinkAddress(start)..<LinkAddress(end))
  }
}
