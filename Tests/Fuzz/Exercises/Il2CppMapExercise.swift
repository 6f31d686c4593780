import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// How many lines after an entry still belong to it (docs/cli.md).
private let reach: UInt32 = 50
/// The entries of an input whose neighbourhood is asked about.
private let entryLimit = 64

/// Reads the input as a map of il2cpp lines. Each answer is an entry of the map, and none is
/// nearer.
func exerciseIl2CppMaps(_ bytes: [UInt8]) throws(Violation) {
  let map: Il2CppLineMap
  do throws(Il2CppMapError) {
    map = try Il2CppLineMap(bytes)
  } catch {
    if case .malformed(let offset) = error {
      try require((0...bytes.count).contains(offset), "damage is in the input")
    }
    return
  }
  guard let document = try? JsonDocument(bytes) else {
    throw Violation(statement: "a map is JSON", file: #fileID, line: #line)
  }
  // Of members with one name, the last one counts.
  var files: [String: JsonValue] = [:]
  for member in document.root.members where member.value.kind == .object {
    files[member.key] = member.value
  }
  files["__debug-id__"] = nil
  try require(!files.isEmpty, "a map has a file")
  var rest = entryLimit
  for (path, file) in files {
    let entries = entries(of: file)
    for line in [0, 1, .max] + entries.map(\.native) {
      guard rest > 0 else { return }
      rest -= 1
      for asked in [line &- 1, line, line &+ 1, line &+ reach, line &+ reach &+ 1] {
        try check(map, SourceLocation(path: path, line: asked), entries)
      }
    }
  }
}

private struct Entry {
  let native: UInt32
  let managed: SourceLocation
}

private func entries(of file: JsonValue) -> [Entry] {
  file.members.flatMap { source in
    source.value.members.compactMap { entry in
      guard let native = UInt32(entry.key), native > 0,
        let line = entry.value.unsignedInteger.flatMap({ UInt32(exactly: $0) })
      else { return nil }
      return Entry(native: native, managed: SourceLocation(path: source.key, line: line))
    }
  }
}

private func check(
  _ map: Il2CppLineMap, _ location: SourceLocation, _ entries: [Entry]
) throws(Violation) {
  let answer = map.managedLocation(of: location)
  try require(map.managedLocation(of: location) == answer, "an answer is remembered as it was")
  let near = entries.filter { $0.native <= location.line && location.line - $0.native <= reach }
  let nearest = near.map(\.native).max()
  guard let answer else {
    try require(nearest == nil, "an entry that is near enough is found")
    return
  }
  try require(
    near.contains { $0.native == nearest && $0.managed == answer },
    "an answer is the nearest entry")
}
