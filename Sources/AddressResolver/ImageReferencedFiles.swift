package import DwarfReader
package import ObjectFiles
package import SymbolStore
package import SymbolicationModel
import Synchronization

/// The files to which the DWARF of one image refers: dwz's supplementary file, and the files of
/// split units.
///
/// The store is asked for a file when a reader needs it, and once. May be used from several
/// threads; while one searches, the others wait.
package final class ImageReferencedFiles: DwarfReferencedFiles {
  private let askingFile: AskingFile
  private let store: SymbolStore
  private let state = Mutex(State())

  private struct State {
    var codeRanges: [Range<LinkAddress>]?
    /// Nil inside if it was looked for and not found; so too below.
    var supplementary: DwarfSections??
    var package: DwarfSplitFile??
    var splitFiles: [SplitFileName: DwarfSplitFile?] = [:]
    var problems: [SymbolFileProblem] = []
    var openedPaths: [String] = []
  }

  /// What tells `.dwo` files apart: one may hold several units.
  private struct SplitFileName: Hashable {
    let name: String
    let compilationDirectory: String?
  }

  /// - Parameter objectFile: the file whose DWARF refers to others.
  package init(_ objectFile: ObjectFile, in store: SymbolStore) {
    self.askingFile = AskingFile(objectFile)
    self.store = store
  }

  /// What was not found or could not be used so far, each file once, and what is wrong inside the
  /// files that are used.
  package var problems: [SymbolFileProblem] { state.withLock { $0.problems } }

  /// The files that are in use, in the order in which they were found.
  package var openedPaths: [String] { state.withLock { $0.openedPaths } }

  package func supplementarySections() -> DwarfSections? {
    state.withLock { state in
      if let known = state.supplementary { return known }
      let found = findSupplementaryFile(&state)
      state.supplementary = .some(found)
      return found
    }
  }

  package func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    splitFile(name: unit.name, compilationDirectory: unit.compilationDirectory)
  }

  /// The unit's identifier has no part in the search: the reader compares it with what it finds
  /// there.
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
    let request = SymbolFileRequest.splitUnit(
      name: name, compilationDirectory: compilationDirectory, of: askingFile)
    let found = sections(request, .split, purpose: .splitUnits, store.locate(request), &state)
      .map { DwarfSplitFile(sections: $0) }
    state.splitFiles[key] = .some(found)
    return found
  }

  private func findSupplementaryFile(_ state: inout State) -> DwarfSections? {
    do throws(ObjectFileError) {
      guard let link = try askingFile.objectFile.supplementaryLink() else { return nil }
      let request = SymbolFileRequest.supplementaryFile(link, of: askingFile)
      return sections(
        request, .whole, purpose: .sharedInformation, store.locate(request), &state)
    } catch {
      state.problems.append(SymbolFileProblem(error))
      return nil
    }
  }

  /// It is no problem that there is no package: the units may be in files of their own.
  private func findPackage(_ state: inout State) -> DwarfSplitFile? {
    if let known = state.package { return known }
    let request = SymbolFileRequest.splitPackage(of: askingFile)
    let answer = store.locate(request)
    let isAbsent = answer.file == nil && answer.refused.allSatisfy { $0.finding == .absent }
    let found =
      isAbsent
      ? nil
      : sections(request, .split, purpose: .splitUnits, answer, &state)
        .map { DwarfSplitFile(sections: $0) }
    state.package = .some(found)
    return found
  }

  /// The sections of the file found, or nil and a problem.
  private func sections(
    _ request: SymbolFileRequest, _ part: DwarfSections.Part,
    purpose: DebugFileSearch.Purpose, _ answer: SymbolFileAnswer, _ state: inout State
  ) -> DwarfSections? {
    guard let file = answer.file else {
      let search = DebugFileSearch(
        purpose: purpose, name: request.name, attempts: answer.refused)
      state.problems.append(
        SymbolFileProblem(path: askingFile.objectFile.path, kind: .unusableDebugFile(search)))
      return nil
    }
    state.openedPaths.append(file.path)
    for fault in file.faults {
      let problem = SymbolFileProblem(fault)
      if !state.problems.contains(problem) { state.problems.append(problem) }
    }
    let codeRanges = state.codeRanges ?? askingFile.objectFile.codeRanges
    state.codeRanges = codeRanges
    return DwarfSections(
      file, part: part, codeRanges: codeRanges, limits: store.limits, problems: &state.problems)
  }
}
