/// The fields that most reports have, by the names that the writers give them. All are nil where the
/// report does not have the field; the texts are as printed.
extension CrashReport {
  /// The value of the first field with this key, compared as it is spelt.
  public func value(ofField key: String) -> String? {
    fields.first { $0.hasKey(key) }?.value
  }

  /// The values of all fields with this key, in the order of the report.
  public func values(ofField key: String) -> [String] {
    fields.lazy.filter { $0.hasKey(key) }.map(\.value)
  }

  /// `Process:` without the process identifier. It may contain spaces and brackets.
  public var processName: String? { process?.name }
  /// The number in brackets at the end of `Process:`.
  public var processIdentifier: Int? { process?.identifier }
  /// The path of the executable.
  public var processPath: String? { value(ofField: "Path") }
  /// `Identifier:`, most often the bundle identifier.
  public var bundleIdentifier: String? { value(ofField: "Identifier") }
  /// `Version:`; `short (bundle)` on macOS and from iOS 15 on, `bundle (short)` before.
  public var version: String? { value(ofField: "Version") }
  /// `Code Type:`, such as `ARM-64 (Native)` or `X86-64 (Translated)`.
  public var codeType: String? { value(ofField: "Code Type") }
  public var parentProcess: String? { value(ofField: "Parent Process") }
  public var hardwareModel: String? { value(ofField: "Hardware Model") }
  public var dateTime: String? { value(ofField: "Date/Time") }
  public var osVersion: String? { value(ofField: "OS Version") }
  public var reportVersion: String? { value(ofField: "Report Version") }
  public var incidentIdentifier: String? { value(ofField: "Incident Identifier") }
  /// `CrashReporter Key:`, or `Crash Reporter Key:` as macOS 26 spells it.
  public var crashReporterKey: String? {
    value(ofField: "CrashReporter Key") ?? value(ofField: "Crash Reporter Key")
  }
  /// `EXC_BAD_ACCESS (SIGSEGV)`, or a signal alone in reports of PLCrashReporter.
  public var exceptionType: String? { value(ofField: "Exception Type") }
  /// One text for each `Exception Codes:` line.
  public var exceptionCodes: [String] { values(ofField: "Exception Codes") }
  public var exceptionSubtype: String? { value(ofField: "Exception Subtype") }
  public var terminationReason: String? { value(ofField: "Termination Reason") }

  /// The number of the thread at which the head of the report points: `Triggered by Thread:`, `Crashed
  /// Thread:` or `Highlighted Thread:`.
  public var triggeredThreadNumber: Int? {
    for key in ["Triggered by Thread", "Crashed Thread", "Highlighted Thread"] {
      guard let value = value(ofField: key) else { continue }
      let digits = value.utf8.prefix { Ascii.isDigit($0) }
      if let number = Int(String(decoding: digits, as: UTF8.self)) { return number }
    }
    return nil
  }

  /// The thread that crashed: the one whose heading says so, else the one at which the head points,
  /// else a highlighted one.
  public var crashedThread: CrashThread? {
    if let thread = threads.first(where: \.isCrashed) { return thread }
    if let number = triggeredThreadNumber,
      let thread = threads.first(where: { $0.number == number })
    {
      return thread
    }
    return threads.first(where: \.isHighlighted)
  }

  /// Takes `NAME [PID]` apart at the last bracket, because names may have brackets too.
  private var process: (name: String, identifier: Int?)? {
    guard let value = value(ofField: "Process") else { return nil }
    let bytes = Array(value.utf8)
    guard bytes.last == UInt8(ascii: "]"),
      let open = bytes.lastIndex(of: UInt8(ascii: "[")),
      let identifier = Int(String(decoding: bytes[(open + 1)..<(bytes.count - 1)], as: UTF8.self))
    else { return (value, nil) }
    let name = bytes[..<open]
    let end = name.lastIndex { $0 != Ascii.space && $0 != Ascii.tab }.map { $0 + 1 } ?? 0
    return (String(decoding: name[..<end], as: UTF8.self), identifier)
  }
}
