extension Difference {
  /// Whether one of two answers is only less complete, as from a reader that knows a part of the
  /// DWARF: it has the innermost location, with or without the compilation directory, and either
  /// all frames, perhaps without names, or only the outermost function.
  static func betweenPartialReaders(
    _ first: Answer, _ second: Answer
  ) -> Difference? {
    let (less, more) =
      first.frames.count < second.frames.count ? (first, second) : (second, first)
    guard let innermost = less.frames.first, let otherInnermost = more.frames.first,
      areCompatible(innermost, otherInnermost), let outermost = less.frames.last,
      let function = more.frames.last, haveCompatibleNames(outermost, function)
    else { return nil }
    if less.frames.count == 1 { return .otherFileNotRead }
    guard less.frames.count == more.frames.count,
      zip(less.frames, more.frames).allSatisfy({ areCompatible($0, $1) }),
      zip(less.frames, more.frames).dropLast().allSatisfy({
        haveCompatibleNames($0, $1)
      })
    else { return nil }
    return .otherFileNotRead
  }

  private static func areCompatible(_ first: Answer.Frame, _ second: Answer.Frame) -> Bool {
    if Comparison.agreeOnLocation(first, second) { return true }
    guard first.line == second.line,
      first.column == nil || second.column == nil || first.column == second.column
    else { return false }
    return first.file.isEmpty || second.file.isEmpty || first.file.hasSuffix("/" + second.file)
      || second.file.hasSuffix("/" + first.file)
  }

  /// Whether one name is missing, or the other contains it: mangled, or with the suffix of a part
  /// (`_ZL7monthlyl.constprop.0` in the symbol table, `monthly` in DWARF).
  private static func haveCompatibleNames(_ first: Answer.Frame, _ second: Answer.Frame) -> Bool {
    first.function.isEmpty || second.function.isEmpty || first.function.contains(second.function)
      || second.function.contains(first.function)
  }
}
