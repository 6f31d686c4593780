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
  /// The groups in a form.
  ///
  /// - Parameters:
  ///   - top: how many of the largest to write; nil for all.
  ///   - pages: the names of the pages of reports beside the page of the groups
  ///     (`ReportGroup.pageName`).
  package func written(as form: GroupForm, top: Int? = nil, pages: Set<String> = []) -> [UInt8] {
    let shown = largest(top)
    switch form {
    case .text: return Array(GroupText.text(of: shown, self).utf8)
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
