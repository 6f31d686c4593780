import JsonReading
package import ReportModel

/// The headings of the sections of a report, except threads.
package enum SectionHeading: Hashable {
  case lastException
  case applicationBacktrace(number: Int?)
  case images
  /// `STACK OF 3 INSTANCES OF 'ROOT LEAK: …'`: frames follow, the outermost first.
  case leakStack
  /// A table of memory regions, which appears among the fields of the head.
  case regions
  /// Any section without frames or images: text, tables, other formats.
  case other
  /// The report ends before this line.
  case end
  /// The report ends with this line.
  case endOfFile
}

extension TextSource {
  /// What the heading of a leak's stack says: `3 INSTANCES OF 'ROOT LEAK: <Object>'`.
  func leakName(_ line: TextLine) -> ByteSpan {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end) + "STACK OF ".utf8.count
    return ByteSpan(min(start, end), max(start, end - 1))
  }

  package func sectionHeading(_ line: TextLine) -> SectionHeading? {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end)
    func begins(_ text: String) -> Bool { has(text, at: start, limit: end) }
    switch self[start] {
    case UInt8(ascii: "A"):
      if begins("Application Specific Backtrace ") {
        let number = decimal(at: start + 31, limit: end)?.value
        return .applicationBacktrace(number: number.flatMap { Int(exactly: $0) })
      }
      let isText =
        begins("Application Specific Information:") || begins("Application Specific Signatures:")
      return isText ? .other : nil
    case UInt8(ascii: "B"):
      guard begins("Binary Images"), self[end - 1] == Ascii.colon else { return nil }
      return .images
    case UInt8(ascii: "C"): return begins("CrashDoctor Diagnosis:") ? .other : nil
    case UInt8(ascii: "E"):
      if begins("EOF"), end - start == 3 { return .endOfFile }
      let isText =
        begins("External Modification ") || begins("Error Formulating Crash Report:")
        || begins("Extra Information:")
      return isText ? .other : nil
    case UInt8(ascii: "F"):
      if begins("Full Report"), end - start == 11 { return .end }
      return begins("Filtered syslog:") ? .other : nil
    case UInt8(ascii: "G"): return begins("Global Trace Buffer") ? .other : nil
    case UInt8(ascii: "K"): return begins("Kernel Triage:") ? .other : nil
    case UInt8(ascii: "k"): return begins("kernel messages:") ? .other : nil
    case UInt8(ascii: "L"): return begins("Last Exception Backtrace:") ? .lastException : nil
    case UInt8(ascii: "M"): return begins("Model: ") ? .other : nil
    case UInt8(ascii: "N"): return begins("Notable Addresses:") ? .other : nil
    case UInt8(ascii: "S"):
      if begins("STACK OF "), self[end - 1] == Ascii.colon { return .leakStack }
      return begins("Stack Dump (") || begins("System Profile:") ? .other : nil
    case UInt8(ascii: "l"): return begins("leaks Report Version:") ? .other : nil
    case UInt8(ascii: "="): return begins("====") && end - start == 4 ? .other : nil
    case UInt8(ascii: "T"): return begins("Translated Code Information:") ? .other : nil
    case UInt8(ascii: "V"):
      if begins("VM Region Info:") || begins("VM Regions Near ") { return .regions }
      return begins("VM Region Summary:") ? .other : nil
    default: return nil
    }
  }
}
