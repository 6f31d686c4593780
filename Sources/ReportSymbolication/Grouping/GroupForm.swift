/// How groups are written.
package enum GroupForm: String, CaseIterable, Sendable {
  case text
  case json
  case ndjson
  case csv
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
  /// - Parameter top: how many of the largest to write; nil for all.
  package func written(as form: GroupForm, top: Int? = nil) -> [UInt8] {
    let sorted = largestFirst
    let shown = sorted.prefix(top ?? sorted.count)
    switch form {
    case .text:
      let lines = GroupText(width: nil).lines(of: shown, self)
      return Array(lines.map { $0.text.plain + "\n" }.joined().utf8)
    case .csv: return Array(GroupCsv.text(of: shown, self).utf8)
    case .json: return GroupJson.document(of: shown, self)
    case .ndjson: return GroupJson.lines(of: shown, self)
    }
  }
}

/// A part of a whole in hundredths of a percent, rounded; 0 if there is no whole.
func share(of part: Int, in whole: Int, units: Int = 10_000) -> Int {
  guard whole > 0 else { return 0 }
  let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: units))
  return quotient + (remainder >= whole - remainder ? 1 : 0)
}
