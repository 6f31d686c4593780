import Wording

extension FittedText {
  /// The name of a function and its place in a source file, shortened so that `NAME (PLACE)` fits.
  ///
  /// - Parameter columns: the room of both, with the space and the parentheses.
  /// - Returns: no place if there is no room for it.
  static func frame(
    _ name: String, _ place: String?, columns: Int
  ) -> (name: String, place: String?) {
    // The place says more than the types in front of a name and its arguments.
    let placeWidth = place.map { TerminalColumns.count(of: $0) + 3 } ?? 0
    let narrow = max(leastNameWidth, columns - placeWidth)
    var short = function(name, columns: narrow, betweenWords: false)
    if short.hasSuffix("…"), short != name {
      // The name would end in its middle: rather the place begins later.
      let least = min(placeWidth, leastPlaceWidth + 3)
      let longer = function(
        name, columns: max(leastNameWidth, columns - least), betweenWords: false)
      short = longer.hasSuffix("…") ? function(name, columns: narrow) : longer
    }
    let room = columns - TerminalColumns.count(of: short) - 3
    guard room >= min(placeWidth - 3, leastPlaceWidth) else {
      return (function(name, columns: max(1, columns)), nil)
    }
    return (short, place.map { end(ofPath: $0, columns: max(1, room)) })
  }

  /// The columns that a name may take beside a long path.
  static let leastNameWidth = 12
  /// The columns of the end of a place that says something: `…t:18`.
  private static let leastPlaceWidth = 5
}
