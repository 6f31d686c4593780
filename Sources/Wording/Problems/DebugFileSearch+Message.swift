import SymbolStore
import SymbolicationModel
import SystemPackage

extension DebugFileSearch {
  /// One sentence: what is missing for the symbol file at `symbolFile`, what that costs, where it
  /// was looked for, what to try.
  package func message(for symbolFile: String) -> String {
    let (content, cost, remedy) =
      switch purpose {
      case .sharedInformation:
        (
          "debug information that it shares with other files",
          "functions and inlined calls may have no name",
          "install the package that has it, or put it beside \(symbolFile)"
        )
      case .splitUnits:
        ("its split debug information", "inlined calls are missing", "put it beside \(symbolFile)")
      case .debugInformation:
        (
          "its debug information", "lines and inlined calls are missing",
          "give the file of that build, or put it beside \(symbolFile)"
        )
      case .debugMapObject:
        ("debug information of its functions", "their lines are missing", "put it back")
      }
    return
      "\(symbolFile): cannot use \(name), which has \(content), so \(cost); looked at \(shownAttempts); \(remedy)"
  }

  fileprivate var shownAttempts: String {
    let paths = attempts.map { "\($0.path) (\($0.finding.text))" }.joined(separator: ", ")
    return paths.isEmpty ? "no path" : paths
  }
}

extension [DebugFileSearch] {
  /// One sentence about the object files in the debug map of the symbol file at `symbolFile`:
  /// `count` cannot be used, and these are the searches for the first of them.
  package func message(count: Int, for symbolFile: String) -> String {
    let files = count == 1 ? "an object file" : "\(count) object files"
    let shown = map(\.shownAttempts).joined(separator: ", ")
    let more = count > self.count ? ", and \(count - self.count) more" : ""
    return
      "\(symbolFile): cannot use \(files) with its debug information, so functions from there have no lines; looked at \(shown)\(more); build it again, or give its dSYM"
  }
}

extension DebugFileSearch.Finding {
  /// What was found, to follow the path in a sentence. JSON has the same words (`why`), so they are
  /// part of its schema.
  package var text: String {
    switch self {
    case .absent: "not there"
    case .notElf: "no ELF file"
    case .notMachO: "no Mach-O file"
    case .otherChecksum(let found, let expected):
      "of another build: checksum \(found.hexadecimal) instead of \(expected.hexadecimal)"
    case .otherTime(let found, let expected):
      "changed since it was linked: of \(UtcTime(secondsSince1970: found)) instead of \(UtcTime(secondsSince1970: expected))"
    case .otherLength(let function, let found, let expected):
      "changed since it was linked: \(function) has \(found) bytes there, and \(expected) in the image"
    case .otherArchitecture(let found, let expected):
      "of \(found.map(\.name).joined(separator: " and ")) and not \(expected)"
    case .missingMember(let name): "no member \(name)"
    case .otherIdentity(let found, let expected):
      "of another build: \(found.map { "\($0)" } ?? "no identity") instead of \(expected.map { "\($0)" } ?? "none")"
    case .missingSection(let name): "has no \(name)"
    case .unreadable(.inaccessible(let errno, _)): "\(Errno(rawValue: errno))"
    case .unreadable(.directory): "a directory"
    case .unreadable(.specialFile): "a pipe, a device or a socket"
    case .unreadable: "damaged"
    }
  }
}

extension XcframeworkGap {
  /// Why the library has no dSYM, and what to do.
  package var sentences: String {
    let list = "\(xcframeworkPath)/Info.plist states"
    let folder = "\(xcframeworkPath)/\(identifier)"
    let advice = "Copy the whole .xcframework, or ask its vendor for the dSYM."
    switch reason {
    case .unstated:
      return
        "\(list) no DebugSymbolsPath for \(identifier), so its vendor shipped no dSYM. Ask the vendor for it."
    case .leadsOut(let path):
      return
        "\(list) the DebugSymbolsPath \(path) for \(identifier), which leads out of \(folder) and is not followed. Ask the vendor for the dSYM."
    case .noFolder(let path):
      return
        "\(list) the DebugSymbolsPath \(path) for \(identifier), but \(folder) has no such folder. \(advice)"
    case .noDsyms(let path):
      return
        "\(list) the DebugSymbolsPath \(path) for \(identifier), but there is no dSYM in that folder of \(folder). \(advice)"
    }
  }
}
