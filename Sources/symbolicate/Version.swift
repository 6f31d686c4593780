/// The version of this program, and nothing else: the Makefile reads this line. `VersionText` adds
/// the commit.
let symbolicateVersion = "0.1.0"
