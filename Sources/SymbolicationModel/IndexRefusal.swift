/// Why an index that was made earlier is not used. The symbol file answers in its place.
public enum IndexRefusal: Hashable, Sendable {
  /// It cannot be read, for the reason that would be reported if it was given as a symbol file.
  indirect case unreadable(SymbolFileProblem.Kind)
  /// It is not a GSYM file, or another program wrote it where only this program's indexes are used.
  case foreign
  /// It is the index of another image. Nil if it has no identity.
  case otherImage(found: ImageIdentity?)
  /// It is the index of another slice.
  case otherArchitecture(found: Architecture)
  /// The symbol file has changed since the index was made from it, or the index was made from
  /// another file: the one at this path.
  case stale(madeFrom: String)
  /// The index, or the folder it is in, belongs to the user of this number, who is neither this one
  /// nor the administrator.
  case otherOwner(path: String, user: UInt32)
  /// Users other than the owner may write to the index or to the folder it is in; with the bits of
  /// its permissions.
  case writableByOthers(path: String, permissions: UInt32)
}
