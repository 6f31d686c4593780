import CrashLogParser
package import ReportSymbolication

/// What the reason and the signature of a crash are both found in: the frames of a backtrace, and
/// whose code each is.
package final class CrashReading {
  let owners: CodeOwners
  private let report: SymbolicatedReport
  private let options: SymbolicationOptions
  private var known: (backtrace: Int, frames: [ShownFrame])?

  package init(_ report: SymbolicatedReport, _ options: SymbolicationOptions) {
    self.report = report
    self.options = options
    owners = CodeOwners(of: report, options.codePatterns)
  }

  /// The frames of a backtrace, innermost first. Frames that are not shown count too.
  ///
  /// - Parameter index: among all backtraces of the report.
  package func frames(ofBacktrace index: Int) -> [ShownFrame] {
    if let known, known.backtrace == index { return known.frames }
    var options = options
    options.onlyUserCode = false
    let frames = report.backtraces[index].examinedFrames(options)
    known = (index, frames)
    return frames
  }
}
