package import ReportModel
import SymbolicationModel

// The facts that a line states which a ``LinePattern`` matched.

extension ReportFacts {
  /// Takes what a line says, unless it is known.
  ///
  /// - Parameters:
  ///   - end: up to here, a reason in quotes may go on in the next lines.
  ///   - title: what the message is called.
  package mutating func take(
    _ match: LineMatch, _ source: TextSource, above end: Int = 0, title: String = ""
  ) {
    func set(_ place: WritableKeyPath<ReportFacts, String?>, _ field: LineField) {
      if self[keyPath: place] == nil, let text = match.text(field, source) {
        self[keyPath: place] = text
      }
    }
    set(\.process.name, .process)
    set(\.process.path, .path)
    set(\.process.version, .version)
    set(\.hardwareModel, .model)
    set(\.date, .date)
    set(\.exception.name, .exception)
    // Of code in Markdown.
    if exception.name?.last == "`" { exception.name?.removeLast() }
    if exception.reason == nil, let range = match[.reason] {
      let whole = source.string(range.lowerBound..<source.reasonEnd(range, above: end))
      exception.reason = String(whole.map { $0.isNewline ? " " : $0 })
      exception.shortenName()
    }
    if exception.reason == nil { exception.shortenName() }
    set(\.exception.signal, .signal)
    if process.identifier == nil { process.identifier = match.integer(.pid, source) }
    if let path = process.name, path.contains("/") {
      process.name = path.lastPathComponent
      if process.path == nil { process.path = path }
    }
    process.path = process.path?.withoutMarkdownLink
    if process.name == nil { process.name = process.path?.lastPathComponent }
    if system.name == nil, let text = match.text(.system, source) { system = System(text) }
    if system.name == nil, let version = match.text(.systemVersion, source) {
      system = System("Android \(version) (\(match.text(.systemBuild, source) ?? ""))")
    }
    if architecture == nil, let name = match.text(.architecture, source) {
      // Breakpad has names of its own.
      architecture = Architecture(name: ["amd64": "x86_64", "x86": "i386"][name] ?? name)
    }
    if faultingInstruction == nil, let text = match.text(.instruction, source) {
      faultingInstruction = text
    }
    if let cause = match.text(.cause, source), exception.message == nil {
      exception.message = cause
    }
    if let message = match.text(.message, source) {
      if title == Self.dereference, message.hasPrefix("null pointer") {
        if exception.codes.isEmpty { exception.codes = [1, 0] }
      } else if !message.contains("%p") {
        applicationInformation.append(title + message)
      }
    }
    if exception.type == nil, let stop = match.text(.stop, source) {
      if stop.contains(" ") { take(stop: stop) } else { exception.type = "EXC_\(stop)" }
    }
    let code = exception.subtype == nil ? match.text(.code, source) : nil
    if exception.type != nil, let number = code.flatMap(Self.exceptionCode) {
      exception.codes = [number] + exception.codes.dropFirst()
    } else if let text = code {
      let number = match.number(.signal, source)
      // Darwin has another number for it than Linux.
      if let number { exception.signal = number == 7 ? "SIGBUS" : MachNames.signal(number) }
      let code = exception.signal.flatMap { SignalCode.name(text, of: $0) } ?? text
      exception.subtype = code
      // Of others there is no address (POSIX, signal.h: `SI_USER`; Linux: `SI_KERNEL`).
      if let fault = match.text(.fault, source), !code.hasPrefix("SI_") {
        // Until Android 4.4, without `0x`.
        let isBare = [8, 16].contains(fault.utf8.count) && fault.allSatisfy(\.isHexDigit)
        exception.subtype = "\(code) at \(isBare ? "0x" : "")\(fault)"
      }
    } else if exception.codes.count < 2, let fault = match.number(.fault, source) {
      exception.codes = [exception.codes.first ?? 1, fault]
    }
    if let number = exception.signal.flatMap({ UInt64($0) }) {
      exception.signal = number == 7 ? "SIGBUS" : MachNames.signal(number)
    }
    exception.signal = exception.signal.map { $0.hasPrefix("SIG") ? $0 : "SIG\($0.uppercased())" }
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
  }

  /// Takes who wrote a message into a log.
  package mutating func takeWriter(_ line: Range<Int>, _ message: Int, _ source: TextSource) {
    guard let writer = source.logWriter(line, before: message) else { return }
    (process.name, process.identifier) = (writer.name, writer.identifier)
  }

  /// The title of a message about the pointer that code followed, as Crashlytics and lldb begin it.
  package static let dereference = "Attempted to dereference "

  /// The first code of an exception that Breakpad has no name for: `0x0000000d`.
  private static func exceptionCode(_ text: String) -> UInt64? {
    guard text.hasPrefix("0x") else { return nil }
    return UInt64(text.dropFirst(2).prefix { $0 != " " }, radix: 16)
  }
}

/// What the numbers of causes are called that come with a signal (`si_code`).
///
/// Source: POSIX, signal.h; for the last two, Linux, include/uapi/asm-generic/siginfo.h. Go takes 0
/// for a signal that somebody sent on all systems (src/runtime/defs_darwin_amd64.go, `_SI_USER`).
private enum SignalCode {
  static func name(_ number: String, of signal: String) -> String? {
    switch (signal, number) {
    case ("SIGSEGV", "0x1"), ("SIGSEGV", "1"): "SEGV_MAPERR"
    case ("SIGSEGV", "0x2"), ("SIGSEGV", "2"): "SEGV_ACCERR"
    case ("SIGBUS", "0x1"), ("SIGBUS", "1"): "BUS_ADRALN"
    case ("SIGBUS", "0x2"), ("SIGBUS", "2"): "BUS_ADRERR"
    case ("SIGSEGV", "0x80"), ("SIGSEGV", "128"): "SI_KERNEL"
    case ("SIGSEGV", "0x0"): "SI_USER"
    default: nil
    }
  }
}

extension ReportFacts {
  /// Reads why a debugger stopped: `EXC_BAD_ACCESS (code=1, address=0x0)`, `signal SIGABRT`.
  package mutating func take(stop: String) {
    if stop.hasPrefix("Fatal error") { applicationInformation.append(stop) }
    exception.take(stop: stop)
  }
}

extension ReportFacts.CrashException {
  package mutating func take(stop: String) {
    if let kind = stop.firstRange(of: "RESOURCE_TYPE_")?.upperBound {
      type = "EXC_RESOURCE"
      subtype = String(stop[kind...].prefix { $0.isLetter })
      message = Self.amounts(in: stop)
    } else if stop.hasPrefix("EXC_") {
      type = String(stop.prefix { $0 != " " })
      codes = stop.split(whereSeparator: { "(,) ".contains($0) }).compactMap { word in
        guard let equals = word.firstIndex(of: "=") else { return nil }
        let text = word[word.index(after: equals)...]
        return text.hasPrefix("0x")
          ? UInt64(text.dropFirst(2), radix: 16)
          : UInt64(text) ?? Self.codeNumbers[text.uppercased()]
      }
      // It has no address.
      if codes == [13], subtype == nil { subtype = "EXC_I386_GPFLT" }
    } else if stop.hasPrefix("signal ") {
      signal = String(stop.dropFirst(7).prefix { $0 != ":" && $0 != " " })
      subtype = Self.signalCode(in: stop) ?? subtype
    } else if stop.hasPrefix("Fatal error") {
      type = "EXC_BREAKPOINT"
    } else if stop.hasPrefix("watchpoint ") {
      // Somebody watched memory, and this is who wrote to it.
      message = "the debugger stopped at \(stop): no crash"
    } else if stop.hasPrefix("hit program assert") {
      // What lldb says in the place of the signal, which `abort()` sends below `__assert_rtn`.
      // Source: github.com/llvm/llvm-project, lldb/source/Target/AssertFrameRecognizer.cpp.
      message = stop
      signal = "SIGABRT"
    }
  }

  /// `SEGV_MAPERR at 0x8` of `signal SIGSEGV: invalid address (fault address: 0x8)`, as lldb writes
  /// it on Linux. Newer versions have other words for the code, and `=` in place of the colon.
  ///
  /// Source: llvm-project, lldb: source/Plugins/Process/POSIX/CrashReason.cpp, until version 16;
  /// then source/Plugins/Process/Utility/LinuxSignals.cpp and source/Target/UnixSignals.cpp.
  private static func signalCode(in stop: String) -> String? {
    guard let mark = stop.firstRange(of: "(fault address"),
      let digits = stop[mark.upperBound...].firstRange(of: "0x"),
      stop[mark.upperBound..<digits.lowerBound].allSatisfy({ ":= ".contains($0) }),
      let address = UInt64(stop[digits.upperBound...].prefix(while: \.isHexDigit), radix: 16)
    else { return nil }
    let words = stop[..<mark.lowerBound]
    return signalCodes.first { words.firstRange(of: $0.words) != nil }
      .map { "\($0.code) at \(address.hexadecimal)" }
  }

  private static let signalCodes = [
    (words: "SIGSEGV: invalid address", code: "SEGV_MAPERR"),
    (words: "SIGSEGV: address not mapped to object", code: "SEGV_MAPERR"),
    (words: "SIGSEGV: address access protected", code: "SEGV_ACCERR"),
    (words: "SIGSEGV: invalid permissions for mapped object", code: "SEGV_ACCERR"),
    (words: "SIGBUS: illegal alignment", code: "BUS_ADRALN"),
    (words: "SIGBUS: illegal address", code: "BUS_ADRERR"),
    (words: "SIGBUS: nonexistent physical address", code: "BUS_ADRERR"),
  ]

  /// `limit 150 w/s, observed 213 w/s` of `(limit=150 w/s, observed=213 w/s)`. The bytes that were
  /// unused are always 0.
  private static func amounts(in stop: String) -> String? {
    guard let start = stop.firstRange(of: "limit=")?.lowerBound else { return nil }
    // A number may have a comma in it.
    var parts: [String] = []
    for part in stop[start...].prefix(while: { $0 != ")" }).split(separator: " ") {
      if part.contains("=") { parts.append("") }
      guard let last = parts.indices.last else { continue }
      parts[last] += (parts[last].isEmpty ? "" : " ") + part
    }
    let amounts = parts.filter { !$0.hasPrefix("unused=") }.map { part in
      let name = part.prefix { $0 != "=" }
      let amount = part.dropFirst(name.count + 1)
      return "\(name) \(amount.last == "," ? amount.dropLast() : amount)"
    }
    return amounts.joined(separator: ", ")
  }

  /// What lldb calls the first code.
  ///
  /// Source: XNU, osfmk/mach/i386/exception.h and osfmk/mach/arm/exception.h.
  private static let codeNumbers: [String: UInt64] = [
    "EXC_I386_DIV": 1, "EXC_I386_INVOP": 1, "EXC_I386_SGL": 1, "EXC_I386_BPT": 2,
    "EXC_I386_GPFLT": 13, "EXC_ARM_BREAKPOINT": 1, "EXC_ARM_DA_ALIGN": 0x101,
    "EXC_ARM_UNDEFINED": 1,
  ]
}

extension TextSource {
  /// Where a reason ends that begins behind a quote: at the quote that ends a line below it, if
  /// none follows it.
  fileprivate func reasonEnd(_ range: Range<Int>, above limit: Int) -> Int {
    guard self[range.lowerBound - 1] == UInt8(ascii: "'"),
      self[range.upperBound] != UInt8(ascii: "'")
    else { return range.upperBound }
    var next = line(at: range.upperBound).next
    while next < limit {
      let line = line(at: next)
      next = line.next
      let end = trimEnd(from: line.start, to: line.end)
      if self[end - 1] == UInt8(ascii: "'") { return end - 1 }
    }
    return range.upperBound
  }
}

extension String {
  /// `./hello.com` for `./[hello.com](http://hello.com/)`, which mail and chats make of a name with
  /// a dot.
  package var withoutMarkdownLink: String {
    guard let middle = firstRange(of: "]("),
      let open = self[..<middle.lowerBound].lastIndex(of: "["),
      let close = self[middle.upperBound...].firstIndex(of: ")")
    else { return self }
    return String(
      self[..<open] + self[index(after: open)..<middle.lowerBound] + self[index(after: close)...])
  }
}
