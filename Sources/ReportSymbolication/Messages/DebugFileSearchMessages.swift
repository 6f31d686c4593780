import SymbolicationModel
import SystemPackage

extension DebugFileSearch {
  /// One sentence: what is missing for the symbol file at `symbolFile`, what its absence costs,
  /// where it was looked for.
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
    case .debugInformation:
      use = "its debug information, so lines and inlined calls are missing"
      remedy = "give the file of that build, or put it beside \(symbolFile)"
    case .debugMapObject:
      use = "the debug information of some of its functions"
      remedy = "put it back"
    }
    return
      "\(symbolFile): cannot use \(name), which has \(use); looked at \(shownAttempts); \(remedy)"
  }

  fileprivate var shownAttempts: String {
    let places = attempts.map { "\($0.path) (\($0.finding.text))" }.joined(separator: ", ")
    return places.isEmpty ? "no place" : places
  }
}

extension [DebugFileSearch] {
  /// One sentence about the first of `count` object files that cannot be used and that the debug
  /// map of the symbol file at `symbolFile` leads to.
  func message(count: Int, for symbolFile: String) -> String {
    let files = count == 1 ? "an object file" : "\(count) object files"
    let shown = map(\.shownAttempts).joined(separator: ", ")
    let more = count > self.count ? ", and \(count - self.count) more" : ""
    return
      "\(symbolFile): cannot use \(files) with its debug information, so functions there have no lines; looked at \(shown)\(more); build it again, or give its dSYM"
  }
}

extension DebugFileSearch.Finding {
  /// To follow the path in a sentence.
  var text: String {
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
