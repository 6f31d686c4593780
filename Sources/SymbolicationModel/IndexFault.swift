/// Why an index that was made of a symbol file before is not used.
public enum IndexFault: Hashable, Sendable {
  /// The system refused to open or read it: the value of C's `errno`.
  case inaccessible(errno: CInt)
  /// It is no GSYM file, or one that this program did not write where only those are looked for.
  case foreign
  /// It is of a version of the format, or of this program, that is not known.
  case unsupportedVersion(UInt32)
  /// `structure` (a term of its format) says something that cannot be, or ends too early.
  case damaged(structure: String, value: UInt64)
  /// It is the index of another image. Nil where it does not say of which.
  case otherImage(found: ImageIdentity?)
  /// It is the index of another slice.
  case otherArchitecture(found: Architecture)
  /// It was made of other content than that of the symbol file: of the file at this path, then.
  case stale(madeFrom: String)
}
