import CrashLogParser
import CrashReading
import Wording

/// Groups as a table, three lines for each: figures, what the reports have in common, and the path
/// of one of them.
struct GroupText {
  /// The columns of the table on a terminal of any width.
  static let fewestColumns = 80
  private static let indentation = 7
  private static let versionWidth = 15

  private let look: TerminalLook
  /// Nil if nothing is cut.
  private let width: Int?

  /// - Parameter width: of a terminal; nil for files and pipes, where each character counts as a
  ///   column, and only the column of the app is cut.
  init(width: Int?) {
    var look = TerminalLook()
    look.width = width
    self.look = look
    self.width = width.map { max(Self.fewestColumns, $0) }
  }

  func lines(of groups: ArraySlice<ReportGroup>, _ table: GroupTable) -> [StyledLine] {
    guard !groups.isEmpty else { return [] }
    let head = figures("count", "share", "devices", "first", "last", "app", "system")
    var lines = [StyledLine(StyledText(head.count + head.others, .faint), .cut)]
    for group in groups {
      let figures = figures(
        String(group.count), Self.percentage(of: group.count, in: table.reportCount),
        group.devices.text, group.first?.day ?? "", group.last?.day ?? "",
        text(of: group.appVersions), text(of: group.systems))
      var line = StyledText(figures.count, .strong)
      line.append(figures.others)
      lines.append(StyledLine(line, .cut))
      let indent = String(repeating: " ", count: Self.indentation)
      let room = look.width.map { $0 - Self.indentation }
      let key = (group.key ?? table.criterion.missing).withoutControlCharacters
      let shownKey = room.map { cut(key, to: $0) } ?? key
      lines.append(StyledLine(StyledText(indent + shownKey, .strong), .cut))
      let path = group.sample.withoutControlCharacters
      let shownPath = room.map { cutStart(path, to: $0) } ?? path
      lines.append(StyledLine(StyledText(indent + shownPath, .faint), .cut))
    }
    return lines
  }

  /// `37.5%`
  static func percentage(of part: Int, in whole: Int) -> String {
    let tenths = share(of: part, in: whole, units: 1000)
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// The columns of a line: the first, and the others.
  private func figures(
    _ count: String, _ share: String, _ devices: String, _ first: String, _ last: String,
    _ app: String, _ system: String
  ) -> (count: String, others: String) {
    let start = right(count, 5)
    let fields = [
      right(share, 6), right(devices, 7), left(first, 10), left(last, 10),
      left(cut(app, to: Self.versionWidth), Self.versionWidth),
    ]
    var line = "  " + fields.map { $0 + "  " }.joined()
    line += width.map { cut(system, to: max(1, $0 - look.columns(of: start + line))) } ?? system
    while line.last == " " { line.removeLast() }
    return (start, line)
  }

  /// The newest version, and how many others there are: `6 (1.3) +2`.
  private func text(of versions: VersionCounts) -> String {
    let all = versions.newestFirst
    guard let newest = all.first else { return "" }
    guard all.count > 1 else { return newest.version }
    let others = " +\(all.count - 1)\(versions.hasMore ? "…" : "")"
    return cut(newest.version, to: Self.versionWidth - others.count) + others
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - look.columns(of: text))) + text
  }

  private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - look.columns(of: text)))
  }

  private func cut(_ text: String, to width: Int) -> String {
    guard look.width == nil else { return FittedText.phrase(text, columns: width) }
    return text.count <= width ? text : shortened(text, to: max(0, width - 1))
  }

  /// The end of a path says most.
  private func cutStart(_ text: String, to width: Int) -> String {
    FittedText.end(ofPath: text, columns: width)
  }
}

extension DeviceSet {
  /// `12`, or `256+` if there are more than that.
  var text: String { "\(count)\(isBeyondLimit ? "+" : "")" }
}

/// Groups as CSV (RFC 4180), a line for each, below a line of names.
enum GroupCsv {
  static func text(of groups: ArraySlice<ReportGroup>, _ table: GroupTable) -> String {
    let names = [
      "count", "share", "devices", "first", "last", table.criterion.rawValue, "hash",
      "app versions", "os versions", "sample",
    ]
    let rows = groups.map { group in
      [
        String(group.count),
        GroupText.percentage(of: group.count, in: table.reportCount),
        group.devices.text, group.first?.description ?? "", group.last?.description ?? "",
        group.key ?? "", group.key.map { CrashSignature.hash(of: $0) } ?? "",
        list(group.appVersions), list(group.systems), group.sample,
      ]
    }
    return ([names] + rows).map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Spreadsheets run a cell that begins with one of these as a formula, and names come from
  /// strangers, so an apostrophe is put before it.
  private static let formulaStarts: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\r\n", "\n"]

  static func cell(_ text: String) -> String {
    let safe = text.first.map { formulaStarts.contains($0) } == true ? "'" + text : text
    guard safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return safe }
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  private static func list(_ versions: VersionCounts) -> String {
    (versions.newestFirst.map(\.version) + (versions.hasMore ? ["…"] : [])).joined(separator: "; ")
  }
}
