import SymbolicationModel
import SystemPackage

extension SupplementaryFileSearch {
  /// One sentence: what is missing for the symbol file at `symbolFile`, what its absence costs, where
  /// it was looked for.
  func message(for symbolFile: String) -> String {
    let use: String
    let remedy: String
    switch purpose {
    case .sharedInformation:
      use = "what it shares with other files, so functions and inlined calls may have no name"
      remedy = "install the package that has it, or put it beside \(symbolFile)"
    case .splitUnits:
      use = "its split debug information, so inlined calls are missing"
      remedy = "put it beside \(symbolFile)"
    }
    let places = attempts.map { "\($0.path) (\($0.finding.text))" }.joined(separator: ", ")
    return
      "\(symbolFile): cannot use \(name), which has \(use); looked at \(places.isEmpty ? "no place" : places); \(remedy)"
  }
}

extension SupplementaryFileSearch.Finding {
  fileprivate var text: String {
    switch self {
    case .absent: "not there"
    case .notElf: "no ELF file"
    case .otherIdentity(let found, let expected):
      "of another build: \(found.map { "\($0)" } ?? "no identity") instead of \(expected.map { "\($0)" } ?? "none")"
    case .missingSection(let name): "has no \(name)"
    case .unreadable(.inaccessible(let errno)): "\(Errno(rawValue: errno))"
    case .unreadable(.directory): "a directory"
    case .unreadable(.specialFile): "a pipe, a device or a socket"
    case .unreadable: "damaged"
    }
  }
}
