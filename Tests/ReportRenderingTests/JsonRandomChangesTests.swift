import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// For any input, the output is valid JSON, and the summary is short.
struct JsonRandomChangesTests {
  @Test func ofReportsWithRandomChanges() throws {
    let inputs = [try JsonFixture.story, Array(JsonFixture.ips.utf8)]
    var generator = SeededGenerator(seed: 309)
    var jobs = [OutputForm.json, .ndjson, .summary].map { form in
      ReportJob(symbolPaths: [Fixtures.storyBundle], form: form)
    }
    var reportCount = 0
    for round in 0..<400 {
      var input = inputs[round % 2]
      for _ in 0..<Int.random(in: 1...8, using: &generator) { change(&input, &generator) }
      let results = jobs.indices.map { jobs[$0].symbolicate(input, shownPath: "report") }
      guard results[0].hasReport else { continue }
      let document = try JSONDecoder().decode(JsonDocument.self, from: Data(results[0].output))
      let lines = String(decoding: results[1].output, as: UTF8.self).split(separator: "\n")
      for line in lines { _ = try JSONDecoder().decode(JsonReport.self, from: Data(line.utf8)) }
      expectEqual(lines.count, document.reports.count)
      let blocks = String(decoding: results[2].output, as: UTF8.self).components(
        separatedBy: "\n\n")
      expectEqual(blocks.count, document.reports.count)
      for block in blocks { #expect(block.split(separator: "\n").count <= 25) }
      reportCount += document.reports.count
    }
    #expect(reportCount > 300)
  }

  private func change(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[place] = .random(in: 0...255, using: &generator)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
    }
  }
}
