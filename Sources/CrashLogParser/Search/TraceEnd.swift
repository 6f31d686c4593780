import ReportModel
import RuntimeReports
import SymbolicationModel

// The end of a trace whose beginning somebody left out, above the one that the text is about.
extension Report {
  /// Whether this is no more than the outermost frames of a thread, and says nothing of a crash:
  ///
  /// ```text
  /// 21  libdispatch.dylib        0x0000000106361b0f _dispatch_worker_thread2 + 135
  /// 22  libsystem_pthread.dylib  0x00007fff60340417 _pthread_wqthread + 244
  /// 23  libsystem_pthread.dylib  0x00007fff6033f42f start_wqthread + 15
  /// ```
  var isEndOfTrace: Bool {
    guard format == .callStack, backtraces.count == 1, images.isEmpty, let stack = backtraces.first,
      let first = stack.frames.first?.index, first > 3, let last = stack.frames.last
    else { return false }
    return facts.exception.type == nil && facts.exception.signal == nil
      && facts.exception.name == nil && facts.applicationInformation.isEmpty
      && facts.process.name == nil && stack.frames.count < 24
      && last.symbol.map { Self.roots.contains($0.name) } == true
  }

  /// Whether this is another trace of the same program, which says what it is about.
  func follows(_ end: Report) -> Bool {
    format == end.format && images.isEmpty
      && (facts.exception.name != nil || !facts.applicationInformation.isEmpty)
  }

  /// The trace, with the end of the earlier one as a stack behind its own.
  func behind(_ end: Report) -> Report {
    // What it is about is its own stack.
    let isMarked = backtraces.contains { $0.isCrashed || $0.kind == .lastException }
    let own = backtraces.enumerated().map { index, stack in
      isMarked ? stack : stack.mapping(isCrashed: index == 0) { $0 }
    }
    return Report(
      format: format, byteRange: end.byteRange.lowerBound..<byteRange.upperBound, facts: facts,
      images: images, backtraces: own + end.backtraces, faults: end.faults + faults)
  }

  /// Source: github.com/apple-oss-distributions/libpthread, src/pthread_asm.s; dyld, dyldMain.cpp.
  private static let roots: Set<String> = [
    "start_wqthread", "thread_start", "_pthread_start", "start", "_dyld_start",
  ]
}
