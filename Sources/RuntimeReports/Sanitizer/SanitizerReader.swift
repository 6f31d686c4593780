import JsonReading
package import ReportFormats
public import ReportModel

// Reports of Clang's and GCC's sanitizers: AddressSanitizer, ThreadSanitizer, MemorySanitizer,
// LeakSanitizer and their relatives.
//
// ```text
// =================================================================
// ==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020 at pc 0x1042e3f5d bp …
// READ of size 4 at 0x6020 thread T0
//     #0 0x1042e3f5c in f(int) a.cc:12:3 (App:arm64+0x100003f5c)
//     #1 0x1042e3fa0  (App:arm64+0x100003fa0)
//
// 0x6020 is located 0 bytes inside of 4-byte region [0x6020,0x6024)
// freed by thread T0 here:
//     #0 0x104a11c04  (libclang_rt.asan_osx_dynamic.dylib:arm64e+0x41c04)
//
// SUMMARY: AddressSanitizer: heap-use-after-free a.cc:12:3 in f(int)
// ```
//
// ThreadSanitizer's frames have no address: `#0 f(int) a.cc:12 (App:arm64+0x100003f5c)`.
//
// Source: llvm-project, compiler-rt/lib/sanitizer_common/sanitizer_stacktrace_printer.cpp and
// sanitizer_stacktrace_libcdep.cpp; the heads are in the report files of each sanitizer.
//
// `SanitizerReader` finds the reports, `SanitizerBuilder` collects the stacks of one,
// `SanitizerFrame` reads a frame, `SanitizerImages` gathers the modules that frames name, and
// `SanitizerFrameWriter` writes frames.

extension ReportFormat {
  /// What AddressSanitizer, ThreadSanitizer and the other sanitizers print.
  public static let sanitizer = ReportFormat(
    FormatTraits(
      schemaName: "sanitizer",
      unreadable: { _ in
        "looks like a report of a sanitizer, but has no stack that can be read"
      }, [.isReport, .hasStacks, .mayBeWrapped, .showsColumns],
      frames: .lines(SanitizerFrameWriter())))
}

/// Finds and reads reports of sanitizers.
package struct SanitizerReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.sanitizer] }

  package var lineSigns: LineSigns {
    .beginning([
      UInt8(ascii: "="), UInt8(ascii: "W"), UInt8(ascii: "E"), UInt8(ascii: "#"),
    ])
  }

  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    source.sanitizerHead(line) == nil && source.sanitizerFragment(line) == nil ? nil : .sanitizer
  }
  package func beginsReport(_ line: TextLine, in source: TextSource) -> Bool {
    source.sanitizerHead(line) != nil || source.isRuleAboveSanitizerHead(line)
  }
  package func streamedReport(
    from line: TextLine, in source: TextSource
  ) -> StreamedReport? {
    source.sanitizerHead(line) == nil && source.sanitizerFragment(line) == nil
      ? nil : .lines(SanitizerLines())
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .sanitizer else { return [] }
    var found: [Report] = []
    var builder: SanitizerBuilder?
    var rule: TextLine?
    let source = input.source
    func finish() {
      if let report = builder?.finish() { found.append(report) }
      builder = nil
    }
    input.forEachFreeLine { line in
      guard let line else {
        rule = nil
        return finish()
      }
      if let head = source.sanitizerHead(line) {
        finish()
        builder = SanitizerBuilder(input, head, at: line, rule: rule)
      } else {
        if builder == nil, let fragment = source.sanitizerFragment(line) {
          builder = SanitizerBuilder(input, fragment.head, at: fragment.line, rule: nil)
        }
        builder?.consume(line)
        if builder?.isClosed == true { finish() }
      }
      rule = source.isRule(line) ? line : nil
    }
    finish()
    return found
  }
}

/// The lines of a sanitizer's report in a stream. What follows the summary does not matter.
private struct SanitizerLines: StreamedLines {
  func place(of line: TextLine, in source: TextSource) -> StreamedPlace {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    if source.has("SUMMARY: ", at: start, limit: line.end) { return .last }
    return source[start] == UInt8(ascii: "#") ? .part : .loose
  }
}

/// The line that says what happened.
struct SanitizerHead {
  /// `AddressSanitizer`
  var tool: String?
  /// `heap-use-after-free on address 0x6020`
  var problem: String?
  var process: Int?
}

extension TextSource {
  /// Reads `==4242==ERROR: AddressSanitizer: …` and `WARNING: ThreadSanitizer: … (pid=4242)`; nil
  /// for any other line.
  func sanitizerHead(_ line: TextLine) -> SanitizerHead? {
    var position = skipSeparators(from: line.start, limit: line.end)
    var process: UInt64?
    if has("==", at: position, limit: line.end) {
      let number = decimal(at: position + 2, limit: line.end)
      // Somebody may have put letters in the place of the number.
      guard
        let end = number?.end
          ?? find("==", from: position + 3, limit: min(line.end, position + 16)),
        has("==", at: end, limit: line.end)
      else { return nil }
      process = number?.value
      position = skipSeparators(from: end + 2, limit: line.end)
    }
    let isError = has("ERROR: ", at: position, limit: line.end)
    if isError {
      position += 7
    } else if has("WARNING: ", at: position, limit: line.end) {
      position += 9
    } else {
      return nil
    }
    // The first versions write no colon.
    let limit = min(line.end, position + 56)
    guard
      let colon = find("Sanitizer: ", from: position, limit: limit)
        ?? find("Sanitizer crashed ", from: position, limit: limit),
      bytes[position..<colon].allSatisfy(Ascii.isWord)
    else { return nil }
    let text = trimmed(colon + 10..<line.end)
    if process == nil {
      if let found = find("(pid=", from: text.lowerBound, limit: text.upperBound) {
        process = decimal(at: found + 5, limit: text.upperBound)?.value
      } else if !isError || !isAboveSanitizerStack(line) {
        return nil
      }
    }
    // What follows are registers, or the process once more.
    let problemEnd =
      [" at pc ", " (pc ", " (pid="].lazy.compactMap {
        find($0, from: text.lowerBound, limit: text.upperBound)
      }.first ?? text.upperBound
    var problem = string(text.lowerBound..<problemEnd)
    // A mail program breaks long lines.
    if problem.hasSuffix(" on address"), line.next < count,
      let (_, end) = hexadecimal(at: line.next, limit: self.line(at: line.next).end)
    {
      problem += " \(string(line.next..<end))"
    }
    return SanitizerHead(
      tool: string(position..<colon + 9), problem: problem,
      process: process.flatMap { Int(exactly: $0) })
  }

  /// Whether the line below is one that a sanitizer writes below its head: what was accessed and
  /// how, or the first frame. Somebody left out the process then, or a page took its equal signs
  /// for marks.
  ///
  /// Source: llvm-project, compiler-rt/lib/asan/asan_errors.cpp (`ErrorGeneric::Print`),
  /// lib/sanitizer_common/sanitizer_symbolizer_report.cpp and lib/tsan/rtl/tsan_report.cpp.
  private func isAboveSanitizerStack(_ line: TextLine) -> Bool {
    var below = self.line(at: line.next)
    if isBlank(below) { below = self.line(at: below.next) }
    let start = skipSeparators(from: below.start, limit: below.end)
    if self[start] == UInt8(ascii: "#") { return SanitizerFrame(self, below) != nil }
    return ["READ of size ", "WRITE of size ", "Read of size ", "Write of size ", "The signal is "]
      .contains { has($0, at: start, limit: below.end) }
  }

  /// What is known of a stack without a head that begins with a line, and where it begins: at the
  /// line itself, or at the one above, in which UBSan says what happened:
  ///
  /// ```text
  /// a.cc:12:3: runtime error: signed integer overflow: …
  ///     #0 0x1042e3f5c in f(int) a.cc:12:3
  /// ```
  ///
  /// A stack whose first frames were cut off begins with any number, if the module has an
  /// architecture behind it, as only sanitizers on Apple's systems write it, or the place right
  /// behind the function (`f(int) a.cc:12`): debuggers write `at` between them.
  fileprivate func sanitizerFragment(_ line: TextLine) -> (head: SanitizerHead, line: TextLine)? {
    let first = skipSeparators(from: line.start, limit: line.end)
    guard self[first] == UInt8(ascii: "#"), let frame = SanitizerFrame(self, line),
      frame.number == 0 || frame.content.module?.architecture != nil
        || frame.content.line != nil,
      // No code is in the first pages.
      let address = frame.address?.value, address >= 0x1000,
      let function = frame.content.function,
      frame.content.line != nil || frame.content.module != nil,
      // That is gdb's.
      !string(function).hasSuffix(" at")
    else { return nil }
    let sign = "runtime error: "
    if let above = lineAbove(line),
      let found = find(sign, from: above.start, limit: above.end)
    {
      let problem = string(trimmed(found + sign.utf8.count..<above.end))
      return (SanitizerHead(tool: "UndefinedBehaviorSanitizer", problem: problem), above)
    }
    return (SanitizerHead(), line)
  }

  /// Whether a line is the first of a sanitizer's stack, in the forms that only sanitizers have.
  package func beginsSanitizerStack(_ line: TextLine) -> Bool { sanitizerFragment(line) != nil }

  /// Whether a line says what a sanitizer found.
  package func beginsSanitizerReport(_ line: TextLine) -> Bool { sanitizerHead(line) != nil }

  /// Whether a line has nothing but equal signs, as above the head and below the end of a report.
  fileprivate func isRule(_ line: TextLine) -> Bool {
    let text = trimmed(line.start..<line.end)
    return text.count >= 18 && bytes[text].allSatisfy { $0 == UInt8(ascii: "=") }
  }

  fileprivate func isRuleAboveSanitizerHead(_ line: TextLine) -> Bool {
    guard isRule(line), line.next < count else { return false }
    return sanitizerHead(self.line(at: line.next)) != nil
  }
}
