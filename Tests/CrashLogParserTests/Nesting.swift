import CrashLogParser
import Testing

/// Expects the ranges of a report to lie in each other as the documentation says.
func expectNesting(_ report: CrashReport, _ comment: String) {
  func expect(_ inner: Range<Int>, in outer: Range<Int>, _ what: String) {
    // `contains` of an empty range is true wherever it lies.
    let isInside = inner.lowerBound >= outer.lowerBound && inner.upperBound <= outer.upperBound
    if !isInside { Issue.record("\(comment): \(what) \(inner) not in \(outer)") }
  }
  func expectFrames(_ frames: [StackFrame], in outer: Range<Int>) {
    var end = outer.lowerBound
    for frame in frames {
      expect(frame.byteRange, in: outer, "frame")
      if frame.byteRange.lowerBound < end { Issue.record("\(comment): frames overlap") }
      end = frame.byteRange.upperBound
      var place = frame.byteRange.lowerBound
      for part in [
        frame.indexRange, frame.imageNameRange, frame.addressRange, frame.contentRange,
      ] {
        expect(part, in: frame.byteRange, "part of a frame")
        if part.lowerBound < place { Issue.record("\(comment): parts out of order") }
        place = part.upperBound
      }
    }
  }
  for thread in report.threads {
    expect(thread.byteRange, in: report.byteRange, "thread")
    expectFrames(thread.frames, in: thread.byteRange)
  }
  let backtraces =
    report.applicationSpecificBacktraces + [report.lastExceptionBacktrace].compactMap(\.self)
  for backtrace in backtraces {
    expect(backtrace.byteRange, in: report.byteRange, "backtrace")
    expectFrames(backtrace.frames, in: backtrace.byteRange)
    if let list = backtrace.rawAddressList {
      expect(list.byteRange, in: backtrace.byteRange, "addresses")
    }
  }
  for state in report.threadStates { expect(state.byteRange, in: report.byteRange, "state") }
  for image in report.images {
    expect(image.byteRange, in: report.byteRange, "image")
    if let identity = image.identityRange { expect(identity, in: image.byteRange, "identity") }
  }
  for field in report.fields {
    expect(field.byteRange, in: report.byteRange, "field")
    expect(field.keyRange, in: field.byteRange, "key")
    expect(field.valueRange, in: field.byteRange, "value")
  }
  for fault in report.faults { expect(fault.byteRange, in: report.byteRange, "fault") }
  if let header = report.header {
    expect(header.byteRange, in: report.byteRange, "header")
    for field in header.fields { expect(field.valueRange, in: header.byteRange, "header field") }
  }
}
