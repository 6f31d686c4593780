/// Finds the other files that the DWARF of an image refers to: its supplementary file and its split
/// DWARF files. A reader asks for them when an answer needs them.
///
/// An implementation keeps what it found, so that asking again costs nothing. Its functions may be
/// called from several threads.
package protocol DwarfReferencedFiles: AnyObject, Sendable {
  /// The sections of the supplementary file, to which dwz moved what several files share (DWARF 5,
  /// section 7.3.6). The image names it in `.gnu_debugaltlink` or `.debug_sup`. Nil if the image
  /// names none, or it is not found.
  func supplementarySections() -> DwarfSections?

  /// The file that contains the split unit: a `.dwo` file or a package (`.dwp`). Nil if none is
  /// found.
  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?

  /// The `.dwo` file of the unit, in case `splitFile` returned a package that lacks the unit.
  /// Packages are made after a build, and easily become outdated by the next one.
  func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?
}

extension DwarfReferencedFiles {
  /// Nil: no `.dwo` files are looked for beside packages.
  package func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? { nil }
}
