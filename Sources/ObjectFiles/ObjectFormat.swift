/// The container format of one object file.
package enum ObjectFormat: Hashable, Sendable {
  case machO
  case elf
  /// The index of an image, which replaces its debug information and its symbols. See
  /// `GsymOutline`.
  case gsym
}
