import CrashLogParser
package import SymbolicationModel
import Synchronization

/// The lines of C# from which Unity's il2cpp made lines of C++: `LineNumberMappings.json`.
///
/// It is a JSON object of C++ files, each an object of C# files, each an object from lines of C++
/// to lines of C#: `{"/…/Game.cpp": {"/…/Player.cs": {"1412": 31}}}`. Sentry's tools add the key
/// `__debug-id__`, which is no file.
package final class Il2CppLineMap: Sendable {
  /// How many lines of C++ after an entry still belong to it.
  private static let reach = 50

  /// The C# files of each C++ file, by its path.
  private let files: [String: JsonValue]
  /// The paths with each file name; the project may have been moved since it was made.
  private let pathsByName: [String: [String]]
  private let known = Mutex<[SourceLocation: SourceLocation?]>([:])

  /// Cost: the JSON is parsed once, with 4 bytes for each value besides the input.
  package init(_ bytes: [UInt8]) throws(Il2CppMapError) {
    let document: JsonDocument
    do {
      document = try JsonDocument(bytes)
    } catch {
      throw .malformed(offset: error.offset)
    }
    if let damage = document.damage { throw .malformed(offset: damage.offset) }
    guard document.root.kind == .object else {
      throw .malformed(offset: document.byteRange.lowerBound)
    }
    var files: [String: JsonValue] = [:]
    for member in document.root.members where member.value.kind == .object {
      files[member.key] = member.value
    }
    files["__debug-id__"] = nil
    guard !files.isEmpty else { throw .noFiles }
    self.files = files
    self.pathsByName = Dictionary(
      grouping: files.keys, by: { SourceLocation(path: $0, line: 0).fileName })
  }

  /// The line of C# from which the line of C++ was made; nil if the map does not say.
  ///
  /// It is that of the nearest entry at or before the line, at most 50 lines away. A file is known
  /// by its path, or by its name, if only one file of the map has it.
  package func managedLocation(of location: SourceLocation) -> SourceLocation? {
    guard location.line > 0 else { return nil }
    // A file may have 100,000 entries, and a report a thousand frames at one place.
    return known.withLock { known in
      if let answer = known[location] { return answer }
      let answer = find(location)
      known[location] = .some(answer)
      return answer
    }
  }

  private func find(_ location: SourceLocation) -> SourceLocation? {
    guard let file = files[location.path] ?? fileOfSameName(as: location) else { return nil }
    var best: (native: UInt32, line: UInt32, path: String)?
    for member in file.members {
      for entry in member.value.members {
        guard let native = UInt32(entry.key), native <= location.line,
          location.line - native <= Self.reach, native > best?.native ?? 0,
          let line = entry.value.unsignedInteger.flatMap({ UInt32(exactly: $0) })
        else { continue }
        best = (native, line, member.key)
      }
    }
    return best.map { SourceLocation(path: $0.path, line: $0.line) }
  }

  private func fileOfSameName(as location: SourceLocation) -> JsonValue? {
    guard let paths = pathsByName[location.fileName], paths.count == 1 else { return nil }
    return paths.first.flatMap { files[$0] }
  }
}

extension Il2CppLineMap: Hashable {
  /// A map is equal to itself alone.
  package static func == (first: Il2CppLineMap, second: Il2CppLineMap) -> Bool { first === second }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Why a file is not a map of il2cpp lines.
package enum Il2CppMapError: Error, Hashable, Sendable {
  /// It is not a JSON object from this byte on.
  case malformed(offset: Int)
  /// It names no C++ file.
  case noFiles
}

extension Il2CppMapError {
  /// One sentence.
  package func message(path: String) -> String {
    let found =
      switch self {
      case .malformed(let offset): "it is not a JSON object from byte \(offset) on"
      case .noFiles: "it names no C++ file"
      }
    return
      "\(path) is not a map of il2cpp lines: \(found); expected LineNumberMappings.json from the folder il2cppOutput/Symbols"
  }
}
