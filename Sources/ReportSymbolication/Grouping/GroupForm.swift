/// How groups are written.
package enum GroupForm: String, CaseIterable, Sendable {
  case text
  case json
  case ndjson
  case csv
}

extension GroupTable {
  /// The groups in a form.
  ///
  /// - Parameter top: how many of the largest to write; nil for all.
  package func written(as form: GroupForm, top: Int? = nil) -> [UInt8] {
    let sorted = largestFirst
    let shown = sorted.prefix(top ?? sorted.count)
    switch form {
    case .text: return Array(GroupText.text(of: shown, self).utf8)
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
