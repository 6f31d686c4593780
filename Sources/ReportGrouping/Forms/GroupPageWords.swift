import ReportRendering

/// The words of the page of `symbolicate group`.
enum GroupPageWords {
  static let perVersion = "Reports per app version"
  static let perDay = "Reports per day"
  static let groups = "Groups"
  static let columns = [
    "Crash", "Reports", "Share", "Devices", "Seen", "App versions", "Systems", "Days",
  ]
  static let olderVersions = "and older versions"
  static let legend =
    "Days are those of UTC. A path is that of one of the reports. Characters that cannot be seen are named, such as U+202E."

  static func title(reports: Int, groups: Int) -> String {
    "\(PageWords.count(reports, "report")) in \(PageWords.count(groups, "group"))"
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
  static func reports(_ count: Int) -> String { PageWords.count(count, "report") }
  static func largest(_ shown: Int, of all: Int) -> String { "the largest \(shown) of \(all)" }
  static func greatest(_ count: Int) -> String { "at most \(count)" }

  static func chart(first: String, last: String, greatest: Int, daysPerBar: Int64) -> String {
    let reports = PageWords.count(greatest, "report")
    let days = daysPerBar == 1 ? "a day" : "in \(daysPerBar) days"
    return first == last
      ? "\(reports) on \(first)" : "\(first) to \(last): at most \(reports) \(days)"
  }
}
