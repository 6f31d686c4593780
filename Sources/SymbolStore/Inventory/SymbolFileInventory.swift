import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// Every slice of every object file in a tree, whatever it is for.
package struct SymbolFileInventory: Sendable {
  /// The path of the tree, as it was given.
  package let path: String
  /// In the order of the files' paths; in a file, in the order of the file.
  package let slices: [Slice]
  /// Files that begin like an object file, or lie where a dSYM has its DWARF file, and cannot be
  /// used.
  package let unusableFiles: [UnusableFile]
  /// The relative paths of all files.
  package let filePaths: [String]
  /// The relative paths of the dSYM bundles.
  package let dsymBundles: [String]
  /// `DBGOriginalUUID` of the images whose dSYM states one (`DsymPropertyList`).
  package let originalIdentities: [ImageIdentity: ImageIdentity]
  /// What else is wrong: folders that cannot be read, slices that cannot be read beside others.
  package let problems: [SymbolFileProblem]

  package struct UnusableFile: Hashable, Sendable {
    /// Relative to the tree.
    package let path: String
    package let problem: SymbolFileProblem
  }

  /// A slice, with what its headers say.
  package struct Slice: Sendable {
    /// The path of its file, relative to the tree.
    package let treePath: String
    /// The path of its file to show; for a library in a shared cache with its own path.
    package let shownPath: String
    package let candidate: SymbolCandidate
    package let role: Role
    /// Whether it has a `.debug_info` section that is not empty.
    package let hasDebugInfo: Bool
    /// Mach-O, and not ELF, GSYM or Breakpad.
    package let isMachO: Bool
    /// The format of a file that answers alone; nil for others.
    package let standalone: StandaloneFormat?
    package let objectFile: ObjectFile
    /// The identities of all slices of its file.
    package let siblingIdentities: Set<ImageIdentity>
  }

  /// What an object file is for.
  package enum Role: String, Hashable, CaseIterable, Sendable {
    /// A program.
    case executable
    /// A library or bundle that programs load. Position-independent ELF programs are among these.
    case library
    /// A dSYM's DWARF file, or a Breakpad symbol file. (ELF debug files have the type of the file
    /// that they belong to.)
    case debugSymbols = "dSYM"
    /// An object file as the compiler writes it.
    case relocatable = "object"
    /// GSYM.
    case index
    case other
  }

  /// Looks at every file of `tree`. Cost: the headers of all object files are read.
  package init(_ tree: any FileTree) {
    let content = tree.content()
    var slices: [Slice] = []
    var unusable: [UnusableFile] = []
    var problems = content.problems
    for entry in content.entries {
      do throws(SymbolFileProblem) {
        guard let container = try tree.objectContainer(of: entry) else {
          if Self.isDwarfFile(entry.path) {
            unusable.append(
              UnusableFile(
                path: entry.path,
                problem: SymbolFileProblem(
                  path: entry.shownPath,
                  kind: entry.size == 0 ? .empty : .notASymbolFile(firstBytes: []))))
          }
          continue
        }
        let identities = Set(container.objectFiles.compactMap(\.identity))
        slices += container.objectFiles.map { Slice($0, at: entry, siblings: identities) }
        problems += container.faults.map { SymbolFileProblem($0) }
      } catch {
        unusable.append(UnusableFile(path: entry.path, problem: error))
      }
    }
    self.path = tree.path
    self.slices = slices
    self.unusableFiles = unusable
    self.filePaths = content.entries.map(\.path)
    self.dsymBundles =
      (filePaths + content.emptyDirectories.map { $0 + "/" })
      .compactMap { Self.dsymBundle(of: $0) }.withoutRepetitions
    self.problems = problems
    self.originalIdentities = Self.originalIdentities(of: content.entries, in: tree)
  }

  /// Reads `X.dSYM/Contents/Resources/UUID.plist`.
  private static func originalIdentities(
    of entries: [FileTreeContent.Entry], in tree: any FileTree
  ) -> [ImageIdentity: ImageIdentity] {
    var identities: [ImageIdentity: ImageIdentity] = [:]
    for entry in entries {
      let name = entry.path.lastPathComponent
      guard name.hasSuffix(listSuffix), entry.path.folder.lastPathComponent == "Resources",
        dsymBundle(of: entry.path) != nil,
        let identity = ImageIdentity(hexadecimal: name.dropLast(listSuffix.count).utf8)
      else { continue }
      identities[identity] = tree.propertyList(of: entry).flatMap {
        DsymPropertyList(path: entry.shownPath, content: $0).originalIdentity
      }
    }
    return identities
  }

  private static let listSuffix = ".plist"

  /// Whether the path is that of a DWARF file in a dSYM bundle.
  private static func isDwarfFile(_ path: String) -> Bool {
    path.folder.hasSuffix(BundleName.dsymSuffix + "/" + BundleName.dsymContent)
  }

  /// The path of the outermost dSYM bundle that the file lies in; nil if it lies in none.
  package static func dsymBundle(of path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard
      let index = parts.dropLast().firstIndex(where: {
        $0.hasSuffix(BundleName.dsymSuffix) && $0 != BundleName.dsymSuffix
      })
    else { return nil }
    return parts[...index].joined(separator: "/")
  }
}

extension SymbolFileInventory.Slice {
  fileprivate init(
    _ objectFile: ObjectFile, at entry: FileTreeContent.Entry, siblings: Set<ImageIdentity>
  ) {
    self.treePath = entry.path
    self.shownPath = objectFile.shownPath(ofFile: entry.shownPath)
    self.candidate = SymbolCandidate(objectFile)
    self.role = SymbolFileInventory.Role(objectFile.fileType)
    self.hasDebugInfo = objectFile.hasDebugInfo
    self.isMachO = objectFile.format == .machO
    self.standalone = objectFile.format.standalone
    self.objectFile = objectFile
    self.siblingIdentities = siblings
  }
}

extension SymbolFileInventory.Role {
  init(_ type: ObjectFileType) {
    self =
      switch type {
      case .executable: .executable
      case .dynamicLibrary, .bundle, .dynamicLinker, .kernelExtension: .library
      case .debugSymbols: .debugSymbols
      case .relocatable: .relocatable
      case .index: .index
      case .core, .other: .other
      }
  }
}

extension SymbolFileInventory {
  /// The paths of the archives in a directory, whose members are not listed. Each file is opened.
  package var archivePaths: [String] {
    guard FileKind(path: path) == .directory else { return [] }
    return filePaths.map { path.appendingPath($0) }.filter { SymbolFileKind(path: $0) == .zipOrTar }
  }
}
