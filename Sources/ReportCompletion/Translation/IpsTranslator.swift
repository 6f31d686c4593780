import CrashLogParser
import ReportSymbolication

/// Writes an `.ips` report as the crash text that Apple's own tools make from it.
///
/// The format is not documented. The order, spaces and blank lines follow texts that Apple's tools
/// made, compared with the reports they were made from (macOS 12 to 26, iOS 15 and 16, simulators).
/// There are three layouts: ``IpsLayout``. Two things differ:
///
/// - a line is left out, label and all, if the report has no value for it;
/// - control characters other than tabs become U+FFFD, because the text goes to terminals. So do
///   line ends where Apple's reports have none: in names, paths, codes and reasons. Texts of
///   several lines keep them, but none of their lines looks like a heading (`StructuralLine`).
///
/// `translate` writes the sections in order: `+Head` who and where, `+Exception`, `+Backtraces` the
/// texts inside the report and the threads, `+ThreadState` the registers, `+Images` to the end.
final class IpsTranslator {
  let symbolicated: SymbolicatedReport
  let body: IpsBody
  let layout: IpsLayout
  var text = TranslatedText()

  var report: Report { symbolicated.source }

  /// The report as text, which ends with a line end. Nil if the report is not an `.ips`.
  ///
  /// A report that has few of the values gives little text. Backtraces that are not selected are
  /// left out.
  ///
  /// - Complexity: time and memory are proportional to the report.
  static func translate(_ report: SymbolicatedReport) -> [UInt8]? {
    guard report.isTranslatable, let json = report.source.json else { return nil }
    let translator = IpsTranslator(report, IpsBody(json, header: report.source.header))
    translator.addHead()
    translator.addException()
    translator.addInformation()
    translator.addBacktraces()
    translator.addThreadState()
    translator.addImages()
    translator.addEnd()
    return translator.text.bytes
  }

  private init(_ report: SymbolicatedReport, _ body: IpsBody) {
    symbolicated = report
    self.body = body
    layout = IpsLayout(of: body)
  }

  static func nonempty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The thread that crashed, or nil.
  var crashedThread: Backtrace? { report.crashedThread }
}

/// Values of the report's JSON as the lines show them. All are nil if the value is missing or of
/// another kind.
extension IpsTranslator {
  var json: JsonValue { body.json }

  func string(_ key: IpsKey) -> String? { body.string(key) }

  /// A whole number in decimal; any other number as the report spells it.
  func number(_ value: JsonValue?) -> String? {
    guard let value else { return nil }
    if let number = value.unsignedInteger { return String(number) }
    return value.integer.map { String($0) } ?? value.numberText
  }

  /// `name [number]`, as processes and coalitions are shown; `name` if there is no number.
  package func name(_ name: JsonValue?, withNumber number: JsonValue?) -> String? {
    guard let name = name?.string else { return nil }
    return self.number(number).map { "\(name) [\($0)]" } ?? name
  }

  /// `train (build)`, as versions of systems are shown, or the part that the report has.
  func systemVersion(_ value: JsonValue?) -> String? {
    let build = value?[.build]?.string
    guard let train = value?[.train]?.string else { return build.map { "(\($0))" } }
    return build.map { "\(train) (\($0))" } ?? train
  }

  /// The strings of an array; a single string counts as an array of one.
  func strings(_ value: JsonValue?) -> [String] {
    guard let value else { return [] }
    return value.string.map { [$0] } ?? value.elements.compactMap(\.string)
  }

  /// `true`, or a number other than 0.
  func isTrue(_ value: JsonValue?) -> Bool {
    value?.boolean ?? value?.unsignedInteger.map { $0 != 0 } ?? false
  }
}

/// The layout of Apple's text for a report.
///
/// It follows the system that crashed. Apple's tools also follow the system that they run on: on
/// macOS 26 they write reports of devices like those of Macs. Here such reports get the layout that
/// TestFlight and Xcode's Organizer give them.
struct IpsLayout {
  enum Kind {
    /// Devices with iOS and its relatives, and simulators on macOS up to 15: `Incident Identifier:`
    /// comes first, `EOF` last.
    case embedded
    /// macOS 12 to 15: `Process:` comes first, with values in column 23.
    case mac
    /// macOS 26 and later, simulators included: `Process:` comes first, with values in column 21.
    case unified
  }

  package let kind: Kind
  /// Whether the name of a thread has a line of its own (`Thread 0 name:`) and images show their
  /// architecture, as on devices. Otherwise a thread's name follows its number, and images show
  /// their version.
  let hasDeviceLines: Bool

  init(of body: IpsBody) {
    hasDeviceLines = body.isEmbedded
    if body.isEmbedded {
      kind = .embedded
    } else if Self.majorVersion(of: body.osTrain ?? "") >= 26 {
      kind = .unified
    } else if let platform = body.platform, Self.simulatorPlatforms.contains(platform) {
      kind = .embedded
    } else {
      kind = .mac
    }
  }

  /// `PLATFORM_IOSSIMULATOR`, `PLATFORM_TVOSSIMULATOR`, `PLATFORM_WATCHOSSIMULATOR` and
  /// `PLATFORM_VISIONOSSIMULATOR` of `<mach-o/loader.h>`.
  private static let simulatorPlatforms: Set<Int> = [7, 8, 9, 12]

  /// The first number in a name such as `macOS 26.5.1`; 0 if there is none.
  private static func majorVersion(of train: String) -> Int {
    let digits = train.utf8.drop { !isDigit($0) }.prefix { isDigit($0) }
    return Int(String(Substring(digits))) ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
