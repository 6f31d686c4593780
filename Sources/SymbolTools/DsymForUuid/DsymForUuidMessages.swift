import SymbolicationModel

/// What LLDB shows in place of a dSYM: a sentence each.
enum DsymForUuidMessages {
  static func nothingFound(_ identity: ImageIdentity) -> String {
    "no symbol file with UUID \(identity) was found; give the directory of your archives with -s"
  }

  static func noDebugInformation(_ path: String) -> String {
    "\(path) has this UUID but no debug information, and its dSYM was not found; give the directory of your archives with -s"
  }

  static func noIdentity(_ path: String) -> String {
    "\(path) has neither a UUID nor a build-id by which its dSYM could be found"
  }

  static func inArchive(_ path: String) -> String {
    "\(path) has this UUID, but LLDB reads no zip or tar archives; unpack the archive"
  }
}
