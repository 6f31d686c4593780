import CrashLogParser
import TestSupport
import Testing

/// Expects the ranges of a report to nest, and not to overlap, as the documentation says.
func expectNesting(_ report: Report, _ comment: String) {
  NestingCheck(report: report, comment: comment).run()
}

private struct NestingCheck {
  let report: Report
  let comment: String

  func run() {
    if let header = report.header {
      expect(header.byteRange, in: report.byteRange, "header")
      for field in header.fields { expect(field.valueRange, in: header.byteRange, "header field") }
    }
    if let body = report.bodyRange {
      expect(body, in: report.byteRange, "body")
      let parts =
        report.backtraces.map(\.byteRange) + report.images.map(\.byteRange)
        + report.faults.map(\.byteRange)
      for part in parts { expect(part, in: body, "part of the body") }
    }
    for backtrace in report.backtraces { check(backtrace) }
    for state in report.threadStates { expect(state.byteRange, in: report.byteRange, "registers") }
    for image in report.images {
      expect(image.byteRange, in: report.byteRange, "image")
      if let identity = image.identityRange { expect(identity, in: image.byteRange, "identity") }
    }
    for field in report.facts.fields {
      if let range = field.byteRange { expect(range, in: report.byteRange, "field") }
    }
    for fault in report.faults { expect(fault.byteRange, in: report.byteRange, "fault") }
    checkOverlaps()
  }

  private func expect(_ inner: Range<Int>, in outer: Range<Int>, _ what: String) {
    // `contains` of an empty range is true wherever it lies.
    let isInside = inner.lowerBound >= outer.lowerBound && inner.upperBound <= outer.upperBound
    if !isInside { Issue.record("\(comment): \(what) \(inner) not in \(outer)") }
  }

  private func expectOrder(_ parts: [Range<Int>], in outer: Range<Int>, _ what: String) {
    var end = outer.lowerBound
    for part in parts {
      expect(part, in: outer, what)
      if part.lowerBound < end { Issue.record("\(comment): \(what) \(part) out of order") }
      end = part.upperBound
    }
  }

  /// Frames, images and fields do not overlap. The frames in an embedded text have ranges in that
  /// text.
  private func checkOverlaps() {
    let frames = report.backtraces.filter { $0.embeddedText == nil }.flatMap(\.frames)
    let ranges =
      frames.compactMap(\.byteRange) + report.images.map(\.byteRange)
      + report.facts.fields.compactMap(\.byteRange)
    expectOrder(
      ranges.sorted { $0.lowerBound < $1.lowerBound }, in: report.byteRange,
      "frames, images and fields")
  }

  private func check(_ backtrace: Backtrace) {
    expect(backtrace.byteRange, in: report.byteRange, "backtrace")
    let outer = backtrace.embeddedText?.indices ?? backtrace.byteRange
    let frames = backtrace.frames.compactMap(\.byteRange)
    expectOrder(backtrace.isOutermostFirst ? frames.reversed() : frames, in: outer, "frame")
    for range in backtrace.omissions { expect(range, in: backtrace.byteRange, "omission") }
    if let list = backtrace.addressListRange {
      expect(list, in: backtrace.byteRange, "list of addresses")
    }
    for frame in backtrace.frames { check(frame, of: backtrace) }
  }

  private func check(_ frame: StackFrame, of backtrace: Backtrace) {
    switch frame.carrier {
    case .line(let line), .lookedUp(let line, _):
      let parts = [line.indexRange, line.imageNameRange, line.addressRange, line.contentRange]
      expectOrder(parts, in: line.byteRange, "part of a frame")
    case .object(let object):
      expectOrder(
        object.removalRanges(of: Set(IpsFrame.addedKeys)), in: object.byteRange, "removal")
      if let points = object.insertionPoints {
        for point in [points.afterImageIndex, points.afterImageOffset] {
          expect(point..<point, in: object.byteRange, "insertion point")
        }
      }
      _ = (object.spelling, object.frameSymbolParts)
    case .values(let values):
      if let parts = values.parts {
        let ranges = [parts.index, parts.attributes, parts.address, parts.content]
        expectOrder(ranges.compactMap(\.self), in: values.byteRange, "part of a frame")
      }
    case .listedAddress:
      expectTrue(backtrace.addressListRange != nil, "\(comment): an address without a list")
    }
  }
}

extension IpsFrame {
  /// Every text of the frame, to see that none of them traps.
  fileprivate var frameSymbolParts: [String] {
    [symbol, symbolLocation?.description, sourceFile, sourceLine?.description].compactMap(\.self)
  }
}
