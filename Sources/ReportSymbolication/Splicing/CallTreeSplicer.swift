import CrashLogParser

/// Puts answers into lines of call trees, each frame by itself. Such text has no columns, has no
/// place for source lines, and is text already.
protocol CallTreeSplicer: ReportSplicer {
  static func splice(
    _ frame: SymbolicatedFrame, of bytes: [UInt8], into edits: inout ByteEdits
  )
}

extension CallTreeSplicer {
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    for backtrace in report.backtraces {
      for frame in backtrace.frames { splice(frame, of: bytes, into: &edits) }
    }
  }
}
