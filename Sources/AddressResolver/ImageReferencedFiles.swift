package import DwarfReader
package import ObjectFiles
package import SymbolicationModel
import Synchronization

/// Finds and opens the files that the DWARF of one image refers to: see `SupplementaryFilePlaces` for
/// where they are looked for.
///
/// Nothing is looked for before it is asked for, and nothing twice. The paths come from a symbol
/// file, which may be a stranger's: only regular files are opened, and of a file that is not ELF
/// nothing is told. May be used from several threads; while one searches, the others wait.
package final class ImageSupplementaryFiles: DwarfReferencedFiles {
  /// Where Linux distributions keep debug information.
  package static let systemDebugDirectories = ["/usr/lib/debug"]

  private let objectFile: ObjectFile
  private let debugDirectories: [String]
  private let state = Mutex(State())

  private struct State {
    var places: SupplementaryFilePlaces?
    var codeRanges: [Range<LinkAddress>]?
    /// Nil inside where it was looked for and not found; so too below.
    var alternate: DwarfSections??
    var package: DwarfSplitFile??
    var splitFiles: [SplitFileName: DwarfSplitFile?] = [:]
    var problems: [SymbolFileProblem] = []
    var openedPaths: [String] = []
  }

  /// What `.dwo` files are told apart by: one may hold several units.
  private struct SplitFileName: Hashable {
    let name: String
    let compilationDirectory: String?
  }

  /// - Parameters:
  ///   - objectFile: the file whose DWARF refers to others.
  ///   - debugDirectories: absolute paths.
  package init(
    objectFile: ObjectFile, debugDirectories: [String] = systemDebugDirectories
  ) {
    self.objectFile = objectFile
    self.debugDirectories = debugDirectories
  }

  /// What was not found or could not be used so far, each file once, and what is wrong inside the
  /// files that are used.
  package var problems: [SymbolFileProblem] { state.withLock { $0.problems } }

  /// The files that are in use, in the order in which they were found.
  package var openedPaths: [String] { state.withLock { $0.openedPaths } }

  package func supplementarySections() -> DwarfSections? {
    state.withLock { state in
      if let known = state.alternate { return known }
      let found = findAlternate(&state)
      state.alternate = .some(found)
      return found
    }
  }

  package func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    splitFile(name: unit.name, compilationDirectory: unit.compilationDirectory)
  }

  /// The unit's identifier has no part in the search: the reader compares it with what it finds there.
  func splitFile(name: String, compilationDirectory: String?) -> DwarfSplitFile? {
    state.withLock { state in
      if let package = findPackage(&state) { return package }
      return ownFile(name: name, compilationDirectory: compilationDirectory, &state)
    }
  }

  package func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    state.withLock { state in
      ownFile(name: unit.name, compilationDirectory: unit.compilationDirectory, &state)
    }
  }

  private func ownFile(
    name: String, compilationDirectory: String?, _ state: inout State
  ) -> DwarfSplitFile? {
    let key = SplitFileName(name: name, compilationDirectory: compilationDirectory)
    if let known = state.splitFiles[key] { return known }
    let found = findSplitFile(key, &state)
    state.splitFiles[key] = .some(found)
    return found
  }

  private func findAlternate(_ state: inout State) -> DwarfSections? {
    let link: SupplementaryLink?
    do throws(ObjectFileError) {
      link = try objectFile.supplementaryLink()
    } catch {
      state.problems.append(SymbolFileProblem(error))
      return nil
    }
    guard let link else { return nil }
    let candidates = places(&state).sharedInformation(
      name: link.path, buildId: link.form == .gnu ? link.identifier : [])
    var search = SupplementaryFileAttempts()
    let file = search.firstFile(at: candidates) { file throws(ObjectFileError) in
      let found = try file.supplementaryIdentifier(for: link.form)
      guard let found else { return .missingSection(".debug_sup") }
      guard found == link.identifier else {
        return .otherIdentity(
          found: ImageIdentity(bytes: found), expected: ImageIdentity(bytes: link.identifier))
      }
      return file.hasDebugInfo ? nil : .missingSection(".debug_info")
    }
    return sections(
      of: file, .whole, search, purpose: .sharedInformation, name: link.path, &state)
  }

  /// That there is no package is no problem: the units may be in files of their own.
  private func findPackage(_ state: inout State) -> DwarfSplitFile? {
    if let known = state.package { return known }
    var search = SupplementaryFileAttempts()
    let file = search.firstFile(at: places(&state).packages) { file in
      file.hasDebugSection(".debug_cu_index") ? nil : .missingSection(".debug_cu_index")
    }
    let isAbsent = search.attempts.allSatisfy { $0.finding == .absent }
    let found =
      file == nil && isAbsent
      ? nil
      : sections(
        of: file, .split, search, purpose: .splitUnits,
        name: objectFile.path.lastPathComponent + ".dwp",
        &state)
    state.package = .some(found.map { DwarfSplitFile(sections: $0) })
    return found.map { DwarfSplitFile(sections: $0) }
  }

  private func findSplitFile(_ key: SplitFileName, _ state: inout State) -> DwarfSplitFile? {
    let candidates = places(&state).splitUnit(
      name: key.name, compilationDirectory: key.compilationDirectory)
    var search = SupplementaryFileAttempts()
    let file = search.firstFile(at: candidates) { file in
      file.hasDebugSection(".debug_info.dwo") ? nil : .missingSection(".debug_info.dwo")
    }
    return sections(of: file, .split, search, purpose: .splitUnits, name: key.name, &state)
      .map { DwarfSplitFile(sections: $0) }
  }

  /// The sections of the file found, or nil and a problem.
  private func sections(
    of file: ObjectFile?, _ part: DwarfSections.Part, _ search: SupplementaryFileAttempts,
    purpose: DebugFileSearch.Purpose, name: String, _ state: inout State
  ) -> DwarfSections? {
    guard let file else {
      let search = DebugFileSearch(
        purpose: purpose, name: name, attempts: search.attempts)
      state.problems.append(
        SymbolFileProblem(path: objectFile.path, kind: .unusableDebugFile(search)))
      return nil
    }
    state.openedPaths.append(file.path)
    for fault in file.faults {
      let problem = SymbolFileProblem(fault)
      if !state.problems.contains(problem) { state.problems.append(problem) }
    }
    let codeRanges = state.codeRanges ?? objectFile.codeRanges
    state.codeRanges = codeRanges
    return DwarfSections(file, part: part, codeRanges: codeRanges, problems: &state.problems)
  }

  private func places(_ state: inout State) -> SupplementaryFilePlaces {
    if let places = state.places { return places }
    let places = SupplementaryFilePlaces(
      symbolFile: objectFile.path, realPath: objectFile.realPath,
      debugDirectories: debugDirectories)
    state.places = places
    return places
  }
}
