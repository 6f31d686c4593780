/// Why a result is not written to a path.
package struct OutputRefusal: Error, Hashable, Sendable {
  /// The output's path, as it was given.
  package let path: String
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// It is a symbol file: Mach-O, fat, ELF, GSYM, Breakpad, or a static library.
    case symbolFile
    /// It is a compressed file, such as a report that is to be replaced, and results are not.
    case compressed
    /// There is a file that cannot be read, so it may be a symbol file.
    case unreadable
    /// It is a bundle, or has a bundle's name and does not exist.
    case bundle
    /// It lies in the bundle at this path.
    case inBundle(String)
    /// It leads to the same file as this input.
    case input(Input)
  }

  package enum Input: Hashable, Sendable {
    /// `-` for standard input.
    case report(String)
    /// Given as a symbol file, whatever it holds.
    case symbolFile(String)
  }
}
