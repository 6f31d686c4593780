import CBuildStamp

/// The version of this program. The Makefile and the packages read this line; `VersionText` adds
/// the commit.
let symbolicateVersion = "0.1.0"

/// What `--version` prints: `symbolicate 0.1.0 (4e1695a4b2c1, 2026-11-23)`, with the commit and its
/// date if the build stated them.
enum VersionText {
  /// Soundness: the function returns a string literal.
  static let full = text(stamp: unsafe String(cString: symbolicate_build_stamp()))

  private static func text(stamp: String) -> String {
    let version = "symbolicate " + symbolicateVersion
    return stamp.isEmpty ? version : version + " (" + stamp + ")"
  }
}
