import Foundation
import TestSupport
import Testing

/// What a worker wrote, read by another reader of JSON.
struct WorkerAnswers {
  let lines: [String]
  let objects: [[String: Any]]

  /// Every line ends, is UTF-8, and is one object.
  init(_ output: [UInt8]) throws {
    let text = try require(String(validating: output, as: UTF8.self))
    var lines = text.components(separatedBy: "\n")
    expectEqual(lines.popLast(), "")
    self.lines = lines
    objects = try lines.map { line in
      try require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  var codes: [String] {
    objects.map { object in
      object["ok"] as? Bool == true
        ? "ok" : (object["error"] as? [String: Any])?["code"] as? String ?? "none"
    }
  }

  var identifiers: [Int?] { objects.map { $0["id"] as? Int } }

  /// Nil, too, if there are fewer answers: a worker that died must not end the tests with it.
  func message(_ index: Int) -> String? {
    (objects.dropFirst(index).first?["error"] as? [String: Any])?["message"] as? String
  }

  /// A record as another writer of JSON spells it.
  static func record(_ members: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  static func record(_ id: Int, report: String) throws -> String {
    try record(["id": id, "report": report])
  }
}

extension Program {
  /// Runs a worker over a whole input.
  static func worker(
    _ arguments: [String] = [], _ input: String
  ) async throws -> (answers: WorkerAnswers, result: ProgramResult) {
    let result = try await symbolicate(
      ["worker", "-d", Fixtures.storyBundle] + arguments, input: Array(input.utf8))
    return (try WorkerAnswers(result.standardOutput), result)
  }
}
