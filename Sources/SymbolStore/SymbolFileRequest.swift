import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// One file that is wanted, with everything by which it can be known.
package struct SymbolFileRequest: Hashable, Sendable {
  package let wanted: Wanted
  /// The file that needs it; nil for the image of a report.
  let askingFile: AskingFile?
  /// Whether a separate debug file needs nothing but symbols: the second best, if no candidate has
  /// DWARF.
  private(set) var acceptsSymbolsAlone = false

  package enum Wanted: Hashable, Sendable {
    /// The symbol file of an image of a report.
    case image(ImageDescription)
    /// The debug information of a program that has none itself: the dSYM of a Mach-O image, the
    /// file that `.gnu_debuglink` or the build-id of an ELF one leads to. Nil without a link.
    case separateDebugFile(DebugLink?)
    /// The file to which dwz moved what several files share (DWARF 5, section 7.3.6).
    case supplementaryFile(SupplementaryLink)
    /// The package of the file's split units (`.dwp`).
    case splitPackage
    /// The file of one split unit (`.dwo`). The directory is `DW_AT_comp_dir`.
    case splitUnit(name: String, compilationDirectory: String?)
    /// An object file to which the debug map of a Mach-O image leads.
    case debugMapObject(DebugMap.Object)
    /// The GSYM index that was made of the file, in a directory that the user named; nil for the
    /// user's cache.
    case index(directory: String?)
  }

  package init(_ wanted: Wanted, for askingFile: AskingFile?) {
    self.wanted = wanted
    self.askingFile = askingFile
  }

  // MARK: - Making one

  package static func image(_ image: ImageDescription) -> SymbolFileRequest {
    SymbolFileRequest(.image(image), for: nil)
  }

  /// Nil if `program` has debug information of its own, or is of a kind that has no separate debug
  /// file. Cost: a read of one small section.
  package static func separateDebugFile(of program: AskingFile) -> SymbolFileRequest? {
    let file = program.objectFile
    guard !file.hasDebugInfo, file.format == .machO || file.format == .elf,
      file.fileType != .relocatable, file.fileType != .debugSymbols
    else { return nil }
    // A damaged link names no file. The search by build-id goes on without it.
    let link = (try? file.debugLink()) ?? nil
    return SymbolFileRequest(.separateDebugFile(link), for: program)
  }

  /// The same request for a file with symbols alone; nil if only DWARF will do.
  var acceptingSymbolsAlone: SymbolFileRequest? {
    guard case .separateDebugFile = wanted else { return nil }
    var request = self
    request.acceptsSymbolsAlone = true
    return request
  }

  // MARK: - What the file is known by

  /// The UUID or build-id of the file wanted; nil if it is not known by one.
  package var identity: ImageIdentity? {
    switch wanted {
    case .image(let image): image.identity
    case .separateDebugFile, .index: askingFile?.objectFile.identity
    case .supplementaryFile(let link):
      link.form == .gnu ? ImageIdentity(bytes: link.identifier) : nil
    case .splitPackage, .splitUnit, .debugMapObject: nil
    }
  }

  /// The architecture of the slice wanted; nil if any will do.
  package var architecture: Architecture? {
    if case .image(let image) = wanted {
      image.architecture
    } else {
      askingFile?.objectFile.architecture
    }
  }

  /// The name or path as the asking file states it. No file states the name of its dSYM; it is then
  /// the name that the dSYM would have. Empty if there is none.
  package var name: String {
    switch wanted {
    case .image(let image): image.names.min() ?? ""
    case .separateDebugFile(let link):
      link?.name ?? (isForMachO ? fileName + BundleName.dsymSuffix : "")
    case .supplementaryFile(let link): link.path
    case .splitPackage: fileName + ".dwp"
    case .splitUnit(let name, _): name
    case .debugMapObject(let object): object.path
    case .index: fileName
    }
  }

  private var fileName: String { askingFile?.path.lastPathComponent ?? "" }

  /// Whether the file wanted is Mach-O. Supplementary files and split units are ELF.
  var isForMachO: Bool {
    switch wanted {
    case .separateDebugFile, .debugMapObject: askingFile?.objectFile.format == .machO
    case .image, .supplementaryFile, .splitPackage, .splitUnit, .index: false
    }
  }

  /// Whether `files` leave nothing to look for.
  func isSatisfied(by files: [ObjectFile]) -> Bool {
    guard case .image = wanted else { return !files.isEmpty }
    return files.contains { $0.hasDebugInfo || $0.answersAlone && !$0.format.isLastResort }
  }
}
