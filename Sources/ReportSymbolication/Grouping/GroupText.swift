/// Groups as a table of at most 80 columns, three lines for each: figures, what the reports have in
/// common, and the path of one of them.
enum GroupText {
  static let width = 80
  private static let indentation = 7
  private static let versionWidth = 15

  static func text(of groups: ArraySlice<ReportGroup>, _ table: GroupTable) -> String {
    guard !groups.isEmpty else { return "" }
    var lines = [
      line("count", "share", "devices", "first", "last", "app", "system")
    ]
    for group in groups {
      lines.append(
        line(
          String(group.count), percentage(of: group.count, in: table.reportCount),
          group.devices.text, group.first?.day ?? "", group.last?.day ?? "",
          text(of: group.appVersions), text(of: group.systems)))
      let indent = String(repeating: " ", count: indentation)
      let key = (group.key ?? table.criterion.missing).withoutControlCharacters
      lines.append(indent + cut(key, to: width - indentation))
      let path = group.sample.withoutControlCharacters
      lines.append(indent + cutStart(path, to: width - indentation))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// `37.5%`
  static func percentage(of part: Int, in whole: Int) -> String {
    let tenths = share(of: part, in: whole, units: 1000)
    return "\(tenths / 10).\(tenths % 10)%"
  }

  private static func line(
    _ count: String, _ share: String, _ devices: String, _ first: String, _ last: String,
    _ app: String, _ system: String
  ) -> String {
    let fields = [
      right(count, 5), right(share, 6), right(devices, 7), left(first, 10), left(last, 10),
      left(cut(app, to: versionWidth), versionWidth),
    ]
    var line = fields.map { $0 + "  " }.joined()
    line += cut(system, to: max(1, width - line.count))
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The newest version, and how many others there are: `6 (1.3) +2`.
  private static func text(of versions: VersionCounts) -> String {
    let all = versions.newestFirst
    guard let newest = all.first else { return "" }
    guard all.count > 1 else { return newest.version }
    let others = " +\(all.count - 1)\(versions.hasMore ? "…" : "")"
    return cut(newest.version, to: versionWidth - others.count) + others
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : shortened(text, to: max(0, width - 1))
  }

  /// The end of a path says most.
  private static func cutStart(_ text: String, to width: Int) -> String {
    text.count <= width ? text : "…" + text.suffix(width - 1)
  }
}

extension DeviceSet {
  /// `12`, or `256+` if there are more than that.
  var text: String { "\(count)\(isBeyondLimit ? "+" : "")" }
}
