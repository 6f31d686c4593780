/// What the text of a kernel panic says.
package struct PanicDescription: Hashable, Sendable {
  /// The words of the panic: `btn_rst`, `x86 CPU CATERR detected`, ….
  package var message: String
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
  /// The kernel extensions in the backtrace, without those that they depend on.
  package var extensions: [Extension] = []
  /// Return addresses in the kernel, innermost first.
  package var addresses: [UInt64] = []

  package struct Extension: Hashable, Sendable {
    package let name: String
    package let version: String?
  }
}

extension PanicDescription {
  /// Reads the lines of a panic. Nil if none of them begins one (`panic(cpu 0 caller 0x…): `).
  ///
  /// Source: XNU, osfmk/kern/debug.c, osfmk/arm/trap and osfmk/i386/AT386/model_dep.c
  /// (`panic_display_…`); libkern/c++/OSKext.cpp for the extensions.
  package init?(lines: some Sequence<Substring>) {
    var message: String?
    var expected: Label?
    var isInExtensions = false
    self.message = ""
    for line in lines {
      let text = String(line.drop { $0 == " " || $0 == "\t" })
      guard message != nil else {
        if let start = text.firstRange(of: "panic(") {
          message = Self.words(text[start.lowerBound...])
        }
        continue
      }
      if let label = expected, !text.isEmpty {
        set(label, text)
        expected = nil
        continue
      }
      if isInExtensions {
        if text.hasPrefix("dependency: ") { continue }
        if let one = Extension(text) {
          extensions.append(one)
          continue
        }
        isInExtensions = false
      }
      if text.hasPrefix("Kernel Extensions in backtrace:") {
        isInExtensions = true
      } else if text.hasPrefix("Panicked task ") {
        takeTask(text)
      } else if let address = Self.returnAddress(text) {
        addresses.append(address)
      } else {
        expected = takeField(text)
      }
    }
    guard let message, !message.isEmpty else { return nil }
    self.message = message
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
    switch label {
    case .kernelVersion: kernelVersion = kernelVersion ?? value
    case .macBuild, .build: systemBuild = systemBuild ?? value
    case .slide: kernelSlide = kernelSlide ?? value
    case .model: model = model ?? value
    case .bsdProcess, .process: task = task ?? value
    }
  }

  /// `Panicked task 0xffffffe0007c85c8: 2461 pages, 166 threads: pid 0: kernel_task`.
  private mutating func takeTask(_ text: String) {
    guard let start = text.firstRange(of: ": pid ")?.upperBound else { return }
    let digits = text[start...].prefix { $0.isASCII && $0.isNumber }
    taskIdentifier = Int(digits)
    let name = text[digits.endIndex...].drop { $0 == ":" || $0 == " " }
    if !name.isEmpty { task = String(name) }
  }

  /// The words behind `panic(cpu 1 caller 0x…): `, without quotes and the place in the source.
  private static func words(_ text: Substring) -> String {
    guard let start = text.firstRange(of: "):")?.upperBound else { return String(text) }
    let rest = text[start...].drop { $0 == " " }
    guard rest.first == "\"" else { return String(rest) }
    let inside = rest.dropFirst()
    return String(inside[..<(inside.lastIndex(of: "\"") ?? inside.endIndex)])
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
}

extension PanicDescription.Extension {
  /// `com.apple.driver.AppleMuxControl(3.18.48)[UUID]@0xffffff7f8902e000->0xffffff7f89040fff`.
  fileprivate init?(_ text: String) {
    guard let open = text.firstIndex(of: "("), text.contains("@0x"),
      let close = text[open...].firstIndex(of: ")")
    else { return nil }
    name = String(text[..<open])
    version = String(text[text.index(after: open)..<close])
  }
}
