import Foundation
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

/// A stream has the same output as the input at once.
struct ReportStreamTests {
  private static let symbols = [
    Fixtures.storyBundle, Fixtures.path("SwiftBacktrace"),
  ]

  private static func job() -> ReportJob { ReportJob(symbolPaths: symbols) }

  private func streamed(_ input: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var stream = ReportStream(Self.job(), limits: ResourceLimits())
    var output: [UInt8] = []
    var rest = input[...]
    let longest = [7, 300, 1 << 16].randomElement(using: &random) ?? 1
    while !rest.isEmpty {
      let count = Int.random(in: 1...longest, using: &random)
      stream.take(Array(rest.prefix(count)))
      output += stream.takeOutput()
      rest = rest.dropFirst(count)
      // Nothing is held back, so a pause changes nothing.
      if stream.pauseLength == nil { stream.pause() }
    }
    stream.end()
    return output + stream.takeOutput()
  }

  private static func files(below folder: String) -> [String] {
    (FileManager.default.subpaths(atPath: folder) ?? []).sorted().map { "\(folder)/\($0)" }
      .filter { path in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
          && (attributes?[.size] as? Int ?? .max) < 600_000
      }
  }

  private static let folders = [
    "LetterShuffle", "SwiftBacktrace/Reports", "MetricKit", "Shapes", "Traps", "Signals",
  ]

  /// Reports and other files, each between lines of a log, and one after the other.
  @Test func outputIsThatOfTheWholeInput() throws {
    var random = SeededGenerator(seed: 5)
    var job = Self.job()
    var changed = 0
    var all: [UInt8] = []
    for folder in Self.folders {
      for path in Self.files(below: Fixtures.path(folder)) {
        let bytes = try Fixtures.bytes(of: path)
        guard SymbolFileStart.isText(bytes) else { continue }
        let whole = job.symbolicate(bytes, shownPath: "x").output
        expectEqual(streamed(bytes, &random), whole, "\(path)")
        if whole != bytes {
          changed += 1
          all += Array("12:00:00 GET / 200\n".utf8) + bytes + Array("\n12:00:01 GET / 200\n".utf8)
        }
      }
    }
    #expect(changed >= 10)
    #expect(streamed(all, &random).count > all.count)
  }

  @Test func outputIsThatOfTheWholeInputInTheCorpus() throws {
    guard let corpus = Corpus.path else { return }
    var random = SeededGenerator(seed: 6)
    var job = Self.job()
    var differing: [String] = []
    var count = 0
    for path in Self.files(below: corpus + "/reports") {
      let bytes = try Fixtures.bytes(of: path)
      count += 1
      let content = (try? ReportBytes(bytes, limit: 1 << 30).bytes) ?? bytes
      let whole = job.symbolicate(content, shownPath: "x").output
      if streamed(bytes, &random) != whole { differing.append(path) }
    }
    #expect(count > 100)
    expectEmpty(differing, "\(differing)")
  }
}

private enum SymbolFileStart {
  static func isText(_ bytes: [UInt8]) -> Bool { !bytes.prefix(64).contains(0) }
}

extension ReportStream {
  /// The bytes that came out since the last call.
  mutating func takeOutput() -> [UInt8] {
    var output: [UInt8] = []
    while let next = next() {
      switch next {
      case .text(let bytes), .tooLarge(let bytes), .unreadable(_, let bytes): output += bytes
      case .result(let result): output += result.output
      }
    }
    return output
  }
}
