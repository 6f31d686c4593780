extension Difference {
  /// Whether one of two answers only says less, as a reader does that knows a part of the DWARF: it
  /// has the innermost place, with or without the compilation directory, and of the frames either all,
  /// perhaps without names, or the outermost function alone.
  static func betweenPartialReaders(
    _ first: Answer, _ second: Answer
  ) -> Difference? {
    let (less, more) =
      first.frames.count < second.frames.count ? (first, second) : (second, first)
    guard let innermost = less.frames.first, let place = more.frames.first,
      areCompatible(innermost, place), let outermost = less.frames.last,
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
    if Comparison.agreeOnPlace(first, second) { return true }
    guard first.line == second.line,
      first.column == nil || second.column == nil || first.column == second.column
    else { return false }
    return first.file.isEmpty || second.file.isEmpty || first.file.hasSuffix("/" + second.file)
      || second.file.hasSuffix("/" + first.file)
  }

  /// Whether one is missing, or the other with something around it: mangled, or with the suffix of a
  /// part (`_ZL7monthlyl.constprop.0` of the symbol table, `monthly` of DWARF).
  private static func haveCompatibleNames(_ first: Answer.Frame, _ second: Answer.Frame) -> Bool {
    first.function.isEmpty || second.function.isEmpty || first.function.contains(second.function)
      || second.function.contains(first.function)
  }
}
