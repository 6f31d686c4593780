import Foundation
import TestSupport

/// The answers of Sentry's symbolic (PyPI `symbolic`), which decodes with gimli: a third voice.
struct SymbolicVoice {
  private let python: String

  /// Nil if no Python can import it: neither the one that `SYMBOLICATE_SYMBOLIC_PYTHON` names, nor
  /// `python3`.
  static let installed: SymbolicVoice? = {
    let named = ProcessInfo.processInfo.environment["SYMBOLICATE_SYMBOLIC_PYTHON"]
    guard let python = named ?? Program.path(of: "python3"),
      let process = try? ChildProcess(
        "/bin/sh", ["-c", "exec \"$0\" -c 'import symbolic.symcache' 2>/dev/null", python])
    else { return nil }
    return process.end() == 0 ? SymbolicVoice(python: python) : nil
  }()

  /// The answers, in the order of the addresses, without columns; nil if it cannot read the file.
  ///
  /// - Parameter base: the start of the image, which its addresses are relative to.
  func answers(
    for addresses: [UInt64], of slice: SymbolFile.Slice, base: UInt64
  ) async throws -> [Answer]? {
    let folder = try TemporaryDirectory()
    let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
    let questions = try folder.write(input.utf8, to: "questions")
    let result = try await Program.run(
      python,
      [
        "\(Fixtures.packageDirectory)/Tests/Scripts/symbolic-answers.py", slice.file.path,
        slice.architecture ?? "", String(base, radix: 16),
      ], inputPath: questions)
    let lines = result.standardOutput.split(separator: UInt8(ascii: "\n"))
    guard lines.count == addresses.count else {
      print("\(slice): symbolic cannot read it: \(result.standardError.suffix(200))")
      return nil
    }
    let decoder = JSONDecoder()
    return try lines.map {
      Answer(frames: try decoder.decode([Reply].self, from: Data($0)).map(\.frame))
    }
  }

  /// `[name, path, line, start]`.
  private struct Reply: Decodable {
    let frame: Answer.Frame

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      frame = Answer.Frame(
        function: try values.decode(String.self), file: try values.decode(String.self),
        line: try values.decode(UInt32.self), column: nil,
        start: try values.decode(UInt64?.self))
    }
  }
}

extension Answer {
  /// symbolic does not prepend the compilation directory to names like `<compiler-generated>`, and
  /// makes `./a/../b` into `b`.
  var inTermsOfSymbolic: Answer {
    Answer(
      frames: frames.map { frame in
        var frame = frame
        frame.file = Self.collapsed(frame.file)
        return frame
      })
  }

  private static func collapsed(_ path: String) -> String {
    guard path.contains("<") || path.contains("./") else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      if part == "..", let last = parts.last, last != "..", last != "" {
        parts.removeLast()
      } else if part != "." {
        parts.append(part)
      }
    }
    if let last = parts.last, last.first == "<" { return String(last) }
    return parts.joined(separator: "/")
  }
}
