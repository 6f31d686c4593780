/// The container format of one object file.
package enum ObjectFormat: Hashable, Sendable {
  case machO
  case elf
  /// The index of an image, which replaces its debug information and its symbols. See
  /// `GsymOutline`.
  case gsym
  /// The functions, lines and symbols of an image as text. See `BreakpadOutline`.
  case breakpad

  /// Whether it holds functions and lines, but not as DWARF: nothing else has to be found for such
  /// a file.
  var answersAlone: Bool { self == .gsym || self == .breakpad }
}
