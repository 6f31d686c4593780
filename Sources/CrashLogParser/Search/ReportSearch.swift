import JsonReading
import LogStatements
import ReportFormats
import ReportModel
import ReportWrappings
import RuntimeReports
import SdkReports
import SymbolicationModel

/// Finds the reports in an input: as they stand there, or else in a wrapping.
struct ReportSearch {
  let readers: [any ReportReader]
  /// How much of each text is read.
  let limits: ResourceLimits
  /// What finds the text in the records of a log.
  let records: LogRecordReader
  /// How many texts may still be taken out of wrappings. It keeps the time proportional to the size
  /// of the input, whatever the input holds.
  private var remainingTexts = 16
  /// How many of them may be searched for what stands before lines, which costs more than all else.
  private var remainingPrefixSearches = 3
  private static let deepestNesting = 5

  init(
    readers: [any ReportReader], limits: ResourceLimits,
    records: LogRecordReader = LogRecordReader()
  ) {
    self.readers = readers
    self.limits = limits
    self.records = records
  }

  struct Found {
    /// What the input looks like.
    var format: ReportFormat
    var reports: [Report]
  }

  mutating func search(_ bytes: [UInt8]) -> Found { search(bytes, []) }

  private mutating func search(_ bytes: [UInt8], _ layers: [UnwrappedText]) -> Found {
    let source = TextSource(bytes: bytes)
    // Its lines look like those of a report, but all end with a sign of their own.
    if RtfWrapping.isCertain(source), remainingTexts > 0, let text = RtfWrapping().unwrap(source) {
      remainingTexts -= 1
      return search(text.text, layers + [text])
    }
    // Between the records of a trace, others may stand.
    let isLog = layers.isEmpty && records.isLog(source)
    if isLog, remainingTexts > 0,
      let text = LogRecordWrapping(reader: records).unwrap(source)
    {
      remainingTexts -= 1
      let found = search(text.text, [text])
      if !found.reports.isEmpty { return found }
    }
    let (format, lineStart) = ReportFormat.firstSign(in: source)
    var found = Found(format: format, reports: reports(in: bytes, format))
    if found.reports.isEmpty, format == .plCrashReporterBinary {
      found.reports = translated(bytes, layers)
      return found
    }
    if let wrapping = ReportWrapping(layers) {
      for index in found.reports.indices { found.reports[index].wrapping = wrapping }
    }
    let readers: [any WrappingReader]
    if found.reports.isEmpty {
      readers =
        layers.isEmpty && !isLog
        ? [LogRecordWrapping(reader: records)] + CrashLogParser.wrappings.all
        : CrashLogParser.wrappings.all
    } else if found.hasBrokenJson {
      readers = Wrappings.ofDamagedJson
    } else {
      readers =
        WrappingSigns(source, format, lineStart, found.reports, CrashLogParser.signs).wrappings
    }
    guard layers.count < Self.deepestNesting, format.has(.mayBeWrapped) else { return found }
    for reader in readers where remainingTexts > 0 {
      if reader is LinePrefixWrapping {
        guard remainingPrefixSearches > 0 else { continue }
        remainingPrefixSearches -= 1
      }
      guard let text = reader.unwrap(source), text.text != bytes,
        text.text.count < Int(UInt32.max)
      else { continue }
      remainingTexts -= 1
      let inner = search(text.text, layers + [text])
      // What is behind a break in a string may still be cut. The pieces of a broken trace look like
      // traces.
      let isWhole =
        (reader is JsonBreakWrapping || reader is BrokenFrameWrapping)
        && (inner.frameCount > found.frameCount
          || inner.frameCount == found.frameCount && inner.end > found.end
            && reader is JsonBreakWrapping)
        // Behind its number, an image looks like a frame, and a frame's number like its image.
        || reader is LineNumberWrapping
          && (inner.frameCount >= found.frameCount || inner.saysMore(than: found))
        // A head in which no name of a field was read is a report of its own.
        || reader is TypographyWrapping && inner.frameCount >= found.frameCount
          && inner.saysMore(than: found)
      if isWhole || inner.isBetter(than: found) { return inner }
      if found.reports.isEmpty, found.format.has(.saysLittle) { found.format = inner.format }
    }
    if layers.isEmpty, found.reports.isEmpty {
      found.reports = statements(in: source)
    }
    return joined(found, source, layers)
  }

  /// What single lines of a text say; those of a page, of Markdown, or of lines that were joined,
  /// if the text itself says nothing. Only logs are larger than a megabyte.
  private func statements(in source: TextSource) -> [Report] {
    var layers: [UnwrappedText] = []
    var reports: [Report] = []
    if source.count <= 1 << 20 {
      for reader in WrappingSigns.ofStatements(source) {
        let inner = layers.last.map { TextSource(bytes: $0.text) } ?? source
        if let text = reader.unwrap(inner) { layers.append(text) }
      }
      if let text = layers.last { reports = Self.statements(in: TextSource(bytes: text.text)) }
    }
    if reports.isEmpty {
      layers = []
      reports = Self.statements(in: source)
    }
    for reader in Wrappings.ofStatements where reports.isEmpty && source.count <= 1 << 20 {
      let inner = layers.last.map { TextSource(bytes: $0.text) } ?? source
      guard let text = reader.unwrap(inner), text.text.count < Int(UInt32.max) else { continue }
      layers.append(text)
      reports = Self.statements(in: TextSource(bytes: text.text))
    }
    if let wrapping = ReportWrapping(layers) {
      for index in reports.indices { reports[index].wrapping = wrapping }
    }
    return reports
  }

  private static func statements(in source: TextSource) -> [Report] {
    let reports = LinkerMessage.reports(in: source)
    guard reports.isEmpty else { return reports }
    return [TombstoneHead.report(in: source) ?? CrashStatements.report(in: source)]
      .compactMap(\.self)
  }

  /// The reports in the text that binary data stand for.
  private func translated(_ bytes: [UInt8], _ layers: [UnwrappedText]) -> [Report] {
    guard let binary = PlCrashReport(bytes, ReportAllowance(limits)) else { return [] }
    let text = PlCrashText.write(binary)
    var reports = read(text.text, .crashText)
    for index in reports.indices {
      reports[index].format = .plCrashReporterBinary
      reports[index].wrapping = ReportWrapping(layers + [text])
      // The end of a line stands for the place of the damage.
      let place = reports[index].byteRange.upperBound
      var kinds = binary.faults.map(\.kind)
      if binary.damage != nil { kinds.append(.damagedBinary) }
      reports[index].faults += kinds.map { ParseFault(kind: $0, byteRange: place..<place) }
    }
    return reports
  }

  /// The same reports, with the broken lines joined that are certain to be broken. Lines that seem
  /// broken, but cannot be joined, become faults of the reports.
  private func joined(_ found: Found, _ source: TextSource, _ layers: [UnwrappedText]) -> Found {
    guard found.reports.contains(where: { !$0.looseLines.isEmpty }) else { return found }
    let column = BrokenLines.column(source, found.reports)
    var whole = found
    var joinedLayers = layers
    if let text = BrokenLines.joined(source, found.reports, column: column) {
      let format = ReportFormat.firstSign(in: TextSource(bytes: text.text)).format
      let reading = Found(format: format, reports: reports(in: text.text, format))
      if reading.isBetter(than: found), reading.looseLineCount < found.looseLineCount {
        whole = reading
        joinedLayers.append(text)
      }
    }
    let bytes = joinedLayers.last?.text ?? source.bytes
    for index in whole.reports.indices {
      whole.reports[index].wrapping = ReportWrapping(joinedLayers)
      whole.reports[index].addBrokenFrames(TextSource(bytes: bytes), column: column)
    }
    return whole
  }

  /// The reports that stand in the bytes themselves.
  private func reports(in bytes: [UInt8], _ format: ReportFormat) -> [Report] {
    let reports = read(bytes, format)
    // A header that was broken into lines looks like a document of its own.
    return reports.isEmpty && format.has(.mayPrecedeText) ? read(bytes, .unknown) : reports
  }

  private func read(_ bytes: [UInt8], _ format: ReportFormat) -> [Report] {
    var reading = ReportReading(bytes, readers, limits)
    return reading.reports(format)
  }
}

extension ReportSearch.Found {
  /// Whether nothing is lost compared with another reading of the same input.
  fileprivate func isBetter(than other: Self) -> Bool {
    guard !other.reports.isEmpty else { return !reports.isEmpty }
    // Whatever else stands in damaged JSON, only better JSON shows that it is wrapped.
    if other.hasBrokenJson, hasBrokenJson { return false }
    guard frameCount >= other.frameCount, imageCount >= other.imageCount else { return false }
    // A head whose first line cannot be read looks like a report of its own.
    return reports.count >= other.reports.count
      || stackCount >= other.stackCount && fieldCount > other.fieldCount
      // So do the lower frames of a stack behind a frame that cannot be read.
      || frameCount > other.frameCount && reports.count >= other.wholeCount
  }

  /// Whether there are as many stacks, and more images or fields.
  fileprivate func saysMore(than other: Self) -> Bool {
    stackCount >= min(other.stackCount, 1)
      && (imageCount > other.imageCount || fieldCount > other.fieldCount)
  }

  /// How many of the reports are no pieces of a stack, but for the first one.
  private var wholeCount: Int {
    reports.prefix(1).count
      + reports.dropFirst().count { $0.format != .frameFragment && $0.format != .bareNames }
  }

  fileprivate var hasBrokenJson: Bool {
    reports.contains { report in
      report.format == .ipsCrash && report.faults.contains { $0.kind == .damagedJson }
    }
  }

  /// Where the last report ends. Damage ends one early.
  fileprivate var end: Int { reports.last?.byteRange.upperBound ?? 0 }

  fileprivate var looseLineCount: Int { reports.reduce(0) { $0 + $1.looseLines.count } }

  /// How many of the reports have stacks or images.
  private var stackCount: Int {
    reports.count { !$0.backtraces.isEmpty || !$0.images.isEmpty }
  }

  private var fieldCount: Int { reports.reduce(0) { $0 + $1.facts.fields.count } }

  fileprivate var frameCount: Int {
    reports.reduce(0) { $0 + $1.backtraces.reduce(0) { $0 + $1.frames.count } }
  }

  private var imageCount: Int { reports.reduce(0) { $0 + $1.images.count } }
}

extension [Report] {
  /// The reports without those of a debugger that stopped a program before its first instruction,
  /// as it does for each that it launches or attaches to. Alone, that is what the text shows.
  ///
  /// Source: llvm-project, lldb: source/Plugins/Process/gdb-remote (`DidLaunchOrAttach`); dyld,
  /// dyldStartup.s.
  var withoutLaunches: [Report] {
    guard count > 1, contains(where: \.isLaunch), contains(where: { !$0.isLaunch }) else {
      return self
    }
    return filter { !$0.isLaunch }
  }
}

extension Report {
  fileprivate var isLaunch: Bool {
    guard format == .lldbBacktrace, facts.exception.signal == "SIGSTOP",
      let stack = backtraces.first, backtraces.count == 1, stack.frames.count == 1
    else { return false }
    return stack.frames.first?.symbol?.name.hasSuffix("_dyld_start") == true
  }
}

// What several writers print about one crash.
extension Report {
  /// Whether `Native stack trace:` is on the line above the first frame.
  private func isBelowNativeTitle(in source: TextSource) -> Bool {
    guard let start = backtraces.first?.byteRange.lowerBound else { return false }
    return source.find("Native stack trace:", from: max(0, start - 32), limit: start) != nil
  }

  /// The crash with the stack of managed code that the runtime printed right below it; nil if this
  /// is something else. Its frames have no addresses, so no answer is written to them:
  ///
  /// ```text
  /// libc++abi.dylib: terminating with uncaught exception of type NSException
  /// Stacktrace:
  ///
  ///   at Board.Deck.Deal (int) [0x0000e] in /src/Deck.cs:319
  /// ```
  ///
  /// .NET for iOS prints the native stack of an exception of Objective-C in the middle: below the
  /// exception and `Native stack trace:`, above the managed stack.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c (`mono_handle_native_crash`), which
  /// runs because `abort()` was called; github.com/dotnet/macios, src/ObjCRuntime/ObjCException.cs
  /// (`ToString`).
  func withManagedStack(of other: Report, in source: TextSource) -> Report? {
    // All reports of an input may be on one line, so nothing is looked for before this.
    guard format == .callStack, other.format == .dotNetTrace else { return nil }
    let facts = other.facts
    let title = other.backtraces.first.map { source.lineStart(of: $0.byteRange.lowerBound) }
    guard self.facts.exception.name != nil,
      facts.exception.name == nil, facts.exception.type == nil, facts.process.name == nil,
      facts.applicationInformation.allSatisfy(self.facts.applicationInformation.contains),
      other.images.isEmpty,
      other.backtraces.allSatisfy({ $0.frames.allSatisfy { $0.address == nil } }),
      let title, byteRange.upperBound <= title, title - byteRange.upperBound < 512,
      case let isOfException = isBelowNativeTitle(in: source),
      isOfException
        ? source.bytes[byteRange.upperBound..<title].allSatisfy({ $0 <= Ascii.space })
        : source.find("Stacktrace:", from: byteRange.upperBound, limit: title) != nil
    else { return nil }
    let native = backtraces.map { stack in
      isOfException ? stack.mapping(kind: .lastException, isCrashed: false) { $0 } : stack
    }
    return Report(
      format: format, byteRange: byteRange.lowerBound..<other.byteRange.upperBound,
      facts: self.facts, images: images,
      backtraces: native + other.backtraces.map { $0.mapping(isCrashed: false) { $0 } },
      faults: faults + other.faults)
  }
}

extension [Report] {
  /// Takes the signal of a crash of Swift's for the stack that LLVM's handler of signals printed
  /// right above it: a compiler has both.
  ///
  /// Source: llvm-project, llvm/lib/Support/Unix/Signals.inc; github.com/swiftlang/swift,
  /// stdlib/public/libexec/swift-backtrace.
  mutating func takeSignal(of crash: Report, in source: TextSource) {
    guard crash.format == .swiftBacktrace, let signal = crash.facts.exception.signal,
      let dump = last, dump.format == .llvmStackDump, dump.facts.exception.signal == nil,
      dump.facts.exception.type == nil,
      dump.byteRange.upperBound <= crash.byteRange.lowerBound,
      crash.byteRange.lowerBound - dump.byteRange.upperBound < 512,
      let name = crash.facts.process.name,
      dump.facts.process.name ?? name == name,
      dump.backtraces.contains(where: { $0.frames.contains { $0.imageName == name } })
    else { return }
    self[count - 1].facts.exception.signal = signal
    self[count - 1].facts.process = crash.facts.process
  }
}
