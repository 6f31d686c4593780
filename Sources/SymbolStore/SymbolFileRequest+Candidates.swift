import ObjectFiles
import SymbolicationModel

/// Why a candidate is not the file that is wanted.
struct RefusedCandidate: Error {
  let finding: DebugFileSearch.Finding
}

extension SymbolFileRequest {
  /// The first file at `paths` that is the one wanted, with those that were refused before it. Each
  /// path is looked at once.
  ///
  /// The paths come from a symbol file, which may be a stranger's, or were made from what it
  /// states: only regular files are opened, and a file of another format is refused without a word
  /// about what it holds.
  ///
  /// Cost: the headers of the files that exist are read; to compare a checksum, a whole file.
  func firstFile(
    at paths: [String], skipping known: Set<String>,
    open: (String) throws(RefusedCandidate) -> ObjectFile
  ) -> SymbolFileAnswer {
    var answer = SymbolFileAnswer()
    var known = known
    for path in paths where known.insert(path).inserted {
      do throws(RefusedCandidate) {
        answer.files = [try open(path)]
        return answer
      } catch {
        answer.refused.append(DebugFileSearch.Attempt(path: path, finding: error.finding))
      }
    }
    return answer
  }

  func firstFile(at paths: [String], skipping known: Set<String>) -> SymbolFileAnswer {
    firstFile(at: paths, skipping: known) { (path) throws(RefusedCandidate) in
      try openCandidate(at: path)
    }
  }

  /// Opens the file at `path` and checks that it is the one wanted.
  func openCandidate(at path: String) throws(RefusedCandidate) -> ObjectFile {
    try chosenSlice {
      () throws(ObjectFileError) in
      isForMachO
        ? try ObjectFile.openMachO(statedPath: path) : [try ObjectFile.openElf(statedPath: path)]
    }
  }

  /// The slice wanted from those that `open` returns.
  func chosenSlice(
    _ open: () throws(ObjectFileError) -> [ObjectFile]
  ) throws(RefusedCandidate) -> ObjectFile {
    let slices = try refusing(open)
    let slice = isForMachO ? slices.first { $0.architecture == architecture } : slices.first
    guard let slice else { throw otherArchitecture(slices.map(\.architecture)) }
    if let finding = try refusing({ () throws(ObjectFileError) in try objection(to: slice) }) {
      throw RefusedCandidate(finding: finding)
    }
    return slice
  }

  private func otherArchitecture(_ found: [Architecture]) -> RefusedCandidate {
    RefusedCandidate(
      finding: .otherArchitecture(found: found, expected: architecture ?? .unknown))
  }

  /// What `read` returns; its error as the reason for a refusal.
  func refusing<Value>(
    _ read: () throws(ObjectFileError) -> Value
  ) throws(RefusedCandidate) -> Value {
    do throws(ObjectFileError) {
      return try read()
    } catch {
      throw RefusedCandidate(
        finding: DebugFileSearch.Finding(error, otherFormat: isForMachO ? .notMachO : .notElf))
    }
  }

  /// Why `file` is not the one wanted; nil if it is.
  private func objection(
    to file: ObjectFile
  ) throws(ObjectFileError) -> DebugFileSearch.Finding? {
    switch wanted {
    case .image, .index: return nil
    case .separateDebugFile(let link):
      return buildObjection(to: file, checksum: link?.checksum) ?? contentObjection(to: file)
    case .supplementaryFile(let link):
      guard let found = try file.supplementaryIdentifier(for: link.form) else {
        return .missingSection(".debug_sup")
      }
      guard found == link.identifier else {
        return .otherIdentity(
          found: ImageIdentity(bytes: found), expected: ImageIdentity(bytes: link.identifier))
      }
      return file.hasDebugInfo ? nil : .missingSection(".debug_info")
    case .splitPackage:
      return file.hasDebugSection(".debug_cu_index") ? nil : .missingSection(".debug_cu_index")
    case .splitUnit:
      return file.hasDebugSection(".debug_info.dwo") ? nil : .missingSection(".debug_info.dwo")
    case .debugMapObject:
      return file.hasDebugInfo ? nil : .missingSection("__debug_info")
    }
  }

  /// Whether a separate debug file belongs to another build.
  ///
  /// A dSYM is known by its UUID, an ELF file by its build-id; if one of the two has no build-id,
  /// by the checksum that the link states. If both have one, it alone decides, as for elfutils:
  /// compressing or sharing debug information after the link was written changes the checksum and
  /// no answer.
  private func buildObjection(
    to file: ObjectFile, checksum: UInt32?
  ) -> DebugFileSearch.Finding? {
    guard isForMachO || file.architecture == architecture else {
      return otherArchitecture([file.architecture]).finding
    }
    if !isForMachO, let checksum, file.identity == nil || identity == nil {
      let found = file.checksum()
      return found == checksum ? nil : .otherChecksum(found: found, expected: checksum)
    }
    guard file.identity == identity, identity != nil || !isForMachO else {
      return .otherIdentity(found: file.identity, expected: identity)
    }
    return nil
  }

  /// Whether a separate debug file has nothing to offer.
  private func contentObjection(to file: ObjectFile) -> DebugFileSearch.Finding? {
    if acceptsSymbolsAlone {
      let hasSymbols = ((try? file.symbolTable().count) ?? 0) > 0
      return hasSymbols ? nil : .missingSection(isForMachO ? "LC_SYMTAB" : ".symtab")
    }
    return file.hasDebugInfo ? nil : .missingSection(isForMachO ? "__debug_info" : ".debug_info")
  }

  /// The same request without the checksum of the link: the file is known by its build-id alone.
  var withoutChecksum: SymbolFileRequest {
    guard case .separateDebugFile = wanted, let askingFile else { return self }
    var request = SymbolFileRequest(.separateDebugFile(nil), for: askingFile)
    if acceptsSymbolsAlone { request = request.acceptingSymbolsAlone ?? request }
    return request
  }
}

extension DebugFileSearch.Finding {
  /// - Parameter otherFormat: the finding for a file of another format.
  init(_ error: ObjectFileError, otherFormat: Self) {
    switch SymbolFileProblem(error).kind {
    case .inaccessible where error.isAbsence: self = .absent
    case .notASymbolFile, .empty: self = otherFormat
    case let kind: self = .unreadable(kind)
    }
  }
}
