import Decompression
import ReportRendering
import ReportSymbolication
import SymbolicationModel
import SystemPackage
import TestSupport
import Testing

/// Why a report is not read: a sentence that says what to try.
struct ReportReadErrorMessageTests {
  @Test(arguments: [
    (
      ReportReadError.unreadable(.noSuchFileOrDirectory),
      "cannot read the report a.gz: No such file or directory"
    ),
    (
      .unreadable(.fileTooLarge),
      "the report a.gz is not read: it is larger than 1 GiB; --limit report-size=2G allows more"
    ),
    (
      .damagedCompression(.xz, .truncated),
      "cannot read the report a.gz: its xz data is cut short; copy or download it again"
    ),
    (
      .damagedCompression(.zstd, .damaged(method: .zstd, code: 20)),
      "cannot read the report a.gz: its zstd data is damaged; copy or download it again"
    ),
    (
      .damagedCompression(.gzip, .trailingBytes(count: 1)),
      "cannot read the report a.gz: 1 byte follows its gzip data; remove what was appended, or unpack it with gzip -dc"
    ),
    (
      .damagedCompression(.xz, .outOfMemory(size: 9)),
      "cannot read the report a.gz: its xz data: there is no memory for 9 bytes"
    ),
    (
      .implausibleSize(.gzip, compressed: 100, limit: 64 << 20),
      "cannot read the report a.gz: its 100 bytes of gzip data unpack to more than 64 MiB, which no report does; if it is one, unpack it first"
    ),
    (
      .archive(reportCount: 1, first: "x.ips"),
      "a.gz is an archive with 1 crash report (x.ips); unpack it and give one of them; 'symbolicate' and 'symbolicate group' read all of them"
    ),
  ])
  func sentences(error: ReportReadError, sentence: String) {
    expectEqual(error.message(report: "a.gz", limits: ResourceLimits()), sentence)
  }

  @Test func replacedReports() {
    expectEqual(
      OutputFormProblem.compressedInput.message(path: "a.gz"),
      "a.gz is compressed, and its result is not and will not replace it; use -o")
  }
}
