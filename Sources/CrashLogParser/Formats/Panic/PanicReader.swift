/// Reads kernel panics and forced resets: `.ips` of bug types 10, 110, 151 and 210, and text. Their
/// addresses belong to the kernel, so they have no backtraces to symbolicate.
package struct PanicReader: ReportReader {
  package init() {}

  package func reports(in input: ReportInput) -> [Report] {
    switch input.detectedFormat {
    case .ipsPanic:
      IpsEvent.all(in: input, ofTypes: ["10", "110", "151", "210"]).compactMap { Self.report($0) }
    case .kernelPanic: textReport(in: input).map { [$0] } ?? []
    default: []
    }
  }

  private static func report(_ event: IpsEvent) -> Report? {
    // Forced resets call it `string`.
    guard let text = event["panicString"]?.string ?? event["string"]?.string,
      let panic = PanicDescription(lines: lines(of: text))
    else { return nil }
    var facts = ReportFacts(event)
    facts.event = .panic
    facts.take(panic)
    return Report(
      format: .ipsPanic, byteRange: event.byteRange, header: event.header, facts: facts,
      images: [], backtraces: [], faults: event.faults)
  }

  private func textReport(in input: ReportInput) -> Report? {
    let source = input.source
    guard input.claimedRanges.isEmpty else { return nil }
    var end = source.count
    while end > source.textStart, source[end - 1] <= Ascii.space { end -= 1 }
    let range = source.textStart..<end
    guard let panic = PanicDescription(lines: Self.lines(of: source.string(range))) else {
      return nil
    }
    var facts = ReportFacts()
    facts.event = .panic
    facts.take(panic)
    return Report(
      format: .kernelPanic, byteRange: range, facts: facts, images: [], backtraces: [],
      faults: [])
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}

extension ReportFacts {
  fileprivate mutating func take(_ panic: PanicDescription) {
    self.panic = panic
    process.name = panic.task
    process.identifier = panic.taskIdentifier
    if hardwareModel == nil { hardwareModel = panic.model }
    if system.build == nil { system.build = panic.systemBuild }
  }
}
