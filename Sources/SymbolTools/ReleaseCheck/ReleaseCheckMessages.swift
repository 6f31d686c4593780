import FileSystem
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Wording

extension CheckedImage {
  /// `Kit (arm64)`
  var shownName: String {
    architecture == .unknown ? name : "\(name) (\(architecture.name))"
  }
}

extension CheckedImage.Defect {
  /// One or two sentences: what is wrong, and what to do.
  func message(of image: CheckedImage) -> String {
    let identity = image.identity.map { "UUID \($0)" } ?? "no UUID"
    switch self {
    case .noDsym:
      return
        "There is no dSYM with \(identity). Build with DEBUG_INFORMATION_FORMAT=dwarf-with-dsym, or add the dSYM that came with \(image.name)."
    case .noDsymInXcframework(let gap):
      return "There is no dSYM with \(identity). \(gap.sentences)"
    case .otherBuild(let path, let found):
      let other = found.map { "UUID \($0)" } ?? "no UUID"
      return
        "\(path) is from another build: it has \(other), but \(image.name) has \(identity). Use the dSYM of the same build."
    case .otherSlices(let path, let found):
      let names = found.map(\.name).joined(separator: ", ")
      return
        "\(path) has no \(image.architecture.name) slice with \(identity), only \(names). Build the dSYM for all architectures of \(image.name)."
    case .emptyDsym(let path):
      return
        "\(path) is empty: it has no DWARF file. Build \(image.name) with debug information (-g), and run dsymutil again."
    case .unreadable(let problem):
      return "The dSYM of \(image.name) cannot be read: \(problem.message)."
    case .noDebugInformation(let path):
      return
        "\(path) has the right UUID but no debug information. Build \(image.name) with debug information (-g); run dsymutil before strip, and while the object files still exist."
    case .damagedDebugInformation(let path, let problem):
      return "The debug information in \(path) cannot be read: \(problem.message)."
    case .noLines(let path):
      return
        "\(path) has no line numbers for the code of \(image.name). Build it with -g, or at least with -gline-tables-only."
    case .hiddenNames(let path, let map):
      return
        "The names in \(path) are hidden (__hidden#…), and \(map) is missing. Add that file from the archive or from App Store Connect."
    case .noUuid:
      return
        "\(image.name) has no UUID, so no dSYM can be matched to it. Link it without -no_uuid."
    }
  }

  /// A word for programs.
  var schemaName: String {
    switch self {
    case .noDsym, .noDsymInXcframework: "noDsym"
    case .otherBuild: "otherBuild"
    case .otherSlices: "otherSlices"
    case .emptyDsym: "emptyDsym"
    case .unreadable: "unreadable"
    case .noDebugInformation: "noDebugInformation"
    case .damagedDebugInformation: "damagedDebugInformation"
    case .noLines: "noLines"
    case .hiddenNames: "hiddenNames"
    case .noUuid: "noUuid"
    }
  }
}

extension ReleaseCheck {
  /// What else is worth saying, one sentence each. None of it keeps the release from passing.
  var notes: [String] {
    let strays = strayDsyms.map { stray -> String in
      let identities = stray.identities.map { "\($0)" }.joined(separator: ", ")
      let shown = identities.isEmpty ? "" : " (UUID \(identities))"
      return "\(stray.path)\(shown) belongs to no image here."
    }
    let allowances = unusedAllowances.map { "No image is called \($0), which --allow names." }
    return strays + allowances + symbolsFileNotes
  }

  private var symbolsFileNotes: [String] {
    guard isIpa else { return [] }
    let missing = images.filter {
      $0.symbolsFile == nil && $0.identity != nil && $0.verdict != .apple
    }
    guard !missing.isEmpty else { return [] }
    if missing.count == images.count(where: { $0.identity != nil && $0.verdict != .apple }) {
      return [
        "The .ipa has no Symbols folder: App Store Connect gets no symbols with it. Export it with uploadSymbols to include them."
      ]
    }
    return missing.map {
      "Symbols/\($0.identity.map { "\($0)" } ?? "").symbols is missing for \($0.shownName)."
    }
  }

  /// `2 of 3 images have complete debug information, 1 does not`
  var tally: String {
    guard !images.isEmpty else { return "\(path): there is no Mach-O program or library in it" }
    let complete = images.count { if case .complete = $0.verdict { true } else { false } }
    let allowed = images.count { if case .allowed = $0.verdict { true } else { false } }
    let apple = images.count { $0.verdict == .apple }
    let failed = images.count { $0.defect != nil }
    var parts = [
      images.count == 1
        ? "\(complete) of 1 image has complete debug information"
        : "\(complete) of \(images.count) images have complete debug information"
    ]
    if failed > 0 { parts.append(failed == 1 ? "1 does not" : "\(failed) do not") }
    if allowed > 0 { parts.append("\(allowed) allowed without it") }
    if apple > 0 { parts.append("\(apple) from Apple, without dSYMs") }
    return "\(path): " + parts.joined(separator: "; ")
  }
}
