import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

extension ReportFormat {
  /// What Linux writes into its log when a process faults.
  public static let kernelFault = ReportFormat(
    FormatTraits(
      schemaName: "kernelFault",
      unreadable: { _ in "looks like a fault in the log of Linux, but cannot be read" },
      [.isReport, .hasStacks, .mayBeWrapped, .listsNoImages]))
}

/// Reads faults of processes in the log of Linux. Each is a stack of one frame:
///
/// ```text
/// [12.5] app[812]: segfault at 8 ip 0000561c0a31139 sp 00007ffd4 error 4 in app[561c0a31000+5000]
/// traps: app[812] trap invalid opcode ip:561c0a31139 sp:7ffd4f0 error:0 in app[561c0a31000+5000]
/// ```
///
/// The numbers behind the image are of the mapping, not of the image.
///
/// Source: github.com/torvalds/linux, arch/x86/mm/fault.c (`show_signal_msg`),
/// arch/x86/kernel/traps.c.
package struct KernelFaultReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.kernelFault] }

  package var lineSigns: LineSigns {
    .holding(["]: segfault at ", "] general protection", "] trap "])
  }

  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    KernelFault(line, in: source) == nil ? nil : .kernelFault
  }

  package func streamedReport(
    from line: TextLine, in source: TextSource
  ) -> StreamedReport? {
    KernelFault(line, in: source) == nil ? nil : .lines(KernelFaultLines())
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .kernelFault else { return [] }
    var reports: [Report] = []
    input.forEachFreeLine { line in
      guard let line, let fault = KernelFault(line, in: input.source),
        let report = fault.report(input.source, input.allowance)
      else { return }
      reports.append(report)
    }
    return reports
  }
}

/// A fault is one line, or two.
private struct KernelFaultLines: StreamedLines {
  var looseLimit: Int? { 1 }
  func place(of line: TextLine, in source: TextSource) -> StreamedPlace {
    KernelFault(line, in: source) == nil ? .loose : .part
  }
}

/// A line of the log about a fault.
private struct KernelFault {
  private let match: LineMatch
  /// The line with the image, if that is on the next one.
  private let image: LineMatch?
  private let range: Range<Int>

  init?(_ line: TextLine, in source: TextSource) {
    guard Self.signs.isAny(in: line.start..<line.end, of: source) else { return nil }
    let range = source.trimmed(line.start..<line.end)
    guard let match = Self.patterns.lazy.compactMap({ $0.match(source, range) }).first else {
      return nil
    }
    self.match = match
    guard match[.image] == nil, line.next < source.count else {
      (image, self.range) = (nil, range)
      return
    }
    let next = source.line(at: line.next)
    let below = source.trimmed(next.start..<next.end)
    image = below.isEmpty ? nil : Self.image.match(source, below)
    self.range = image == nil ? range : range.lowerBound..<below.upperBound
  }

  private static let signs = TextSigns(["]: segfault at ", "] general protection", "] trap "])
  private static let patterns = [
    LinePattern(
      "{?{skip} ?}{process:w}[{pid}]: segfault at {fault:h} {?r?}ip {address:h} {?r?}sp {skip:h}"
        + " error {code:h}{? in {image}[{skip}]{? {skip}?}?}"),
    LinePattern(
      "{?{skip} ?}{process:w}[{pid}] {message} ip:{address:h} sp:{skip:h} error:{code:h}"
        + "{? in {image}[{skip}]{? {skip}?}?}"),
  ]
  private static let image = LinePattern("in {image}[{skip}]{? {skip}?}")

  func report(_ source: TextSource, _ allowance: ReportAllowance) -> Report? {
    var faults: [ParseFault] = []
    guard allowance.takeThread(at: range, &faults), allowance.takeFrame(at: range, &faults) else {
      return nil
    }
    var facts = ReportFacts()
    facts.process.name = match.text(.process, source)
    facts.process.identifier = match.integer(.pid, source)
    facts.exception = exception(source)
    var values = FrameValues(byteRange: range)
    values.index = 0
    values.addressKind = .programCounter
    values.imageName =
      (match.text(.image, source) ?? image?.text(.image, source))?.lastPathComponent
    let frame = StackFrame(
      address: match.number(.address, source).map { LoadAddress($0) }, carrier: .values(values))
    return Report(
      format: .kernelFault, byteRange: range, facts: facts, images: [],
      backtraces: [
        Backtrace(kind: .thread, isCrashed: true, frames: [frame], byteRange: range)
      ],
      faults: faults)
  }

  /// Source: Intel Software Developer's Manual, volume 3, "Interrupt 14 - Page-Fault Exception":
  /// bit 0 of the code is set if the page is there, bit 1 for a write, bit 4 for an instruction.
  private func exception(_ source: TextSource) -> ReportFacts.CrashException {
    var exception = ReportFacts.CrashException()
    guard let address = match.number(.fault, source) else {
      exception.message = match.text(.message, source)
      exception.signal = exception.message.flatMap { message in
        Self.signals.first(where: { message.hasPrefix($0.words) })?.signal
      }
      return exception
    }
    let code = match.number(.code, source) ?? 0
    exception.signal = "SIGSEGV"
    let name = code & 1 == 0 ? "SEGV_MAPERR" : "SEGV_ACCERR"
    exception.subtype = "\(name) at 0x\(address.hexadecimalDigits(count: 16))"
    exception.message = code & 16 != 0 ? "no code is there" : code & 2 != 0 ? "a write" : "a read"
    return exception
  }

  private static let signals: [(words: String, signal: String)] = [
    ("general protection", "SIGSEGV"), ("trap invalid opcode", "SIGILL"),
    ("trap divide error", "SIGFPE"), ("trap int3", "SIGTRAP"), ("trap stack segment", "SIGBUS"),
  ]
}
