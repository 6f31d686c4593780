import FetchProtocol
import TestSupport
import Testing

/// The lines between `symbolicate` and `symbolicate-fetch`, against the tables in the documentation
/// of `FetchRequest` and `FetchReport`.
struct FetchProtocolTests {
  private static let requests: [(FetchRequest, String)] = [
    (
      .limits(
        FetchLimits(
          seconds: 90, totalSeconds: 0, bytes: 1 << 40, runSeconds: 1800, runBytes: .max)),
      "limits 90 0 1099511627776 1800 18446744073709551615"
    ),
    (
      .get(id: 3, [FetchCandidate(url: "http://h/a", file: "/c/1")]), "get 3 http://h/a /c/1"
    ),
    (
      .get(
        id: 0,
        [
          FetchCandidate(url: "http://h/a%20b", file: "/my cache/ü"),
          FetchCandidate(url: "http://h/c", file: ""),
        ]),
      "get 0 http://h/a%2520b /my%20cache/%C3%BC http://h/c %"
    ),
    (.debuginfod(id: 7, .debuginfo, buildId: "abcd"), "debuginfod 7 debuginfo abcd"),
    (.debuginfod(id: 7, .executable, buildId: "abcd"), "debuginfod 7 executable abcd"),
    (.end, "end"),
  ]

  private static let reports: [(FetchReport, String)] = [
    (.hello(version: 2), "symbolicate-fetch 2"),
    (.saved(id: 3, index: 0), "saved 3 0"),
    (.found(id: 3, path: "/a b"), "found 3 /a%20b"),
    (.absent(id: 3, index: 1), "absent 3 1"),
    (.failed(id: 3, index: 1, .status(503)), "failed 3 1 status 503"),
    (
      .failed(id: 3, index: 1, .network("no route\nto host")),
      "failed 3 1 network no%20route%0Ato%20host"
    ),
    (.failed(id: 3, index: 1, .network("")), "failed 3 1 network %"),
    (.failed(id: 3, index: 1, .unreachable("no")), "failed 3 1 unreachable no"),
    (.failed(id: 3, index: 1, .runLimit(.bytes)), "failed 3 1 run-limit bytes"),
    (.failed(id: 3, index: 1, .runLimit(.seconds)), "failed 3 1 run-limit seconds"),
    (.failed(id: 3, index: 1, .timeout(seconds: 90)), "failed 3 1 timeout 90"),
    (.failed(id: 3, index: 1, .tooLarge(limit: 5)), "failed 3 1 too-large 5"),
    (.failed(id: 3, index: 1, .cannotWrite(errno: 28)), "failed 3 1 cannot-write 28"),
    (
      .failed(id: 3, index: 1, .missingLibrary("libcurl.so.4")),
      "failed 3 1 missing-library libcurl.so.4"
    ),
    (.skipped(id: 3, index: 2), "skipped 3 2"),
    (.over(id: 3), "over 3"),
    (.progress(bytes: 12), "progress 12"),
  ]

  @Test func requestsAreWrittenAndRead() {
    for (request, line) in Self.requests {
      expectEqual(String(decoding: request.line, as: UTF8.self), line + "\n")
      expectEqual(FetchRequest(line: line.utf8), request)
    }
  }

  @Test func reportsAreWrittenAndRead() {
    for (report, line) in Self.reports {
      expectEqual(String(decoding: report.line, as: UTF8.self), line + "\n")
      expectEqual(FetchReport(line: line.utf8), report)
    }
  }

  @Test(arguments: [
    "", " ", "get", "get 1", "get 1 http://h/a", "get x http://h/a /c", "get 1 a b c",
    "limits 1 2", "limits 1 2 3", "limits 1 2 3 4 -3", "limits 1 2 99999999999999999999 3 4",
    "debuginfod 1 source ab",
    "debuginfod 1 debuginfo %", "end now", "END", "end ", "get 1  a b", "get 1 %4 b",
    "get 1 %zz b", "get 1 a\u{1} b", "get 1 ä b",
  ])
  func otherLinesAreNotRequests(line: String) {
    expectNil(FetchRequest(line: line.utf8))
  }

  @Test(arguments: [
    "", "symbolicate-fetch", "symbolicate-fetch x", "saved 1", "saved 1 x", "saved 1 2 3",
    "failed 1 2 run-limit days", "failed 1 2 status", "failed 1 2 status x",
    "failed 1 2 weather rain", "over", "progress -1",
    "progress 99999999999999999999", "<html>", "found 1 %1",
  ])
  func otherLinesAreNotReports(line: String) {
    expectNil(FetchReport(line: line.utf8))
  }

  @Test func linesAreCutAsTheyComeIn() {
    var buffer = FetchLineBuffer()
    expectEqual(buffer.add(Array("over 1\nov".utf8)), [Array("over 1".utf8)])
    expectEqual(buffer.add(Array("er 2".utf8)), [])
    expectEqual(buffer.add(Array("\n\n".utf8)), [Array("over 2".utf8), []])
  }

  @Test func anEndlessLineIsRefused() {
    var buffer = FetchLineBuffer()
    let most = [UInt8](repeating: UInt8(ascii: "a"), count: FetchLine.maximumSize)
    expectEqual(buffer.add(most), [])
    expectNil(buffer.add(Array("a".utf8)))
  }
}
