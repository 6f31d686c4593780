/// Finds the files that the DWARF of an image refers to. A reader asks for them when an answer needs
/// them; whoever knows where the image lies implements it.
///
/// What is found is kept: asking again costs nothing. May be called from several threads.
package protocol DwarfReferencedFiles: AnyObject, Sendable {
  /// The sections of the file to which dwz moved what several files share (`.gnu_debugaltlink`, and
  /// `.debug_sup` of DWARF 5, section 7.3.6); nil where the image names none, or it is not found.
  func supplementarySections() -> DwarfSections?

  /// The file that holds the split unit; nil where it is not found.
  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?

  /// The `.dwo` file of the unit, for when `splitFile` gave a package and that does not hold the unit:
  /// packages are made after the build, and forgotten after the next.
  func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?
}

extension DwarfReferencedFiles {
  package func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? { nil }
}
