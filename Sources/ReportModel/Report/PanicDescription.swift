/// What the text of a kernel panic says.
package struct PanicDescription: Hashable, Sendable {
  /// The words of the panic, one line: `btn_rst`, `x86 CPU CATERR detected`, …. Empty if the line
  /// with them is missing.
  package var message: String
  /// The file and line in the kernel's source, without folders: `IOGPUGroupMemory.cpp:219`.
  package var source: String?
  /// What the processor reported, if the panic is about that.
  package var fault: PanicFault?
  /// `kernel_task`, or the process whose thread panicked.
  package var task: String?
  package var taskIdentifier: Int?
  /// `Darwin Kernel Version 17.6.0: …`.
  package var kernelVersion: String?
  /// `17E199`.
  package var systemBuild: String?
  /// `MacBookPro11,3`.
  package var model: String?
  /// `0x000000000e200000`.
  package var kernelSlide: String?
  /// When it happened, in seconds since 1970.
  package var time: Int64?
  /// The kernel extensions in the backtrace, without those that they depend on.
  package var extensions: [Extension] = []
  /// The extension that was started last. It is where the kernel looks first, and often has nothing
  /// to do with the panic.
  package var lastExtension: Extension?
  /// Return addresses in the kernel, innermost first.
  package var addresses: [UInt64] = []
  /// Functions of the backtrace, innermost first, if the report was symbolicated.
  package var functions: [String] = []
  /// The extensions of others than Apple that functions are of, by their places in `functions`.
  package var owners: [Int: String] = [:]

  package struct Extension: Hashable, Sendable {
    package let name: String
    package let version: String?
    /// The addresses of its code; nil if the text does not have them.
    package private(set) var addresses: ClosedRange<UInt64>?

    package init(name: String, version: String?) {
      self.name = name
      self.version = version
    }
  }
}

extension PanicDescription {
  /// Reads the lines of a panic. Nil if none of them begins one (`panic(cpu 0 caller 0x…): `), or
  /// if it has no words.
  ///
  /// - Parameters:
  ///   - isBelowFirst: whether the lines are those below the first one of a panic.
  ///   - isAlone: whether the lines are those of a panic if none begins one. Who was reset by
  ///     another processor did not call `panic()`.
  /// Source: XNU, osfmk/kern/debug.c, osfmk/arm/trap, osfmk/i386/trap.c, osfmk/arm64/sleh.c and
  /// osfmk/i386/AT386/model_dep.c (`panic_display_…`); libkern/c++/OSKext.cpp for the extensions.
  package init?(
    lines: some Collection<Substring>, isBelowFirst: Bool = false, isAlone: Bool = false
  ) {
    var first: Message?
    var expected: Label?
    var (isInExtensions, isInAddresses) = (false, false)
    /// Whether nothing is behind the processor and the caller.
    var isBroken = false
    self.message = ""
    for line in lines {
      let text = String(line.drop { $0 == " " || $0 == "\t" })
      guard first != nil || isBelowFirst else {
        if let start = Self.start(in: text) {
          let message = Message(text[start...])
          fault = PanicFault(message: message.words)
          first = message
          isBroken = message.words.isEmpty
        } else if let words = Self.debuggerWords(text) {
          first = Message(words)
        }
        continue
      }
      if first == nil, isBelowFirst, Message.isShortened(text) {
        first = Message(text[...])
        fault = PanicFault(message: first?.words ?? "")
        continue
      }
      // Somebody broke the line behind the processor and the caller.
      if isBroken, !text.isEmpty {
        isBroken = false
        if Self.mayBeWords(text) {
          let whole = Message("\(Self.starts[0])0): \(text)"[...])
          fault = PanicFault(message: whole.words)
          first = whole
          continue
        }
      }
      let words = first?.words
      first?.goOn(text)
      if fault == nil, let first, first.words != words { fault = PanicFault(message: first.words) }
      fault?.take(text)
      if isBelowFirst, fault == nil { fault = PanicFault(registers: text) }
      if let label = expected, !text.isEmpty {
        set(label, text)
        expected = nil
        continue
      }
      if isInExtensions {
        // Whoever publishes a panic may put blank lines between its lines.
        if text.isEmpty || text.hasPrefix("dependency: ") { continue }
        if let one = Extension(inBacktrace: text) ?? Extension(named: text) {
          extensions.append(one)
          continue
        }
        isInExtensions = false
      }
      if isInAddresses || text.hasPrefix(Self.addressList) {
        let list = isInAddresses ? text : String(text.dropFirst(Self.addressList.utf8.count))
        if let values = Self.addresses(list) {
          addresses += values
          isInAddresses = true
          continue
        }
        isInAddresses = false
      }
      if Self.extensionLists.contains(where: { text.hasPrefix($0) }), text.hasSuffix(":") {
        isInExtensions = true
      } else if text.hasPrefix("Panicked task ") || text.hasPrefix("Task 0x") && task == nil {
        takeTask(text)
      } else if let start = Self.lastExtensionStarts.first(where: { text.hasPrefix($0) }) {
        lastExtension = lastExtension ?? Extension(startedLast: text.dropFirst(start.utf8.count))
      } else if let address = Self.returnAddress(text) {
        addresses.append(address)
        if let name = Self.function(text) {
          owners[functions.count] = Self.foreignOwner(text)
          functions.append(name)
        }
      } else if let name = Self.functionAlone(text) {
        owners[functions.count] = Self.foreignOwner(text)
        functions.append(name)
      } else if let name = Self.extensionAlone(text) {
        extensions.append(Extension(name: name, version: nil))
      } else {
        expected = takeField(text)
      }
    }
    if isAlone, first == nil, let line = lines.first, Self.isSentence(line) {
      first = Message(line)
    }
    message = first?.message ?? ""
    source = first?.source
    // A single line below the first one may be part of any text.
    let isPart =
      task != nil || kernelVersion != nil || extensions.contains { $0.addresses != nil }
    if isBelowFirst ? !isPart : message.isEmpty { return nil }
  }

  /// What a panic said, with the lines below, where only its words are shown.
  package init(words: String, below lines: [String]) {
    var first = Message(words[...])
    for line in lines { first.goOn(line) }
    (message, source) = (first.message, first.source)
    fault = PanicFault(message: message)
    for line in lines where line.hasPrefix("Panicked task ") { takeTask(line) }
  }

  /// Whether a line below one that breaks off may be the words of the panic: a sentence, and no
  /// field or list of a panic.
  private static func mayBeWords(_ text: String) -> Bool {
    guard text.utf8.count < 1024, text.split(separator: " ", maxSplits: 3).count > 2,
      text.first.map({ $0.isLetter || $0 == "\"" || $0 == "_" }) == true
    else { return false }
    return !(Label.allCases.map(\.rawValue) + extensionLists + lastExtensionStarts + [addressList])
      .contains { text.hasPrefix($0) }
      && ![
        "Debugger message:", "Panicked ", "Task 0x", "Memory ID", "CPU ", "Core ", "Thread ",
        "lr: ", "Boot args", "iBoot ", "secure boot", "Epoch Time",
      ].contains { text.hasPrefix($0) }
  }

  /// `WDT timeout` of `Debugger message: WDT timeout`, if nothing called `panic()`.
  private static func debuggerWords(_ text: String) -> Substring? {
    let start = "Debugger message: "
    guard text.hasPrefix(start), !text.hasPrefix(start + "panic") else { return nil }
    return text.dropFirst(start.utf8.count)
  }

  /// `Unexpected SoC (system) watchdog reset occurred`, but not a field of a report.
  private static func isSentence(_ line: Substring) -> Bool {
    line.firstRange(of: ": ") == nil && line.split(separator: " ").count > 2
  }

  /// What stands before a value, on its line or alone on the line before.
  private enum Label: String, CaseIterable {
    case kernelVersion = "Kernel version:"
    case macBuild = "Mac OS version:"
    case build = "OS version:"
    case slide = "Kernel slide:"
    case model = "System model name:"
    case bsdProcess = "BSD process name corresponding to current thread:"
    case process = "Process name corresponding to current thread:"
    case calendar = "Calendar:"
  }

  /// - Returns: the label whose value is on the next line.
  private mutating func takeField(_ text: String) -> Label? {
    guard let label = Label.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
      return nil
    }
    let value = text.dropFirst(label.rawValue.count).drop { $0 == " " }
    if value.isEmpty { return label }
    set(label, String(value))
    return nil
  }

  private mutating func set(_ label: Label, _ value: String) {
    // A panic early in the start has these in the place of a value.
    guard !["Not set yet", "Not yet set", "Unknown"].contains(value) else { return }
    switch label {
    case .kernelVersion: kernelVersion = kernelVersion ?? value
    case .macBuild, .build: systemBuild = systemBuild ?? value
    case .slide: kernelSlide = kernelSlide ?? value
    case .model: model = model ?? value
    case .bsdProcess, .process: task = task ?? value
    // `0x687c4218 0x000b1c99`: seconds and microseconds.
    case .calendar:
      let seconds = PanicFault.hexadecimal(after: "0x", in: value)
      if time == nil, let seconds, seconds > 0 { time = Int64(exactly: seconds) }
    }
  }

  /// `Panicked task 0xffffffe0007c85c8: 2461 pages, 166 threads: pid 0: kernel_task`, in iPhone OS
  /// `Task 0xc09d6ce8: …`.
  private mutating func takeTask(_ text: String) {
    // Who shortens the line leaves out what is in front of the number.
    guard let start = (text.firstRange(of: ": pid ") ?? text.firstRange(of: " pid "))?.upperBound
    else { return }
    let digits = text[start...].prefix { $0.isASCII && $0.isNumber }
    taskIdentifier = Int(digits)
    let name = text[digits.endIndex...].drop { $0 == ":" || $0 == " " }
    if !name.isEmpty { task = String(name) }
  }

  /// Of `0xffffff92250a31d0 : 0xffffff800786e166` and `lr: 0xfffffff0153f96bc  fp: 0x…`.
  private static func returnAddress(_ text: String) -> UInt64? {
    let rest: Substring
    if text.hasPrefix("lr: 0x") {
      rest = text.dropFirst(6)
    } else if text.hasPrefix("0x"), let colon = text.firstRange(of: " : 0x") {
      rest = text[colon.upperBound...]
    } else {
      return nil
    }
    return UInt64(rest.prefix { $0.isHexDigit }, radix: 16)
  }

  /// `_kernel_trap` of `0xffffffeebbacb2b0 : 0xffffff80188c1a7c mach_kernel : _kernel_trap +
  /// 0x75c`, as the kernel writes it with the boot argument `keepsyms=1`.
  private static func function(_ text: String) -> String? {
    guard text.hasPrefix("0x"), let end = text.firstRange(of: " + 0x")?.lowerBound,
      let start = text[..<end].ranges(of: " : ").last?.upperBound
    else { return nil }
    let name = text[start..<end]
    return name.isEmpty || name.hasPrefix("0x") ? nil : String(name)
  }

  /// `org.example.Board` of `0xffffff80188c1a7c org.example.Board : _turn + 0x1e`; nil for the
  /// kernel, and for extensions of Apple's.
  private static func foreignOwner(_ text: String) -> String? {
    guard let end = text.ranges(of: " : ").last?.lowerBound,
      let name = text[..<end].split(separator: " ").last, !name.hasPrefix("com.apple."),
      name.split(separator: ".", omittingEmptySubsequences: false).count > 2
    else { return nil }
    return String(name)
  }

  /// `_kernel_trap` of `mach_kernel : _kernel_trap + 0x75c`, where people left the addresses out,
  /// with or without what it is in.
  private static func functionAlone(_ text: String) -> String? {
    guard (6..<1024).contains(text.utf8.count), !text.hasPrefix("0x"),
      let plus = text.ranges(of: " + 0x").last, plus.lowerBound > text.startIndex,
      text[plus.upperBound...].allSatisfy(\.isHexDigit), plus.upperBound < text.endIndex
    else { return nil }
    let whole = text[..<plus.lowerBound]
    let name = whole.ranges(of: " : ").last.map { whole[$0.upperBound...] } ?? whole
    guard let first = name.first, first.isLetter || "_-+~".contains(first),
      !name.contains(": ") && !name.contains(" = ")
    else { return nil }
    // A word of prose or a field is no function.
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || "_.$:~".contains($0) }
    return isWord || name.hasSuffix(")") || name.hasSuffix("]") || name.hasSuffix("const")
      ? String(name) : nil
  }

  /// `com.apple.driver.Board` of `com.apple.driver.Board :`, above its function.
  private static func extensionAlone(_ text: String) -> String? {
    guard text.hasSuffix(" :") else { return nil }
    let name = text.dropLast(2)
    return name.split(separator: ".", omittingEmptySubsequences: false).count > 2
      && name.allSatisfy { $0.isLetter || $0.isNumber || ".-_".contains($0) } ? String(name) : nil
  }

  /// Where the first line of a panic begins in a line; nil if none does. Prose mentions `panic()`,
  /// too, so the number of the processor counts.
  ///
  /// Source: XNU, osfmk/kern/debug.c, osfmk/i386/mp.c, osfmk/ppc/trap.c
  /// (`unresolved_kernel_trap`) and osfmk/arm/trap.c (`sleh_abort`).
  private static func start(in text: String) -> String.Index? {
    for mark in starts {
      guard let found = text.firstRange(of: mark),
        text[found.upperBound...].utf8.first.map({
          (0x30...0x39).contains($0) || placeholders.contains($0)
        }) == true
      else { continue }
      return found.lowerBound
    }
    let isAbort = text.hasPrefix(abortStart) && text.contains(": fault_type=0x")
    return isAbort ? text.startIndex : nil
  }

  /// What people write for the number of the processor when they describe several panics.
  package static let placeholders = Set("NXYnx?*#".utf8)

  /// What stands before the number of the processor that panicked.
  static let starts = ["panic(cpu ", "Panic(CPU ", trapStart]
  /// Of iPhone OS, which writes no `panic(…)` above it.
  private static let abortStart = "kernel abort type "
  /// Of PowerPC.
  static let trapStart = "Unresolved kernel trap(cpu "

  /// What stands before the return addresses of PowerPC, on their line or alone above them.
  private static let addressList = "Backtrace:"
  private static let extensionLists = [
    "Kernel Extensions in backtrace", "Kernel loadable modules in backtrace",
  ]

  /// The addresses of a line that has nothing else: `0x01BC80AC 0x007A1D48`. Nil for other lines.
  private static func addresses(_ text: String) -> [UInt64]? {
    var values: [UInt64] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      guard word.hasPrefix("0x"), let value = UInt64(word.dropFirst(2), radix: 16) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  private static let lastExtensionStarts = ["last started kext at ", "last loaded kext at "]
}

extension PanicDescription.Extension {
  /// `com.apple.driver.AppleMuxControl(3.18.48)[UUID]@0xffffff7f8902e000->0xffffff7f89040fff`.
  fileprivate init?(inBacktrace text: String) {
    guard let open = text.firstIndex(of: "("), let at = text.firstRange(of: "@0x")?.upperBound,
      let close = text[open...].firstIndex(of: ")")
    else { return nil }
    name = String(text[..<open])
    version = String(text[text.index(after: open)..<close])
    let digits = text[at...].prefix(while: \.isHexDigit)
    // The arrow may be written `-&gt;`.
    guard let start = UInt64(digits, radix: 16),
      let end = PanicFault.hexadecimal(after: "0x", in: String(text[digits.endIndex...])),
      start <= end
    else { return }
    addresses = start...end
  }

  /// `com.apple.driver.AppleMuxControl(3.18.48)` or the name alone, as people shorten the list.
  fileprivate init?(named text: String) {
    let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count < 128, let first = parts.first,
      first.split(separator: ".", omittingEmptySubsequences: false).count > 2,
      first.allSatisfy({ $0.isLetter || $0.isNumber || ".-_".contains($0) }),
      parts.count == 1 || parts[1].last == ")" && parts[1].dropLast().allSatisfy({ $0 != ")" })
    else { return nil }
    self.init(
      name: String(first), version: parts.count == 1 ? nil : String(parts[1].dropLast()))
  }

  /// `1624147826: com.apple.filesystems.autofs	3.0 (addr 0xfffffe003fedea60, size 5927)`.
  fileprivate init?(startedLast text: Substring) {
    guard let colon = text.firstRange(of: ": ")?.upperBound else { return nil }
    let words = text[colon...].split { $0 == " " || $0 == "\t" }
    guard let name = words.first else { return nil }
    self.name = String(name)
    version = words.dropFirst().first.flatMap { $0.hasPrefix("(") ? nil : String($0) }
  }
}
