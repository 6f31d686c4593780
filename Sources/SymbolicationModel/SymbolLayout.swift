/// A way to arrange symbol files in folders so that the path of a file follows from its image.
///
/// Directories and servers use the same layouts. All paths contain the image's UUID or build-id, so
/// a layout never finds a file by its name alone; what is found is still opened and compared.
package enum SymbolLayout: String, CaseIterable, Hashable, Sendable {
  /// Each platform's own: `.build-id` of Linux without that folder (`bb/….debug`), LLDB's folders
  /// of UUID digits, and Breakpad's `NAME/ID/NAME.sym`.
  case native
  /// Microsoft's symbol store with the keys of the Simple Symbol Query Protocol for Mach-O and ELF.
  case symstore
  /// Like `symstore`, with names in lower case, as servers of that protocol want them.
  case ssqp
  /// `symstore` with another folder in front, for stores with many files.
  case index2
  /// Sentry's: `uu/u…/debuginfo`.
  case unified
  /// The paths that debuginfod serves: `buildid/…/debuginfo`. ELF only.
  case debuginfod
}
