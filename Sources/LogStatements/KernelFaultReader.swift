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

/// What the system writes when it restarts the GPU because of a program: a report of type 284,
/// `gpuEvent-Board-2026-01-01-100000.ips`, which people quote in parts.
///
/// ```text
/// "process_name" : "Board",
/// "analysis" : {"guilty_dm":3,"signature":579,"restart_reason_desc":"firmware-detected lockup"}
/// ```
///
/// Source: the reports as people show them (github.com/yattee/yattee, issue 949).
enum GpuRestart {
  static let key = "restart_reason_desc"
  static let title = "the GPU was restarted: "
  /// How far from the reason the name of the process is looked for, in bytes.
  static let reach = 2048
}

// MARK: Panics

extension StatementReading {
  /// Takes the words of a panic, with the next two lines, where they may go on.
  mutating func takePanic(_ match: LineMatch, _ line: TextLine, _ sign: Int) -> Bool {
    // Source code has the places of the names.
    guard match.text(.message, source)?.contains("%s") != true, facts.panic == nil else {
      return facts.panic != nil
    }
    // The name of the function stands before the sign.
    let start = source.bytes[line.start..<sign].lastIndex(of: UInt8(ascii: "z")) ?? sign
    takePanic(source.trimmed(start..<line.end), below: line)
    return true
  }

  private mutating func takePanic(_ words: Range<Int>, below line: TextLine) {
    var below: [String] = []
    // Below a quotation in a sentence, the text goes on.
    let isWhole = source.isBlank(source.line(at: line.end))
    var next = line.next
    while isWhole, below.count < 2, next < source.count {
      let line = source.line(at: next)
      guard !source.isBlank(line), line.end - line.start < 1024 else { break }
      below.append(
        source.string(source.trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")))
      next = line.next
    }
    let panic = PanicDescription(words: source.string(words), below: below)
    facts.panic = panic
    guard facts.process.name == nil, let task = panic.task else { return }
    (facts.process.name, facts.process.identifier) = (task, panic.taskIdentifier)
  }

  /// Takes the first line of a panic, wherever it is in a line. If who shows it left out the
  /// processor and the caller, it stands alone, as the report of a panic does, with the task below
  /// or the words about launchd:
  ///
  /// ```text
  /// The report says `panic(cpu 2 caller 0xfffffe0014226bec): Kernel data abort.`
  /// panic(...): initproc exited -- exit reason namespace 2 subcode 0xa
  /// Panicked task ... pid 1: launchd
  /// ```
  mutating func takeQuotedPanic(_ line: TextLine, _ sign: Int) -> Bool {
    guard isWholeText, !source.isExample(line.start..<sign) else { return false }
    guard facts.panic == nil else { return true }
    let limit = line.end
    var words = sign
    if let (_, number) = source.decimal(at: sign + 10, limit: limit) {
      let caller = " caller 0x"
      guard source.has(caller, at: number, limit: limit),
        let address = source.hexadecimal(at: number + caller.utf8.count - 2, limit: limit)?.end,
        source.has("): ", at: address, limit: limit)
      else { return false }
      words = address + 3
    } else {
      guard let end = source.find("): ", from: sign, limit: min(limit, sign + 16)) else {
        return false
      }
      words = end + 3
      let below = source.line(at: line.next)
      let task = source.trimmed(below.start..<below.end, leading: "> ", trailing: "")
      guard
        source.has("initproc ", at: words, limit: limit)
          || source.has("Panicked task ", at: task.lowerBound, limit: task.upperBound)
      else { return false }
    }
    let range = source.trimmed(words..<limit)
    guard !range.isEmpty else { return false }
    takePanic(sign..<range.upperBound, below: line)
    return true
  }
}

extension StatementReading {
  /// Takes why the GPU was restarted, and for whom.
  mutating func takeGpuRestart(at sign: Int, _ range: Range<Int>) -> Bool {
    guard let reason = source.jsonText(behind: sign + GpuRestart.key.utf8.count, range.upperBound)
    else { return false }
    let text = GpuRestart.title + reason
    if !facts.applicationInformation.contains(text) { facts.applicationInformation.append(text) }
    guard facts.process.name == nil else { return true }
    let near = max(source.textStart, sign - GpuRestart.reach)..<min(limit, sign + GpuRestart.reach)
    for (key, isMember) in [("\"process_name", true), ("gpuEvent-", false)] {
      guard let start = source.find(key, from: near.lowerBound, limit: near.upperBound) else {
        continue
      }
      let end = start + key.utf8.count
      let name =
        isMember
        ? source.jsonText(behind: end, near.upperBound)
        : source.find("-20", from: end, limit: min(near.upperBound, end + 64)).map {
          source.string(end..<$0)
        }
      if let name, !name.isEmpty, name.utf8.count <= 64 {
        facts.process.name = name
        break
      }
    }
    takeHeadOfGpuRestart(at: sign)
    return true
  }

  /// Takes the system and the time from the head of the file.
  private mutating func takeHeadOfGpuRestart(at sign: Int) {
    let head = source.line(at: source.textStart)
    guard source[head.start] == Ascii.openBrace, head.end - head.start < 2048 else { return }
    func member(_ key: String) -> String? {
      source.find(key, from: head.start, limit: head.end).flatMap {
        source.jsonText(behind: $0 + key.utf8.count, head.end)
      }
    }
    if facts.system.name == nil, let name = member("\"os_version") {
      facts.system = ReportFacts.System(name)
    }
    facts.date = facts.date ?? member("\"timestamp")
  }
}

extension TextSource {
  /// The text in quotes that is the value of a key, which ends at an offset: `: "blocked"`, with or
  /// without a quote behind the key. Nil if something else is there.
  fileprivate func jsonText(behind offset: Int, _ limit: Int) -> String? {
    var start = offset
    while start < limit, start - offset < 8, " \"`\\".utf8.contains(self[start]) { start += 1 }
    guard start < limit, self[start] == Ascii.colon else { return nil }
    start = skipSeparators(from: start + 1, limit: limit)
    while start < limit, "\"`\\".utf8.contains(self[start]) { start += 1 }
    guard start > offset, "\"`".utf8.contains(self[start - 1]) else { return nil }
    var end = start
    while end < limit, end - start < 256, !"\"`\\\n".utf8.contains(self[end]) { end += 1 }
    return end > start && end < limit && end - start < 256 ? string(start..<end) : nil
  }
}

// MARK: Faults that crash SDKs show

extension StatementReading {
  /// Takes the address of a fault from a line that says nothing else, with the kind of the
  /// exception from one of the two lines above. Sentry breaks the value of an exception so, and
  /// people quote the title and the value as one sentence:
  ///
  /// ```text
  /// EXC_BAD_ACCESS: Exception 1, Code 1, Subcode 8 >
  /// KERN_INVALID_ADDRESS at 0x4650.
  /// ```
  ///
  /// The diagnosis of a garbage pointer is of a fault by itself.
  ///
  /// Source: github.com/getsentry/sentry-cocoa, Sources/Sentry/SentryCrashReportConverter.m
  /// (`Exception %ld, Code %ld, Subcode %ld >`); github.com/kstenerud/KSCrash, KSCrashDoctor.m
  /// (`Attempted to dereference …`).
  mutating func takeDetailOfFault(
    at sign: Int, _ range: Range<Int>, _ line: TextLine
  ) -> Bool {
    let text = source.trimmed(range, leading: "> *`\"'", trailing: " *`\"'.")
    guard isWholeText, facts.exception.codes.isEmpty, text.count < 128,
      text.lowerBound == sign || text.lowerBound + 1 == sign
    else { return false }
    let kind = source.exceptionKind(above: line)
    let words = source.string(text)
    let address = words.lastIndex(of: " ").flatMap { space -> UInt64? in
      let last = words[words.index(after: space)...]
      return last.hasPrefix("0x") ? UInt64(last.dropFirst(2), radix: 16) : nil
    }
    if words.hasPrefix("KERN_"), let kind, address != nil, words.split(separator: " ").count == 3 {
      guard facts.exception.subtype == nil else { return true }
      facts.exception.subtype = words
      facts.exception.type = kind.type
    } else if words == "\(ReportFacts.dereference)null pointer", let kind {
      facts.exception.codes = [1, 0]
      facts.exception.type = kind.type
    } else if words.hasPrefix("\(ReportFacts.dereference)garbage pointer "), let address {
      facts.exception.codes = [1, address]
      facts.exception.type = kind?.type ?? "EXC_BAD_ACCESS"
    } else {
      return false
    }
    facts.exception.signal = facts.exception.signal ?? kind?.signal
    return true
  }
}

extension TextSource {
  /// The kind of an exception that one of the two lines above names, unless as an example.
  fileprivate func exceptionKind(above line: TextLine) -> (type: String, signal: String?)? {
    var current = self.line(at: lineStart(of: line.start))
    for _ in 0..<2 {
      guard let above = lineAbove(current), above.end - above.start < 1024 else { return nil }
      current = above
      if let sign = find("EXC_", from: above.start, limit: above.end),
        let kind = exceptionKind(at: sign, above.end), !isExample(above.start..<sign)
      {
        return (kind.type, kind.signal)
      }
    }
    return nil
  }
}
