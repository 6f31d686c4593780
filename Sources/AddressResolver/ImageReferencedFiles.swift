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
    var findings: [Finding] = [] {
      didSet { problems = nil }
    }
    /// Those of `findings` in order; nil if they must be put into order again.
    var problems: [SymbolFileProblem]?
    var openedPaths: [String] = []
  }

  /// What tells `.dwo` files apart: one may hold several units.
  private struct SplitFileName: Hashable {
    let name: String
    let compilationDirectory: String?
  }

  /// The problems with one file. Threads ask for files in any order, so they are sorted.
  private struct Finding: Comparable {
    /// The name by which the file was asked for.
    let name: String
    let compilationDirectory: String
    var problems: [SymbolFileProblem] = []

    static func < (first: Finding, second: Finding) -> Bool {
      (first.name, first.compilationDirectory) < (second.name, second.compilationDirectory)
    }
  }

  /// - Parameter objectFile: the file whose DWARF refers to others.
  package init(_ objectFile: ObjectFile, in store: SymbolStore) {
    self.askingFile = AskingFile(objectFile)
    self.store = store
  }

  /// What was not found or could not be used so far, each file once, and what is wrong inside the
  /// files that are used. The order is that of the names of the files, whatever the number of
  /// threads.
  package var problems: [SymbolFileProblem] {
    state.withLock { state in
      let problems =
        state.problems ?? state.findings.sorted().flatMap(\.problems).withoutRepetitions
      state.problems = problems
      return problems
    }
  }

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
    let request = SymbolFileRequest(
      .splitUnit(name: name, compilationDirectory: compilationDirectory), for: askingFile)
    let found = sections(
      request, .split, purpose: .splitUnits, from: compilationDirectory, store.locate(request),
      &state
    )
    .map { DwarfSplitFile(sections: $0) }
    state.splitFiles[key] = .some(found)
    return found
  }

  private func findSupplementaryFile(_ state: inout State) -> DwarfSections? {
    do throws(ObjectFileError) {
      guard let link = try askingFile.objectFile.supplementaryLink() else { return nil }
      let request = SymbolFileRequest(.supplementaryFile(link), for: askingFile)
      return sections(
        request, .whole, purpose: .sharedInformation, store.locate(request), &state)
    } catch {
      state.findings.append(
        Finding(name: "", compilationDirectory: "", problems: [SymbolFileProblem(error)]))
      return nil
    }
  }

  /// It is no problem that there is no package: the units may be in files of their own.
  private func findPackage(_ state: inout State) -> DwarfSplitFile? {
    if let known = state.package { return known }
    let request = SymbolFileRequest(.splitPackage, for: askingFile)
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
    purpose: DebugFileSearch.Purpose, from compilationDirectory: String? = nil,
    _ answer: SymbolFileAnswer, _ state: inout State
  ) -> DwarfSections? {
    var finding = Finding(
      name: request.name, compilationDirectory: compilationDirectory ?? "")
    defer { if !finding.problems.isEmpty { state.findings.append(finding) } }
    guard let file = answer.file else {
      let search = DebugFileSearch(
        purpose: purpose, name: request.name, attempts: answer.refused)
      finding.problems.append(
        SymbolFileProblem(path: askingFile.objectFile.path, kind: .unusableDebugFile(search)))
      return nil
    }
    state.openedPaths.append(file.path)
    finding.problems += file.faults.map { SymbolFileProblem($0) }
    let codeRanges = state.codeRanges ?? askingFile.objectFile.codeRanges
    state.codeRanges = codeRanges
    return DwarfSections(
      file, part: part, codeRanges: codeRanges, limits: store.limits,
      problems: &finding.problems)
  }
}
