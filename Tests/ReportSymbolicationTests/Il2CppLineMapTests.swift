import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

/// The expected lines follow the rule that Sentry's symbolic documents: the nearest entry at or
/// before the line of C++; here at most 50 lines away.
struct Il2CppLineMapTests {
  private static let json = """
    {
      "__debug-id__": "00000000-0000-0000-0000-000000000000",
      "/build/il2cpp/Game.cpp": {
        "/Assets/Player.cs": {"10": 3, "200": 44, "100": 40},
        "/Assets/Enemy.cs": {"150": 7, "x": 1, "151": -1, "152": "8", "153": 1.5}
      },
      "/build/a/Same.cpp": {"/Assets/A.cs": {"1": 1}},
      "/build/b/Same.cpp": {"/Assets/B.cs": {"1": 1}},
      "/build/Odd.cpp": [1, 2],
      "C:\\\\build\\\\Windows.cpp": {"D:\\\\Assets\\\\W.cs": {"5": 6}}
    }
    """

  private func location(_ path: String, _ line: UInt32) throws -> String? {
    let map = try Il2CppLineMap(Array(Self.json.utf8))
    let place = SourceLocation(path: path, line: line, column: 9)
    let found = map.managedLocation(of: place)
    expectEqual(map.managedLocation(of: place), found)
    return found.map { "\($0.path):\($0.line):\($0.column)" }
  }

  @Test(arguments: [
    (0, nil), (9, nil), (10, "/Assets/Player.cs:3:0"), (60, "/Assets/Player.cs:3:0"), (61, nil),
    (99, nil), (100, "/Assets/Player.cs:40:0"), (149, "/Assets/Player.cs:40:0"),
    (150, "/Assets/Enemy.cs:7:0"), (199, "/Assets/Enemy.cs:7:0"), (200, "/Assets/Player.cs:44:0"),
    (250, "/Assets/Player.cs:44:0"), (251, nil), (.max, nil),
  ])
  func nearestEntryAtOrBefore(_ line: UInt32, expected: String?) throws {
    try expectEqual(location("/build/il2cpp/Game.cpp", line), expected)
  }

  /// The Xcode project is often built at another place than the one that Unity wrote it to.
  @Test func aFileIsKnownByAnUnambiguousName() throws {
    try expectEqual(location("/elsewhere/Game.cpp", 10), "/Assets/Player.cs:3:0")
    try expectEqual(location("Windows.cpp", 5), #"D:\Assets\W.cs:6:0"#)
    try expectNil(location("/elsewhere/Same.cpp", 1))
    try expectEqual(location("/build/b/Same.cpp", 1), "/Assets/B.cs:1:0")
    try expectNil(location("/build/Other.cpp", 10))
    try expectNil(location("__debug-id__", 1))
  }

  @Test(arguments: [
    ("", Il2CppMapError.malformed(offset: 0)), ("[]", .malformed(offset: 0)),
    ("{\"a\": {\"b\": {\"1\": 2}}", .malformed(offset: 21)), ("{}", .noFiles),
    ("{\"__debug-id__\": {}}", .noFiles), ("{\"a\": 1}", .noFiles),
  ])
  func refusesOtherFiles(_ text: String, expected: Il2CppMapError) {
    #expect(throws: expected) { try Il2CppLineMap(Array(text.utf8)) }
  }

  @Test func messages() {
    expectEqual(
      Il2CppMapError.malformed(offset: 3).message(path: "MAP"),
      "MAP is not a map of il2cpp lines: it is not a JSON object from byte 3 on; expected LineNumberMappings.json from the folder il2cppOutput/Symbols"
    )
    expectEqual(
      Il2CppMapError.noFiles.message(path: "MAP"),
      "MAP is not a map of il2cpp lines: it names no C++ file; expected LineNumberMappings.json from the folder il2cppOutput/Symbols"
    )
  }
}
