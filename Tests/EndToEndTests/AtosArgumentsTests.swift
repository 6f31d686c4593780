import TestSupport
import Testing

@testable import symbolicate

/// The grammar of `atos`'s command line, after Apple's man page and the ways in which scripts call
/// it.
struct AtosArgumentsTests {
  private func parsed(_ words: [String]) throws -> AtosArguments {
    guard case .run(let arguments) = try AtosArguments.parse(words) else {
      Issue.record("help instead of a run")
      return AtosArguments()
    }
    return arguments
  }

  /// The options that were read, by the names of their properties. Their types belong to a module
  /// that this target does not import.
  private func options(_ words: [String]) throws -> [String: String] {
    let children = Mirror(reflecting: try parsed(words).options).children
    let pairs = children.map { child in
      (child.label ?? "", "\(child.value)".replacing("SymbolicationModel.", with: ""))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private func option(_ name: String, _ words: [String]) throws -> String? {
    try options(["-o", "x"] + words)[name]
  }

  @Test(arguments: [
    ["-o", "a b"], ["--o", "a b"], ["-oa b"], ["-o=a b"], ["--o=a b"],
  ])
  func symbolFile(words: [String]) throws {
    try expectEqual(options(words)["symbolFiles"], #"["a b"]"#)
  }

  @Test func symbolFilesKeepTheirOrder() throws {
    try expectEqual(
      options(["-o", "b", "1", "-o", "a", "-o", "b"])["symbolFiles"], #"["b", "a", "b"]"#)
  }

  @Test func attachedValuesMayContainEqualsSigns() throws {
    try expectEqual(options(["-oa=b"])["symbolFiles"], #"["a=b"]"#)
    try expectEqual(options(["-o=a=b"])["symbolFiles"], #"["a=b"]"#)
    try expectEqual(options(["-o", "-x=y"])["symbolFiles"], #"["-x=y"]"#)
    try expectEqual(parsed(["-o", "x", "-fa=b"]).addressFile, "a=b")
  }

  @Test(arguments: [
    ["-arch", "arm64e"], ["--arch", "arm64e"], ["-arch=arm64e"], ["--arch=arm64e"],
  ])
  func architecture(words: [String]) throws {
    try expectEqual(option("architecture", words), "Optional(arm64e)")
  }

  @Test(arguments: [
    (["-l", "0x1000"], "loaded(at: LoadAddress(value: 4096))"),
    (["-l", "1000"], "loaded(at: LoadAddress(value: 4096))"),
    (["--l", "0X1000"], "loaded(at: LoadAddress(value: 4096))"),
    (["-l1000"], "loaded(at: LoadAddress(value: 4096))"),
    (["-l=0x1000"], "loaded(at: LoadAddress(value: 4096))"),
    (["-l", "ffffffffffffffff"], "loaded(at: LoadAddress(value: 18446744073709551615))"),
    (["-s", "0x10"], "slid(by: 16)"), (["-s10"], "slid(by: 16)"),
    // 2^64 − 16: the image was moved down.
    (["-s", "-0x10"], "slid(by: 18446744073709551600)"),
    (["-s-10"], "slid(by: 18446744073709551600)"),
    (["-textExecAddress", "1f"], "textExecLoaded(at: LoadAddress(value: 31))"),
    (["--textExecAddress=1f"], "textExecLoaded(at: LoadAddress(value: 31))"),
    (["-offset"], "offset"), (["--offset"], "offset"), ([], "linked"),
  ])
  func addressing(words: [String], expected: String) throws {
    try expectEqual(option("addressing", words), expected)
  }

  @Test func flags() throws {
    try expectEqual(option("showsFullPath", []), "false")
    try expectEqual(option("showsInlinedFrames", []), "false")
    try expectEqual(option("inlineDelimiter", []), "\n")
    for word in ["-fullPath", "--fullPath"] {
      try expectEqual(option("showsFullPath", [word]), "true")
    }
    for word in ["-i", "--i", "-inlineFrames", "--inlineFrames"] {
      try expectEqual(option("showsInlinedFrames", [word]), "true")
    }
    for words in [["-d", "@"], ["-d@"], ["-delimiter", "@"], ["--delimiter=@"]] {
      try expectEqual(option("inlineDelimiter", words), "@")
    }
    try expectEqual(option("inlineDelimiter", ["-d", ""]), "")
    try expectEqual(option("inlineDelimiter", ["-dedup"]), "\n")
  }

  @Test(arguments: [
    ([], "cached(directory: nil)"), (["-no-index"], "never"), (["--no-index"], "never"),
    (["-index-dir", "a b"], #"cached(directory: Optional("a b"))"#),
    (["--index-dir=a=b"], #"cached(directory: Optional("a=b"))"#),
    (["-no-index", "-index-dir", "a"], "never"), (["-index-dir", "a", "-no-index"], "never"),
  ])
  func indexes(words: [String], expected: String) throws {
    try expectEqual(option("indexUse", words), expected)
  }

  @Test func addressesMayComeAnywhere() throws {
    let arguments = try parsed(["1", "-o", "x", "0x2", "-i", "+", "-l", "3", "", "4"])
    expectEqual(arguments.addresses, ["1", "0x2", "+", "", "4"])
    expectNil(arguments.addressFile)
    try expectEqual(parsed(["-o", "x", "--", "-i", "--", "5"]).addresses, ["-i", "--", "5"])
    try expectEqual(parsed(["-o", "x", "-"]).addresses, ["-"])
    try expectEqual(parsed(["-f", "file", "-o", "x"]).addressFile, "file")
  }

  @Test(arguments: [
    ([], AtosArguments.UsageError.noSymbolFile),
    (["0x1000", "-i"], .noSymbolFile),
    (["-o", "x", "-l", "1", "-s", "1"], .severalAddressings),
    (["-o", "x", "-l", "1", "-l", "1"], .severalAddressings),
    (["-o", "x", "-offset", "-textExecAddress", "1"], .severalAddressings),
    (["-x"], .unknownOption("-x")), (["--arch64"], .unknownOption("--arch64")),
    (["-offset=1"], .unknownOption("-offset=1")), (["-i5"], .unknownOption("-i5")),
    (["--oX"], .unknownOption("--oX")), (["---"], .unknownOption("---")),
    (["-o"], .missingValue(option: "-o")), (["--arch"], .missingValue(option: "--arch")),
    (["-o", "x", "-f"], .missingValue(option: "-f")),
    (["-l", "0x"], .notAnAddress(option: "-l", value: "0x")),
    (["-l", ""], .notAnAddress(option: "-l", value: "")),
    (["-l", "-1"], .notAnAddress(option: "-l", value: "-1")),
    (["-s", "--1"], .notAnAddress(option: "-s", value: "--1")),
    (["-s", "1g"], .notAnAddress(option: "-s", value: "1g")),
    (["-l", "10000000000000000"], .notAnAddress(option: "-l", value: "10000000000000000")),
    (["-p", "1"], .noLiveProcesses(option: "-p")), (["-p1"], .noLiveProcesses(option: "-p1")),
    (["-o", "x", "-printHeader"], .noLiveProcesses(option: "-printHeader")),
  ])
  func errors(words: [String], error: AtosArguments.UsageError) {
    #expect(throws: error) { try AtosArguments.parse(words) }
  }

  @Test(arguments: ["-help", "--help"])
  func help(word: String) throws {
    // Before anything that is missing is complained about.
    guard case .help = try AtosArguments.parse([word]) else {
      Issue.record("\(word) is not taken for help")
      return
    }
  }

  @Test(arguments: ["-h", "--h"])
  func shortHelp(word: String) throws {
    guard case .shortHelp = try AtosArguments.parse([word]) else {
      Issue.record("\(word) is not taken for a short help")
      return
    }
  }
}
