import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// The search for the file with the debug information of a program that has none itself: the dSYM of a
/// Mach-O image, the file of `.gnu_debuglink` or of the build-id of an ELF one. See
/// `SeparateDebugFilePlaces` for where it is looked for.
///
/// A dSYM is known by its UUID, an ELF file by its build-id; where one of the two has no build-id, by the
/// checksum that the link states. (Where both have one that decides alone, as it does for elfutils: what
/// compresses or shares debug information after the link was written changes the checksum and no
/// answer.) Only regular files are opened.
package struct SeparateDebugFile: Sendable {
  /// Nil where none was found.
  package let objectFile: ObjectFile?
  /// What was looked at and refused, or not there, before the file was found; nil where nothing was.
  package let search: DebugFileSearch?

  /// The search for the file of `program`. Empty where `program` has debug information of its own, or is
  /// of a kind that has no such file.
  ///
  /// Cost: the system is asked about some ten paths, and the headers of what is there are read; to
  /// compare a checksum, the whole of an ELF file.
  package static func find(
    for program: ObjectFile,
    debugDirectories: [String] = ImageSupplementaryFiles.systemDebugDirectories
  ) -> SeparateDebugFile {
    guard !program.hasDebugInfo, program.format == .machO || program.format == .elf,
      program.fileType != .relocatable, program.fileType != .debugSymbols
    else { return .none }
    let places = SeparateDebugFilePlaces(
      program: program.distinctPath, realPath: program.realPath,
      debugDirectories: debugDirectories)
    return program.format == .elf ? findElf(for: program, places) : findDsym(of: program, places)
  }

  private static let none = SeparateDebugFile(objectFile: nil, search: nil)

  /// What is to be told of the search: that a file was refused, or that the one is missing that the
  /// program itself names. That a program has no dSYM is no problem.
  package var problem: SymbolFileProblem? {
    guard objectFile == nil, let search else { return nil }
    let refused = search.attempts.filter { $0.finding != .absent }
    guard !refused.isEmpty || isNamedByProgram else { return nil }
    let told = DebugFileSearch(
      purpose: search.purpose, name: search.name,
      attempts: isNamedByProgram ? search.attempts : refused)
    return SymbolFileProblem(path: programPath, kind: .unusableDebugFile(told))
  }

  private var programPath = ""
  private var isNamedByProgram = false

  private init(objectFile: ObjectFile?, search: DebugFileSearch?) {
    self.objectFile = objectFile
    self.search = search
  }

  private init(
    _ objectFile: ObjectFile?, _ attempts: SupplementaryFileAttempts, name: String,
    of program: ObjectFile, isNamedByProgram: Bool
  ) {
    self.objectFile = objectFile
    self.search = DebugFileSearch(
      purpose: .debugInformation, name: name, attempts: attempts.attempts)
    self.programPath = program.path
    self.isNamedByProgram = isNamedByProgram
  }

  private static func findDsym(
    of program: ObjectFile, _ places: SeparateDebugFilePlaces
  ) -> SeparateDebugFile {
    var search = SupplementaryFileAttempts()
    func objection(to slice: ObjectFile) -> DebugFileSearch.Finding? {
      guard slice.identity == program.identity, program.identity != nil else {
        return .otherIdentity(found: slice.identity, expected: program.identity)
      }
      return nil
    }
    var found = search.firstMachOSlice(of: program.architecture, at: places.dsyms) { slice in
      objection(to: slice) ?? (slice.hasDebugInfo ? nil : .missingSection("__debug_info"))
    }
    if found == nil, search.hasFoundFileWithoutDebugInfo {
      var again = SupplementaryFileAttempts()
      found = again.firstMachOSlice(of: program.architecture, at: places.dsyms) {
        objection(to: $0) ?? ($0.hasSymbols ? nil : .missingSection("LC_SYMTAB"))
      }
    }
    return SeparateDebugFile(
      found, search, name: program.path.lastPathComponent + BundleName.dsymSuffix, of: program,
      isNamedByProgram: false)
  }

  private static func findElf(
    for program: ObjectFile, _ places: SeparateDebugFilePlaces
  ) -> SeparateDebugFile {
    // A damaged link names no file; what is wrong with the section is no reason to say nothing else.
    let link = (try? program.debugLink()) ?? nil
    var search = SupplementaryFileAttempts()
    let byBuildId = places.byBuildId(program.identity?.bytes ?? [])
    let byLink = link.map { places.byLink(name: $0.name) } ?? []
    func withDebugInfo(_ file: ObjectFile) -> DebugFileSearch.Finding? {
      file.hasDebugInfo ? nil : .missingSection(".debug_info")
    }
    var found = search.firstFile(at: byBuildId) {
      objection(to: $0, of: program, checksum: nil) ?? withDebugInfo($0)
    }
    if found == nil, let link {
      found = search.firstFile(at: byLink) {
        objection(to: $0, of: program, checksum: link.checksum) ?? withDebugInfo($0)
      }
    }
    if found == nil, search.hasFoundFileWithoutDebugInfo {
      // A symbol table alone is more than the program has.
      var again = SupplementaryFileAttempts()
      found = again.firstFile(at: byBuildId + byLink) { file in
        objection(to: file, of: program, checksum: link?.checksum)
          ?? (file.hasSymbols ? nil : .missingSection(".symtab"))
      }
    }
    guard link != nil || !byBuildId.isEmpty else { return .none }
    return SeparateDebugFile(
      found, search, name: link?.name ?? byBuildId.first ?? "", of: program,
      isNamedByProgram: link != nil)
  }

  /// Why `file` is not the one; nil where it is.
  private static func objection(
    to file: ObjectFile, of program: ObjectFile, checksum: UInt32?
  ) -> DebugFileSearch.Finding? {
    guard file.architecture == program.architecture else {
      return .otherArchitecture(found: [file.architecture], expected: program.architecture)
    }
    if let checksum, file.identity == nil || program.identity == nil {
      let found = file.checksum()
      return found == checksum ? nil : .otherChecksum(found: found, expected: checksum)
    }
    guard file.identity == program.identity else {
      return .otherIdentity(found: file.identity, expected: program.identity)
    }
    return nil
  }
}

extension ObjectFile {
  fileprivate var hasSymbols: Bool { ((try? symbolTable().count) ?? 0) > 0 }

  /// The path as it was opened, or the one without links where both lead to the same place by the same
  /// name: each place is looked at once.
  fileprivate var distinctPath: String {
    guard let realPath, realPath.lastPathComponent == path.lastPathComponent,
      FileLinks.realPath(of: path.folder) == realPath.folder
    else { return path }
    return realPath
  }
}
