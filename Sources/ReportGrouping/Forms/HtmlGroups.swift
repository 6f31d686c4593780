import CrashLogParser
import Wording
import CrashReading
import ReportRendering

/// Writes groups of reports as a page: how many there are of each day and version, and a table of
/// the groups. It needs no script.
struct HtmlGroups {
  let table: GroupTable
  /// The largest first.
  let groups: ArraySlice<ReportGroup>
  /// The hashes of the groups that have a page of a report, `pages/HASH.html`.
  let pages: Set<String>

  /// So many rows show everything. There may be thousands more, which show a part of the key, and
  /// the count, so that a page of 10,000 groups stays below 2 MB.
  private static let wholeRowLimit = 100
  /// The most characters of a key in a further row, with a link and without one.
  private static let keyLimit = (linked: 72, plain: 112)
  private static let barLimit = 90
  private static let smallBarLimit = 40

  var bytes: [UInt8] {
    var writer = HtmlWriter()
    let title = GroupPageWords.title(reports: table.reportCount, groups: table.groupCount)
    let days = table.days
    let all = days.ascending
    let range = all.first.flatMap { first in
      all.last.map { Self.shownDays(first: first.day, last: $0.day) }
    }
    HtmlPage(title: title, legend: GroupPageWords.legend).write(to: &writer) { writer in
      writer.element(.heading1, text: title)
      writer.element(.p, .classes([.meta]), text: GroupPageWords.criterion(table.criterion))
    } main: { writer in
      writer.element(.section, .label(GroupPageWords.groups)) { writer in
        writeTable(range, to: &writer)
      }
      if let range {
        writer.element(.section, .label(GroupPageWords.perDay)) { writer in
          writeDays(days, range, to: &writer)
        }
      }
      if !table.appVersions.newestFirst.isEmpty {
        writer.element(.section, .label(GroupPageWords.perVersion)) { writer in
          writeVersions(table.appVersions, to: &writer)
        }
      }
    }
    return writer.bytes
  }

  /// The days of the charts: two weeks at least, so that a bar looks like one.
  private static func shownDays(first: Int64, last: Int64) -> ClosedRange<Int64> {
    // Earlier dates are none of reports.
    last < fewestDays ? first...last : min(first, last - fewestDays + 1)...last
  }

  private static let fewestDays: Int64 = 14

  private func writeDays(
    _ days: DayCounts, _ range: ClosedRange<Int64>, to writer: inout HtmlWriter
  ) {
    let chart = HtmlChart(days, range: range, barLimit: Self.barLimit)
    let greatest = chart.bars.max() ?? 0
    writer.heading(2) { writer in
      writer.text(GroupPageWords.perDay(chart.daysPerBar))
      if days.hasMore {
        writer.space()
        writer.element(.small, text: GroupPageWords.newestDays(DayCounts.limit))
      }
    }
    chart.write(
      to: &writer, .wide,
      label: GroupPageWords.chart(
        first: chart.firstDay, last: chart.lastDay, greatest: greatest,
        daysPerBar: chart.daysPerBar))
    writer.element(.p, .classes([.axis])) { writer in
      writer.element(.span, text: chart.firstDay)
      writer.space()
      writer.element(.span, text: GroupPageWords.greatest(greatest))
      writer.space()
      writer.element(.span, text: chart.lastDay)
    }
  }

  private func writeVersions(_ versions: VersionCounts, to writer: inout HtmlWriter) {
    let all = versions.newestFirst
    let greatest = all.map(\.count).max() ?? 0
    writer.heading(2) { $0.text(GroupPageWords.perVersion) }
    writer.element(.ul, .classes([.versions]), .listRole) { writer in
      for (version, count) in all {
        writer.element(.li) { writer in
          writer.element(.span, .classes([.detail])) { $0.name(version) }
          writer.space()
          writer.element(
            .svg, .classes([.chart]), .imageRole, .label(GroupPageWords.reports(count)),
            .viewBox(width: 1000, height: 10), .stretched
          ) { writer in
            let width = max(4, share(of: count, in: greatest, units: 1000))
            writer.element(.rect, .box(x: 0, y: 0, width: width, height: 10), text: "")
          }
          writer.space()
          writer.element(.span) { $0.number(count) }
        }
      }
      if versions.hasMore {
        writer.element(.li) { writer in
          writer.element(.span, .classes([.detail]), text: GroupPageWords.olderVersions)
        }
      }
    }
  }

  // MARK: The table

  private func writeTable(_ range: ClosedRange<Int64>?, to writer: inout HtmlWriter) {
    writer.heading(2) { writer in
      writer.text(GroupPageWords.groups)
      if groups.count < table.groupCount {
        writer.space()
        writer.element(
          .small, text: GroupPageWords.largest(groups.count, of: table.groupCount))
      }
    }
    guard !groups.isEmpty else {
      writer.element(.p, text: PageWords.noReport)
      return
    }
    let versions = table.appVersions.newestFirst.map(\.version)
    let systems = table.systems.newestFirst.map(\.version)
    writeTools(versions, systems, to: &writer)
    writer.element(.table, .classes([.groups])) { writer in
      writer.element(.thead) { writer in
        writer.element(.tr) { writer in
          for column in GroupPageWords.columns {
            writer.element(.th, .columnScope, text: column)
          }
        }
      }
      writer.element(.tbody) { writer in
        for (index, group) in groups.enumerated() {
          let keys = HtmlAttribute.filterKeys(
            versions: Self.indices(of: group.appVersions, in: versions),
            systems: Self.indices(of: group.systems, in: systems))
          index < Self.wholeRowLimit
            ? write(group, range, keys, to: &writer) : writeInShort(group, keys, to: &writer)
        }
      }
    }
  }

  /// Of each version the index in `all`, if it is there.
  private static func indices(of versions: VersionCounts, in all: [String]) -> [Int] {
    versions.newestFirst.compactMap { all.firstIndex(of: $0.version) }
  }

  /// Writes the choice of an app version and a system, which the script makes visible.
  private func writeTools(
    _ versions: [String], _ systems: [String], to writer: inout HtmlWriter
  ) {
    writer.element(.div, .classes([.tools])) { writer in
      writer.element(.div, .searchRole, .id(.tools), .hidden) { writer in
        for (anchor, label, options) in [
          (HtmlAnchor.versions, GroupPageWords.version, versions),
          (.systems, GroupPageWords.system, systems),
        ] where !options.isEmpty {
          writer.element(.label, .for(anchor), text: label)
          writer.element(.select, .id(anchor)) { writer in
            writer.element(.option, .value(""), text: GroupPageWords.all)
            for (index, option) in options.enumerated() {
              writer.element(.option, .value("\(index)")) { $0.plainText(option) }
            }
          }
        }
        writer.element(.output, .id(.found), .politelyLive, text: "")
      }
    }
  }

  private func writeInShort(
    _ group: ReportGroup, _ keys: HtmlAttribute, to writer: inout HtmlWriter
  ) {
    writer.element(.tr, keys) { writer in
      writer.element(.th) { writer in
        let key = group.key ?? table.criterion.missing
        let hash = ReportGroup.pageName(of: group.key)
        if pages.contains(hash) {
          writer.element(.a, .page(hash), text: shortened(key, to: Self.keyLimit.linked))
        } else {
          writer.text(shortened(key, to: Self.keyLimit.plain))
        }
      }
      writer.element(.td) { $0.number(group.count) }
    }
  }

  private func write(
    _ group: ReportGroup, _ range: ClosedRange<Int64>?, _ keys: HtmlAttribute,
    to writer: inout HtmlWriter
  ) {
    writer.element(.tr, keys) { writer in
      writer.element(.th, .rowScope) { writer in
        let key = group.key ?? table.criterion.missing
        let hash = ReportGroup.pageName(of: group.key)
        if pages.contains(hash) {
          writer.element(.a, .page(hash)) { $0.name(key) }
        } else {
          writer.name(key)
        }
        writer.element(.div, .classes([.detail])) { $0.name(group.sample) }
      }
      writeCell(1, to: &writer) { $0.number(group.count) }
      writeCell(2, to: &writer) {
        $0.text(GroupText.percentage(of: group.count, in: table.reportCount))
      }
      writeCell(3, to: &writer) { $0.text(group.devices.text) }
      writeCell(4, to: &writer) { writer in
        guard let first = group.first?.day, let last = group.last?.day else { return }
        writer.element(.span, .classes([.day]), text: first)
        guard first != last else { return }
        writer.text(" – ")
        writer.element(.span, .classes([.day]), text: last)
      }
      writeCell(5, to: &writer) { $0.text(Self.text(of: group.appVersions)) }
      writeCell(6, to: &writer) { $0.text(Self.text(of: group.systems)) }
      writeCell(7, to: &writer) { writer in
        guard let range, !group.days.ascending.isEmpty else { return }
        let chart = HtmlChart(group.days, range: range, barLimit: Self.smallBarLimit)
        chart.write(
          to: &writer, .mini,
          label: GroupPageWords.chart(
            first: chart.firstDay, last: chart.lastDay, greatest: chart.bars.max() ?? 0,
            daysPerBar: chart.daysPerBar))
      }
    }
  }

  /// - Parameter column: whose heading a phone shows before the cell.
  private func writeCell(
    _ column: Int, to writer: inout HtmlWriter, content: (inout HtmlWriter) -> Void
  ) {
    writer.element(.td) { writer in
      writer.element(.span, .classes([.cellName]), text: GroupPageWords.columns[column])
      writer.space()
      content(&writer)
    }
  }

  /// The newest versions, with the counts of each.
  private static func text(of versions: VersionCounts) -> String {
    let shown = versions.newestFirst.prefix(3).map { "\($0.version) × \($0.count)" }
    let others = versions.newestFirst.count - shown.count
    return (shown + (others > 0 ? ["+\(others)\(versions.hasMore ? "…" : "")"] : []))
      .joined(separator: ", ")
  }
}

extension ReportGroup {
  /// The name of the page of one of its reports, without the suffix.
  static func pageName(of key: String?) -> String {
    key.map { CrashSignature.hash(of: $0) } ?? "none"
  }

  package var pageName: String { Self.pageName(of: key) }
}

/// A bar for each day, or for several: a picture in the page itself, without a script.
struct HtmlChart {
  /// The reports of each bar.
  let bars: [Int]
  let daysPerBar: Int64
  private let days: ClosedRange<Int64>

  /// - Parameters:
  ///   - range: the days to show, also those without reports.
  ///   - barLimit: the most bars.
  init(_ counts: DayCounts, range: ClosedRange<Int64>, barLimit: Int) {
    // Dates have years of four digits, so nothing overflows.
    let dayCount = range.upperBound - range.lowerBound + 1
    let limit = Int64(max(1, barLimit))
    let daysPerBar = (dayCount + limit - 1) / limit
    var bars = [Int](repeating: 0, count: Int((dayCount + daysPerBar - 1) / daysPerBar))
    for (day, count) in counts.ascending where range.contains(day) {
      let index = Int((day - range.lowerBound) / daysPerBar)
      bars[index] = bars[index].saturatingSum(count)
    }
    self.bars = bars
    self.daysPerBar = daysPerBar
    days = range
  }

  private static let barWidth = 8
  private static let height = 48

  /// - Parameter label: describes the chart to people who cannot see it.
  func write(to writer: inout HtmlWriter, _ shape: HtmlClass, label: String) {
    let greatest = bars.max() ?? 0
    writer.element(
      .svg, .classes([.chart, shape]), .imageRole, .label(label),
      .viewBox(width: bars.count * Self.barWidth, height: Self.height), .stretched
    ) { writer in
      for (index, count) in bars.enumerated() where count > 0 {
        let height = max(2, share(of: count, in: greatest, units: Self.height))
        writer.element(
          .rect,
          .box(
            x: index * Self.barWidth, y: Self.height - height, width: Self.barWidth - 1,
            height: height), text: "")
      }
    }
  }

  var firstDay: String { ReportDate(day: days.lowerBound).day }
  var lastDay: String { ReportDate(day: days.upperBound).day }
}

/// The words of the page of `symbolicate group`.
enum GroupPageWords {
  static let perVersion = "Reports per app version"
  static let perDay = "Reports per day"
  static let groups = "Groups"
  static let columns = [
    "Crash", "Reports", "Share", "Devices", "Seen", "App versions", "Systems", "Days",
  ]
  static let olderVersions = "and older versions"
  static let version = "App version"
  static let system = "System"
  static let all = "all"
  static let legend =
    "Days are those of UTC. A path is that of one of the reports. Characters that cannot be seen are named, such as U+202E."

  static func title(reports: Int, groups: Int) -> String {
    "\(counted(reports, "report")) in \(counted(groups, "group"))"
  }

  static func criterion(_ criterion: GroupCriterion) -> String {
    switch criterion {
    case .signature:
      "Reports of a group have the same signature: what happened, and where in the app."
    case .line: "Reports of a group crashed at the same source line of the app."
    case .exception: "Reports of a group have the same exception and signal."
    case .version: "Reports of a group are about the same version of the app."
    }
  }

  static func perDay(_ days: Int64) -> String { days == 1 ? perDay : "Reports per \(days) days" }
  static func newestDays(_ limit: Int) -> String { "the newest \(limit) days with reports" }
  static func reports(_ count: Int) -> String { counted(count, "report") }
  static func largest(_ shown: Int, of all: Int) -> String { "the largest \(shown) of \(all)" }
  static func greatest(_ count: Int) -> String { "at most \(count)" }

  static func chart(first: String, last: String, greatest: Int, daysPerBar: Int64) -> String {
    let reports = counted(greatest, "report")
    let days = daysPerBar == 1 ? "a day" : "in \(daysPerBar) days"
    return first == last
      ? "\(reports) on \(first)" : "\(first) to \(last): at most \(reports) \(days)"
  }
}
