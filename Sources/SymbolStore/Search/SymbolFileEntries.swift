import ObjectFiles
import SymbolicationModel

/// Symbol files of directories by what they are searched for. Those with the same key stay in their
/// order.
struct SymbolFileEntries: Sendable {
  let all: [SymbolFileEntry]
  private let caches = OpenedCaches()
  private let byIdentity: Chains<ImageIdentity>
  private let byName: Chains<String>

  init(_ entries: [SymbolFileEntry] = []) {
    all = entries
    byIdentity = Chains(entries, key: \.header.identity)
    byName = Chains(entries, key: \.imageName)
  }

  /// Files whose identity is the image's, and then those that state only the start of it; at most
  /// `limit` of each.
  func files(of identity: ImageIdentity, limit: Int = .max) -> [SymbolFileEntry] {
    let exact = byIdentity.positions(of: identity, limit: limit).map { all[$0] }
    guard let prefix = identity.debugIdPrefix else { return exact }
    return exact
      + byIdentity.positions(of: prefix, limit: limit).map { all[$0] }
      .filter { $0.header.belongs(to: identity) }
  }

  /// Files with one of the image's names, of any architecture and identity: at most
  /// `OtherBuilds.walkLimit` of each name.
  func files(of names: Set<String>) -> [SymbolFileEntry] {
    names.sorted().flatMap {
      byName.positions(of: $0, limit: OtherBuilds.walkLimit).map { all[$0] }
    }
  }

  /// Files with one of the image's names and an architecture that serves for it: the first ones, at
  /// most `OtherBuilds.limit`.
  func files(named image: ImageDescription) -> [SymbolFileEntry] {
    guard !all.isEmpty else { return [] }
    var found: [SymbolFileEntry] = []
    for name in image.names.sorted() {
      for position in byName.positions(of: name, limit: OtherBuilds.walkLimit) {
        guard found.count < OtherBuilds.limit else { return found }
        if image.accepts(all[position].header.architecture) { found.append(all[position]) }
      }
    }
    return found
  }

  /// The files of that name and architecture that belong to another build of the image.
  func otherBuilds(of image: ImageDescription) -> [SymbolFileEntry] {
    files(named: image).filter { !$0.header.belongs(to: image.identity) }
  }

  /// More files of one kind and with one identity are copies, or nobody can tell which is meant. So
  /// many are opened and compared.
  private static let openedFiles = 4

  /// The files with the image's identity, opened: those with debug information, those that answer
  /// without it (indexes, Breakpad symbol files), and those without, a few of each. Files of the
  /// same name with another identity are refused.
  func answer(for image: ImageDescription) -> (
    answer: SymbolFileAnswer, problems: [SymbolFileProblem]
  ) {
    guard let identity = image.identity else { return (SymbolFileAnswer(), []) }
    var answer = SymbolFileAnswer()
    var problems: [SymbolFileProblem] = []
    var opened: [[Bool]: Int] = [:]
    for entry in files(of: identity) {
      let kind = [entry.header.hasDebugInfo, entry.header.answersAlone]
      guard opened[kind, default: 0] < Self.openedFiles else { continue }
      do throws(RefusedEntry) {
        answer.files.append(try entry.open(caches))
        opened[kind, default: 0] += 1
      } catch {
        answer.refused.append(
          DebugFileSearch.Attempt(path: entry.path, finding: error.finding))
        if let problem = error.problem { problems.append(problem) }
      }
    }
    answer.refused += otherBuilds(of: image).map { entry in
      DebugFileSearch.Attempt(
        path: entry.path,
        finding: .otherIdentity(found: entry.header.identity, expected: identity))
    }
    return (answer, problems)
  }
}

/// Positions in a list by a key that several elements may share. One dictionary entry for each key
/// and no array: most keys occur once.
private struct Chains<Key: Hashable & Sendable>: Sendable {
  private var first: [Key: Int32] = [:]
  /// The next position with the same key; -1 at the end.
  private var next: [Int32]

  init(_ entries: [SymbolFileEntry], key: (SymbolFileEntry) -> Key?) {
    next = Array(repeating: -1, count: entries.count)
    // Reserving nothing makes a copy all the same, and many places have no files.
    guard !entries.isEmpty else { return }
    first.reserveCapacity(entries.count)
    // From the end, so that a chain ascends.
    for position in entries.indices.reversed() {
      guard let key = key(entries[position]), let place = Int32(exactly: position) else { continue }
      if let known = first.updateValue(place, forKey: key) { next[position] = known }
    }
  }

  func positions(of key: Key, limit: Int = .max) -> [Int] {
    var positions: [Int] = []
    var position = first[key] ?? -1
    while position >= 0, positions.count < limit {
      positions.append(Int(position))
      position = next[Int(position)]
    }
    return positions
  }
}

extension ImageDescription {
  /// Whether a file of this architecture may be the image's.
  func accepts(_ found: Architecture) -> Bool {
    guard let architecture else { return true }
    return [architecture, architecture.fallback, .unknown].contains(found)
  }
}
