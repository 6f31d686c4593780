import CrashLogParser
import ReportRuns
import ReportTestSupport
import TestSupport
import Testing

/// In any report, only the contents of frames change.
struct UntouchedBytesTests {
  @Test func ofTheStoryWithRandomChanges() throws {
    let story = try Fixtures.bytes(of: Fixtures.storyReport)
    let lines = story.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var generator = SeededGenerator(seed: 2019)
    var job = ReportJob(
      symbolPaths: [Fixtures.storyBundle], options: ReportFixture.withoutInlinedFrames)
    var resolved = 0
    for _ in 0..<400 {
      var changed = lines.map { Array($0) }
      for _ in 0..<Int.random(in: 1...6, using: &generator) { change(&changed, &generator) }
      let input = Array(changed.joined(separator: [UInt8(ascii: "\n")]))
      let result = job.symbolicate(input, shownPath: "report")
      guard result.hasReport else {
        expectEqual(result.output, input)
        continue
      }
      let ranges = try CrashLogParser.parse(input).flatMap(\.allFrames).compactMap {
        $0.line?.contentRange
      }
      expectTrue(differsOnly(in: ranges, input, result.output))
      if input != result.output { resolved += 1 }
    }
    // The changes leave most frames intact.
    #expect(resolved > 300)
  }

  private func change(_ lines: inout [[UInt8]], _ generator: inout SeededGenerator) {
    let line = lines.indices.randomElement(using: &generator) ?? 0
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: lines.remove(at: line)
    case 1: lines.insert(lines[line], at: lines.indices.randomElement(using: &generator) ?? 0)
    case 2: lines[line].append(UInt8(ascii: "\r"))
    case 3:
      guard let place = lines[line].indices.randomElement(using: &generator) else { return }
      lines[line][place] = .random(in: 0...255, using: &generator)
    case 4: lines[line].removeLast(Int.random(in: 0...lines[line].count, using: &generator))
    case 5: lines.swapAt(line, lines.indices.randomElement(using: &generator) ?? line)
    default: lines[line] += [0x20, 0x09, 0xc2, 0xa0, 0xff]
    }
  }

  /// Whether `output` differs from `input` only inside `ranges`, and by no line end.
  private func differsOnly(in ranges: [Range<Int>], _ input: [UInt8], _ output: [UInt8]) -> Bool {
    var place = 0
    var copied = 0
    let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
    for (index, range) in sorted.enumerated() {
      let before = input[copied..<range.lowerBound]
      guard output[place...].starts(with: before) else { return false }
      place += before.count
      copied = range.upperBound
      let next = index + 1 < sorted.count ? sorted[index + 1].lowerBound : input.count
      let after = input[copied..<next]
      let unchanged = input[range]
      if output[place...].starts(with: unchanged),
        output[(place + unchanged.count)...].starts(with: after)
      {
        place += unchanged.count
        continue
      }
      while !output[place...].starts(with: after) {
        guard place < output.count, output[place] != UInt8(ascii: "\n") else { return false }
        place += 1
      }
    }
    return output[place...].elementsEqual(input[copied...])
  }
}
