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
