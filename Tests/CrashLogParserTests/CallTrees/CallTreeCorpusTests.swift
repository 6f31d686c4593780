import CrashLogParser
import TestSupport
import Testing

/// Real samples, spindumps, diagnostics and stackshots. Expected numbers are counted by
/// Tests/Scripts/call_tree_counts.py, which reads them with regular expressions and Python's json.
@Suite(.enabled(if: Corpus.path != nil, "SYMBOLICATE_CORPUS names no collection of real reports"))
struct CallTreeCorpusTests {
  /// File, processes, threads, frames with an address, images, and samples of all frames.
  private func rows() throws -> [[String]] {
    let script = Fixtures.packageDirectory + "/Tests/Scripts/call_tree_counts.py"
    let process = try ChildProcess(
      "/usr/bin/env", ["python3", script, try require(Corpus.path)])
    let output = String(decoding: try process.allOutput(), as: UTF8.self)
    expectEqual(process.end(), 0)
    let rows = output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    expectTrue(rows.count >= 20)
    expectTrue(rows.allSatisfy { $0.count == 6 })
    return rows
  }

  @Test func countsAgreeWithTheScript() throws {
    for row in try rows() {
      let path = try require(Corpus.path) + "/reports/" + row[0]
      let reports = try CrashLogParser.parse(try Fixtures.bytes(of: path))
      let frames = reports.flatMap(\.allFrames)
      let found = [
        reports.count, reports.reduce(0) { $0 + $1.backtraces.count },
        frames.count { $0.address != nil }, reports.reduce(0) { $0 + $1.images.count },
        frames.reduce(0) { $0 + ($1.sampleCount ?? 0) },
      ]
      expectEqual(found.map(String.init), Array(row.dropFirst()), "\(row[0])")
      expectEmpty(reports.flatMap(\.faults), "\(row[0])")
    }
  }

  /// A frame is called by the one above it, in no more samples than that.
  @Test func treesAreSound() throws {
    for row in try rows() {
      let bytes = try Fixtures.bytes(of: try require(Corpus.path) + "/reports/" + row[0])
      expectSoundTrees(bytes, row[0])
      for report in try CrashLogParser.parse(bytes) {
        for backtrace in report.backtraces where backtrace.isCallTree && backtrace.kind == .thread {
          var callers: [Int] = []
          for frame in backtrace.frames {
            let (depth, count) = (frame.depth ?? 0, frame.sampleCount ?? 0)
            callers.removeLast(max(0, callers.count - depth))
            if let caller = callers.last, count > caller {
              Issue.record("\(row[0]): \(count) samples below \(caller)")
            }
            callers.append(count)
          }
        }
      }
    }
  }
}
