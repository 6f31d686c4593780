import CrashLogParser
import CrashReading
import SymbolicationModel
package import Wording

/// How groups are written.
package enum GroupForm: String, CaseIterable, Sendable {
  case text
  case json
  case ndjson
  case csv
  /// A page for browsers.
  case html
}

extension GroupTable {
  /// The groups as a table for a terminal.
  ///
  /// - Parameters:
  ///   - top: how many of the largest to show; nil for all.
  ///   - width: the columns of the terminal; nil if nobody counts.
  package func lines(top: Int?, width: Int?) -> [StyledLine] {
    let sorted = largestFirst
    return GroupText(width: width).lines(of: sorted.prefix(top ?? sorted.count), self)
  }

  /// The groups in a form.
  ///
  /// - Parameters:
  ///   - top: how many of the largest to write; nil for all.
  ///   - pages: the names of the pages of reports beside the page of the groups
  ///     (`ReportGroup.pageName`).
  package func written(as form: GroupForm, top: Int? = nil, pages: Set<String> = []) -> [UInt8] {
    let shown = largest(top)
    switch form {
    case .text:
      let lines = GroupText(width: nil).lines(of: shown, self)
      return Array(lines.map { $0.text.plain + "\n" }.joined().utf8)
    case .csv: return Array(GroupCsv.text(of: shown, self).utf8)
    case .json: return GroupJson.document(of: shown, self)
    case .ndjson: return GroupJson.lines(of: shown, self)
    case .html: return HtmlGroups(table: self, groups: shown, pages: pages).bytes
    }
  }

  /// The groups that are written.
  package func largest(_ top: Int?) -> ArraySlice<ReportGroup> {
    let sorted = largestFirst
    return sorted.prefix(top ?? sorted.count)
  }
}

/// A part of a whole in hundredths of a percent, rounded; 0 if there is no whole.
func share(of part: Int, in whole: Int, units: Int = 10_000) -> Int {
  guard whole > 0 else { return 0 }
  let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: units))
  return quotient + (remainder >= whole - remainder ? 1 : 0)
}

/// Groups as JSON: `docs/json.md`.
enum GroupJson {
  static func document(of groups: ArraySlice<ReportGroup>, _ table: GroupTable) -> [UInt8] {
    var writer = JsonWriter(.indented)
    writer.object { writer in
      writer.member("schema", "symbolicate-groups")
      writer.member("version", PartialGroup.version)
      writer.member("by", table.criterion.rawValue)
      writer.member("signatureVersion", table.statedVersion?.rawValue)
      writer.member("reports", table.reportCount)
      writer.member("groupCount", table.groupCount)
      writer.member(objects: "groups", groups) { write($1, table, to: &$0) }
    }
    writer.finish()
    return writer.bytes
  }

  /// Lines that `--merge` reads.
  static func lines(of groups: ArraySlice<ReportGroup>, _ table: GroupTable) -> [UInt8] {
    var writer = JsonWriter(.oneLine)
    for group in groups {
      writer.object { writer in
        writer.member("schema", PartialGroup.schema)
        writer.member("version", PartialGroup.version)
        writer.member("by", table.criterion.rawValue)
        writer.member("signatureVersion", table.statedVersion?.rawValue)
        write(group, table, to: &writer)
      }
      writer.finish()
    }
    return writer.bytes
  }

  private static func write(
    _ group: ReportGroup, _ table: GroupTable, to writer: inout JsonWriter
  ) {
    writer.member("key", group.key)
    writer.member("hash", group.key.map { CrashSignature.hash(of: $0) })
    writer.member("count", group.count)
    writer.key("share")
    writer.value(tenThousandths: share(of: group.count, in: table.reportCount))
    writer.member(object: "devices") { writer in
      writer.member("count", group.devices.count)
      writer.member("more", group.devices.isBeyondLimit)
      writer.member(
        strings: "ids", group.devices.marks.sorted().map { $0.hexadecimalDigits(count: 16) })
    }
    writer.member("first", group.first?.description)
    writer.member("last", group.last?.description)
    writer.member(object: "days") { writer in
      writer.member(objects: "values", group.days.ascending) { writer, entry in
        writer.member("day", ReportDate(day: entry.day).day)
        writer.member("count", entry.count)
      }
      writer.member("more", group.days.hasMore)
    }
    write("appVersions", group.appVersions, to: &writer)
    write("osVersions", group.systems, to: &writer)
    writer.member("sample", group.sample)
  }

  private static func write(
    _ key: StaticString, _ versions: VersionCounts, to writer: inout JsonWriter
  ) {
    writer.member(object: key) { writer in
      writer.member(objects: "values", versions.newestFirst) { writer, entry in
        writer.member("version", entry.version)
        writer.member("count", entry.count)
      }
      writer.member("more", versions.hasMore)
    }
  }
}
