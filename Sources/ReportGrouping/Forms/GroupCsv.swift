import CrashReading

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
