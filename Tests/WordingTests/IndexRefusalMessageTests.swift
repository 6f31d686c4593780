import SymbolicationModel
import TestSupport
import Testing
import Wording

/// Each sentence names the index and says what is wrong and what to do.
@Suite struct IndexRefusalMessageTests {
  @Test(
    arguments: [
      (
        .foreign,
        "it is cut short, or 'symbolicate index' did not write it; remove it, or run 'symbolicate index' again"
      ),
      (
        .otherImage(found: ImageIdentity(bytes: [0xab, 0xcd])),
        "it is from a different image, with the UUID or build-id abcd"
      ),
      (.otherImage(found: nil), "it is from a different image, without a UUID or build-id"),
      (.otherArchitecture(found: .arm64e), "it is from a different slice, arm64e"),
      (
        .stale(madeFrom: "/old"),
        "it was built from /old, which has changed since or is a different file; run 'symbolicate index' again"
      ),
      (
        .otherOwner(path: "/c", user: 1001),
        "/c belongs to the user with the number 1001, who could have put anything there; remove it, or name another directory"
      ),
      (
        .writableByOthers(path: "/c", permissions: 0o775),
        "other users may write to /c (mode 0775); if you trust its contents, run 'chmod go-w' on it"
      ),
    ] as [(IndexRefusal, String)])
  func message(refusal: IndexRefusal, reason: String) {
    let problem = SymbolFileProblem(path: "/c/x.gsym", kind: .unusableIndex(refusal))
    expectEqual(problem.message, "ignoring the index /c/x.gsym: \(reason)")
  }

  /// Messages of some kinds begin with the path and a colon.
  @Test func theIndexIsNamedOnce() {
    let refusal = IndexRefusal.unreadable(
      .unreadableDebugInformation(section: ".debug_info", offset: 16, detail: ""))
    expectEqual(
      refusal.reason, "skipped debug information that cannot be read, in .debug_info at 0x10")
  }

  @Test func saysWhyAnIndexCannotBeRead() {
    let refusal = IndexRefusal.unreadable(
      .truncated(
        structure: "GSYM string table", offset: 8, wanted: 24, available: 16))
    expectEqual(
      SymbolFileProblem(path: "/c/x.gsym", kind: .unusableIndex(refusal)).message,
      "ignoring the index /c/x.gsym: it is cut short or damaged: GSYM string table at offset 8 should have 24 bytes, but the file has only 16; run 'symbolicate index' again"
    )
  }
}
