import SymbolicationModel
import TestSupport
import Testing

@testable import ReportSymbolication

/// Mappings and prefixes applied to paths. Expected values follow from the rules in README.md:
/// whole components, the first mapping as gdb's `substitute-path` and lldb's `target.source-map`
/// have it, then the longest prefix; nothing is normalised.
struct SourcePathRulesTests {
  private func shown(
    _ path: String, maps: [String] = [], strips: [String] = []
  ) throws -> String {
    let rules = SourcePathRules(
      mappings: try maps.map { try require(PathMapping($0)) },
      strippedPrefixes: try strips.map { try require(PathPrefix($0)) })
    expectEqual(rules.showsFullPath, !(maps.isEmpty && strips.isEmpty))
    let place = SymbolicationModel.SourceLocation(path: path, line: 7, column: 3)
    let result = rules.shown(place)
    expectEqual(result.line, 7)
    expectEqual(result.column, 3)
    return result.path
  }

  @Test(arguments: [
    ("/a/b/x.swift", "/a/b", "x.swift"),
    ("/a/b/x.swift", "/a/b/", "x.swift"),
    ("/a/b/x.swift", "/a/b//", "x.swift"),
    ("/a/b//x.swift", "/a/b", "x.swift"),
    ("/a/bc/x.swift", "/a/b", "/a/bc/x.swift"),
    ("/a/b", "/a/b", "/a/b"),
    ("/a/b/x.swift", "/", "a/b/x.swift"),
    ("/a/b/x.swift", "a", "/a/b/x.swift"),
    ("a/b/x.swift", "a", "b/x.swift"),
    ("/a/./b/x.swift", "/a/b", "/a/./b/x.swift"),
    ("/a/./b/x.swift", "/a", "./b/x.swift"),
    ("/a/b/../x.swift", "/a/b", "../x.swift"),
    ("./src/x.c", ".", "src/x.c"),
    ("././src/x.c", "./", "src/x.c"),
    ("../x.c", ".", "../x.c"),
    (".hidden/x.c", ".", ".hidden/x.c"),
    ("/a/é/x.c", "/a/é", "x.c"),
    // Whole characters count, not what they are made of.
    ("/a/e\u{301}/x.c", "/a/e", "/a/e\u{301}/x.c"),
    (#"C:\src\a.c"#, #"C:\src"#, "a.c"),
    (#"C:\src\a.c"#, #"C:\src\"#, "a.c"),
    (#"C:\src\a.c"#, "C:/src", "a.c"),
    (#"C:\src\a.c"#, #"C:\sr"#, #"C:\src\a.c"#),
    (#"C:\src\a.c"#, ".", #"C:\src\a.c"#),
    // On other systems, a backslash is an ordinary character.
    (#"/a\b/x.c"#, "/a", #"/a\b/x.c"#),
    // These are not file names.
    ("/<compiler-generated>", "/", "/<compiler-generated>"),
    ("/a/<compiler-generated>", "/a", "/a/<compiler-generated>"),
    ("/a/<b>/x.c", "/a", "<b>/x.c"),
  ])
  func prefixes(path: String, prefix: String, expected: String) throws {
    try expectEqual(shown(path, strips: [prefix]), expected)
  }

  @Test(arguments: [
    ("/a/b/x.swift", "/a=/c", "/c/b/x.swift"),
    ("/a/b/x.swift", "/a/=/c/", "/c/b/x.swift"),
    ("/a/b/x.swift", "/a/b/x.swift=/c/y.swift", "/c/y.swift"),
    ("/a/b/x.swift", "/a=", "b/x.swift"),
    ("/a/b/x.swift", "/a=/", "/b/x.swift"),
    ("/a/b/x.swift", "/=/sysroot", "/sysroot/a/b/x.swift"),
    ("/a/b/x.swift", "/a/b/x.swift=", "/a/b/x.swift"),
    ("/ab/x.swift", "/a=/c", "/ab/x.swift"),
    ("./src/x.c", ".=/repo", "/repo/src/x.c"),
    ("src/x.c", ".=/repo", "/repo/src/x.c"),
    ("src/x.c", "src=lib", "lib/x.c"),
    // The first equals sign separates.
    ("/a/x.c", "/a=/b=c", "/b=c/x.c"),
    (#"C:\src\sub\a.c"#, #"C:\src=/home/me/src"#, "/home/me/src/sub/a.c"),
    (#"C:\src\sub\a.c"#, #"C:\src=D:\old"#, #"D:\old/sub\a.c"#),
    ("/a/<compiler-generated>", "/a=/c", "/a/<compiler-generated>"),
  ])
  func mappings(path: String, mapping: String, expected: String) throws {
    try expectEqual(shown(path, maps: [mapping]), expected)
  }

  /// One mapping is applied, once; then one prefix is removed.
  @Test func orders() throws {
    try expectEqual(shown("/a/b/x.c", maps: ["/a=/first", "/a/b=/second"]), "/first/b/x.c")
    try expectEqual(shown("/a/b/x.c", maps: ["/a/b=/second", "/a=/first"]), "/second/x.c")
    try expectEqual(shown("/a/x.c", maps: ["/a=/b", "/b=/c"]), "/b/x.c")
    try expectEqual(shown("/a/a/x.c", maps: ["/a="]), "a/x.c")
    for strips in [["/a", "/a/b"], ["/a/b", "/a"]] {
      try expectEqual(shown("/a/b/x.c", strips: strips), "x.c")
      try expectEqual(shown("/a/c/x.c", strips: strips), "c/x.c")
    }
    try expectEqual(shown("/a/b/x.c", maps: ["/a=/repo"], strips: ["/a", "/repo"]), "b/x.c")
    try expectEqual(
      shown("/a/b/x.c", maps: ["/a=/repo"], strips: ["/repo", "/repo/b/x.c"]), "/repo/b/x.c")
  }

  @Test func wrongArguments() {
    for argument in ["", "=", "=/new", "/old"] { expectNil(PathMapping(argument)) }
    expectNil(PathPrefix(""))
  }

  /// A name for code without a file is not shown as a path.
  @Test(arguments: [
    ("/a/x.swift", "/a/x.swift"), ("x.swift", "x.swift"), ("./x.swift", "./x.swift"),
    ("/a/<compiler-generated>", "<compiler-generated>"),
    ("/<compiler-generated>", "/<compiler-generated>"),
    ("<stdin>", "<stdin>"), ("/a/<b>/x.c", "/a/<b>/x.c"), (#"C:\a\x.c"#, #"C:\a\x.c"#),
  ])
  func fullPath(path: String, expected: String) {
    let place = SymbolicationModel.SourceLocation(path: path, line: 1)
    expectEqual(SourcePathRules(showsFullPath: true).shownFile(place), expected)
    expectEqual(SourcePathRules().shownFile(place), place.fileName)
  }
}
