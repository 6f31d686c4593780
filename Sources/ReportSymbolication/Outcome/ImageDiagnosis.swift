package import SymbolStore
package import SymbolicationModel
package import Wording

/// Why the frames of an image have names and lines, or why not.
package struct ImageDiagnosis: Hashable, Sendable {
  package let image: ReportImage
  package let cause: Cause
  /// All frames in it.
  package let frameCount: Int
  /// Frames to which the report itself gives a name.
  package let namedCount: Int
  /// Frames without a name in the report that got one.
  package let resolvedCount: Int
  /// Frames that have a line now.
  package let lineCount: Int

  package init(
    image: ReportImage, cause: Cause, frameCount: Int, namedCount: Int, resolvedCount: Int,
    lineCount: Int
  ) {
    self.image = image
    self.cause = cause
    self.frameCount = frameCount
    self.namedCount = namedCount
    self.resolvedCount = resolvedCount
    self.lineCount = lineCount
  }

  /// Frames without a name.
  package var unresolvedCount: Int { frameCount - namedCount - resolvedCount }

  /// The most files of other builds that are named for an image.
  package static let candidateLimit = 100

  package enum Cause: Hashable, Sendable {
    /// There is a symbol file for it.
    case found(FoundSymbols)
    /// No place has a file of its UUID or its name.
    case noCandidate
    /// Files of its name are from other builds. Never empty; at most `candidateLimit`.
    case otherBuilds([DiagnosedCandidate])
    /// The file of its name has only other slices.
    case otherSlices(path: String, found: [Architecture])
    /// The dSYM of its name has no DWARF file, or an empty one.
    case emptyDsym(path: String)
    /// The file of its name cannot be read.
    case unreadable(SymbolFileProblem)
    /// The file at a path that follows from its identity is refused.
    case refused(path: String, DebugFileSearch.Finding)
    /// It is part of the operating system, and no place has its symbols.
    case systemLibrary(System)
    /// The report does not state its UUID or build-id, and no file that was given by name has its
    /// name.
    case unknownIdentity
  }

  package enum System: Hashable, CaseIterable, Sendable {
    case apple
    case linux
  }

  /// Whether something is missing that its developer can provide. Developers of apps have nothing
  /// for the libraries of the operating system.
  package var isIncomplete: Bool {
    guard !image.belongsToSystem else { return false }
    return switch cause {
    case .found(let found):
      unresolvedCount > 0 || found.missingSymbolMap != nil
        || [.symbols, .nothing, .debugInformationWithoutLines].contains(found.content)
    case .systemLibrary: false
    case .noCandidate, .otherBuilds, .otherSlices, .emptyDsym, .unreadable, .refused,
      .unknownIdentity:
      unresolvedCount > 0
    }
  }
}

/// The symbol file of an image.
package struct FoundSymbols: Hashable, Sendable {
  package let path: String
  package let basis: SymbolMatch.Basis
  /// Nil if it is not known.
  package let place: SymbolPlace?
  package let content: Content
  /// The separate file with the debug information, if it is not in the file itself.
  package let debugFilePath: String?
  /// Why the hidden names of the file are not replaced; nil if names are not hidden, or are.
  package let missingSymbolMap: SymbolMapFinding?
  package let origin: BuildOrigin?
  /// If there is no debug information: why the xcframework that the image comes from has no dSYM.
  package let xcframeworkGap: XcframeworkGap?

  package init(
    path: String, basis: SymbolMatch.Basis, place: SymbolPlace?, content: Content,
    debugFilePath: String?, missingSymbolMap: SymbolMapFinding?, origin: BuildOrigin?,
    xcframeworkGap: XcframeworkGap?
  ) {
    self.path = path
    self.basis = basis
    self.place = place
    self.content = content
    self.debugFilePath = debugFilePath
    self.missingSymbolMap = missingSymbolMap
    self.origin = origin
    self.xcframeworkGap = xcframeworkGap
  }

  package enum Content: Hashable, Sendable {
    /// DWARF with line rows, in the file or beside it.
    case debugInformation
    case debugInformationWithoutLines
    /// Functions and lines in a format that answers alone.
    case standalone(StandaloneFormat)
    /// A symbol table alone.
    case symbols
    case nothing
  }
}

/// A symbol file of an image's name that is not its own.
package struct DiagnosedCandidate: Hashable, Sendable {
  package let candidate: SymbolCandidate
  package let place: SymbolPlace
  package let origin: BuildOrigin?

  package init(candidate: SymbolCandidate, place: SymbolPlace, origin: BuildOrigin?) {
    self.candidate = candidate
    self.place = place
    self.origin = origin
  }
}

extension ImageDiagnosis {
  /// `Letter Shuffle (UUID A4B1DE49-…, arm64), 6 frames: its symbols were found`
  package var heading: StyledText {
    let count = counted(frameCount, "frame")
    let start = "\(image.shownIdentity), \(count): "
    if image.belongsToSystem { return StyledText(start + headline, .faint) }
    var text = StyledText(start, .strong)
    text.append(headline, isIncomplete ? .alarm : .strong)
    return text
  }

  private var headline: String {
    switch cause {
    case .found(let found):
      switch found.content {
      case .debugInformation, .standalone:
        found.missingSymbolMap == nil ? "found" : "names are hidden"
      case .debugInformationWithoutLines: "found, but without lines"
      case .symbols: "found, but only with symbols"
      case .nothing: "found, but empty"
      }
    case .noCandidate: "no symbols found"
    case .otherBuilds: "only other builds found"
    case .otherSlices: "only other architectures found"
    case .emptyDsym: "its dSYM is empty"
    case .unreadable: "its symbols cannot be read"
    case .refused: "its symbols are not used"
    case .systemLibrary: "part of the operating system"
    case .unknownIdentity: "its UUID is not known"
    }
  }

  /// What was found, why it is not enough, and what would be.
  package func sentences(system: String?, _ places: SymbolPlaces) -> [String] {
    switch cause {
    case .found(let found): return sentences(about: found)
    case .noCandidate:
      guard !(places.paths + places.searchDirectories).isEmpty else {
        let found =
          places.reportFolders.isEmpty
          ? "No folder was searched."
          : "Nothing beside the report fits, and no other folder was searched."
        return [found + " Give symbol files with -d, or a directory to search with -s."]
      }
      return [
        "No file in the places that were searched has this \(identityName), and none has the name \(image.name)."
      ]
    case .otherBuilds(let candidates):
      let shown = candidates.prefix(5).map { candidate in
        "\(candidate.candidate.path) is from another build: \(candidate.candidate.shownIdentity)\(candidate.origin.map { ", \($0.text)" } ?? "")."
      }
      let rest = candidates.count - shown.count
      // Beyond the limit they were not counted.
      let count = candidates.count < Self.candidateLimit ? "\(rest)" : "At least \(rest)"
      return shown
        + (rest > 0 ? ["\(count) more files of this name are from other builds."] : [])
        + ["Only symbols of the very build that crashed fit, even if no source file changed."]
        + (image.belongsToSystem ? [image.system.sentence(system: system)] : [])
    case .otherSlices(let path, let found):
      let names = found.map(\.name).joined(separator: ", ")
      return [
        "\(path) has no slice for \(image.architecture?.name ?? "this architecture"), only \(names)."
      ]
    case .emptyDsym(let path):
      return [
        "\(path) has no DWARF file, or an empty one. It was made without debug information, or not copied completely."
      ]
    case .unreadable(let problem): return [problem.message + "."]
    case .refused(let path, let finding): return ["\(path) is not used: \(finding.text)."]
    case .systemLibrary(let kind): return [kind.sentence(system: system)]
    case .unknownIdentity:
      return [
        "The report does not state its UUID, so no file can be proved to be its own. Get the whole report, with its list of images; or give the symbol file itself with -d, which is then matched by name."
      ]
    }
  }

  private func sentences(about found: FoundSymbols) -> [String] {
    let basis =
      found.basis == .identity
      ? "has this \(identityName)"
      : "has this name; the report does not state a UUID, so it may be another build"
    let origin = found.origin.map { " (\($0.text))" } ?? ""
    let place = found.place?.phrase.map { "; it was found \($0)" } ?? ""
    var sentences = ["\(found.path)\(origin) \(basis)\(place)."]
    switch found.content {
    case .debugInformation:
      sentences.append(
        found.debugFilePath.map { "Its debug information is in \($0)." }
          ?? "It has debug information with line numbers.")
    case .debugInformationWithoutLines:
      sentences.append("Its debug information has no line numbers: build with -g.")
    case .standalone(let format):
      // The indexes there that answer alone are those of a system.
      let hasLines = format.hasLines && found.place != .indexCache
      sentences.append(
        "It is \(format.term), which has \(hasLines ? "functions and lines" : "names").")
    case .symbols:
      sentences.append(
        "It has a symbol table but no debug information, so there are names but no lines. The dSYM of the same build has them."
      )
    case .nothing:
      sentences.append("It has neither debug information nor symbols: it was stripped.")
    }
    if let gap = found.xcframeworkGap { sentences.append(gap.sentences) }
    if let finding = found.missingSymbolMap {
      sentences.append(finding.sentence(isInArchive: found.place?.isArchive == true))
    }
    return sentences + [countSentence]
  }

  private var countSentence: String {
    let asked = frameCount - namedCount
    let named = namedCount > 0 ? "; the report names the other \(namedCount)" : ""
    let lines = lineCount == frameCount ? "all with lines" : "\(lineCount) of them with lines"
    if asked == 0 {
      return "The report names all \(frameCount) frames; \(lineCount) have lines now."
    }
    return "\(resolvedCount) of \(asked) frames resolved\(named), \(lines)."
  }

  private var identityName: String {
    image.identity?.bytes.count == 16 || image.identity == nil ? "UUID" : "build-id"
  }

  /// Nil if no command helps.
  package var nextStep: String? {
    guard let identity = image.identity else { return nil }
    if case .found(let found) = cause {
      if let map = found.missingSymbolMap {
        guard found.place?.isArchive != true else { return nil }
        return "find ~ -name \(ShellText.quoted(map.mapPath.lastPathComponent))"
      }
      switch found.content {
      case .debugInformation, .standalone: return nil
      case .debugInformationWithoutLines, .symbols, .nothing: break
      }
    }
    guard identity.bytes.count == 16, !image.isFromLinux else {
      return "debuginfod-find debuginfo \(identity)"
    }
    return "mdfind 'com_apple_xcode_dsym_uuids == \(identity)'  # on the Mac that built it"
  }
}

extension SymbolPlace {
  /// Where a file was found, to follow `it was found`; nil if nothing is to be said.
  fileprivate var phrase: String? {
    switch self {
    case .given, .companion, .indexCache: nil
    case .givenDirectory: "in a directory given with -d"
    case .searchDirectory: "in a search directory"
    case .givenArchive: "in an archive given with -d"
    case .foundArchive: "in an archive in a folder that was searched"
    case .layout: "without a search, at the path that follows from it"
    case .reportFolder: "beside the report"
    case .systemDebugDirectory: "where the system keeps debug information"
    case .server: "on a symbol server"
    }
  }

  fileprivate var isArchive: Bool { self == .givenArchive || self == .foundArchive }
}

extension SymbolMapFinding {
  /// Why names stay hidden, and what to do.
  fileprivate func sentence(isInArchive: Bool) -> String {
    let start = "Its names are hidden (__hidden#…)"
    if isInArchive {
      return
        "\(start). The BCSymbolMap \(mapPath.lastPathComponent) has the real ones, but it is not looked for in a zip or tar archive: unpack the archive and give the folder with -d."
    }
    switch self {
    case .absent(let name):
      return
        "\(start). The BCSymbolMap \(name) has the real ones; it is in BCSymbolMaps of the archive."
    case .unusable(let path, let refusal):
      return "\(start), and \(path) cannot replace them: \(refusal.text)."
    case .missingName(let path, let number, let count):
      return
        "\(start), and \(path) does not belong to it: it has \(count) names, but name \(number) is needed."
    }
  }
}

extension ImageDiagnosis.System {
  /// Where symbols of such libraries come from.
  fileprivate func sentence(system: String?) -> String {
    switch self {
    case .apple:
      let name = system.map { $0.isEmpty ? "this system" : $0 } ?? "this system"
      return
        "An app's dSYMs do not have the symbols of \(name). A Mac has them in ~/Library/Developer/Xcode/*DeviceSupport after a device with that system was connected to it; 'ipsw' extracts them from the firmware."
    case .linux:
      return
        "The distribution has its symbols in debug packages (-dbg, -dbgsym, -debuginfo), and on its debuginfod server."
    }
  }
}

extension BuildOrigin {
  /// `com.example.App 1.3 (6), in App.xcarchive of 2024-01-02 03:04:05 UTC`
  package var text: String {
    var parts: [String] = []
    let version = [self.version, build.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    let whose = [bundleIdentifier, version.isEmpty ? nil : version].compactMap(\.self)
    if !whose.isEmpty { parts.append(whose.joined(separator: " ")) }
    if let archivePath {
      let date = archiveDate.map { " of \(UtcTime(secondsSince1970: $0))" } ?? ""
      parts.append("in \(archivePath.lastPathComponent)\(date)")
    }
    return parts.joined(separator: ", ")
  }
}

extension SymbolMapFinding {
  /// The name of the symbol map that is missing, or the path of the one that cannot be used.
  package var mapPath: String {
    switch self {
    case .absent(let name): name
    case .unusable(let path, _), .missingName(let path, _, _): path
    }
  }
}
