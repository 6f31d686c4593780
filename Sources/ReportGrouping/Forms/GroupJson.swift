import CrashLogParser
import CrashReading
import SymbolicationModel
import Wording

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
