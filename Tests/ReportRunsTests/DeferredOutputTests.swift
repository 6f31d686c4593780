import ReportRuns
import ReportSymbolication
import TestSupport
import Testing

/// An output that is made while it is written is the same as one that is made at once.
struct DeferredOutputTests {
  /// A report large enough for several pieces.
  private func report() throws -> [UInt8] {
    let story = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    let frame = "12  Letter Shuffle 0x000000010024f19c 0x100228000 + 160156\n"
    let parts = story.split(separator: "Binary Images:\n", maxSplits: 1)
    let thread = "Thread 99:\n" + String(repeating: frame, count: 3000) + "\n"
    return Array("\(parts[0])\n\(thread)\nBinary Images:\n\(parts[1])".utf8)
  }

  @Test(arguments: [OutputForm.json, .ndjson, .html, .auto])
  func pieces(form: OutputForm) throws {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], form: form)
    let input = try report()
    let whole = job.symbolicate(input, shownPath: "report").output
    job.steps.defersOutput = true
    let deferred = job.symbolicate(input, shownPath: "report")
    var pieces: [[UInt8]] = []
    deferred.writeOutput { pieces.append($0) }
    expectTrue(pieces.joined().elementsEqual(whole))
    expectEqual(deferred.output, whole)
    expectTrue(form.isReport || pieces.count > 2)
  }

  @Test func failureEndsTheWriting() throws {
    struct Failure: Error, Equatable { let piece: Int }
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], form: .json)
    job.steps.defersOutput = true
    let result = job.symbolicate(try report(), shownPath: "report")
    var count = 0
    #expect(throws: Failure(piece: 2)) {
      try result.writeOutput { _ in
        count += 1
        if count == 2 { throw Failure(piece: count) }
      }
    }
    expectEqual(count, 2)
  }
}
