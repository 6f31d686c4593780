import ReportSymbolication
import SymbolicationModel
import Testing

/// Each sentence names the index and says what is wrong and what to do.
@Suite struct IndexFaultMessageTests {
  @Test(
    arguments: [
      (.inaccessible(errno: 13), "Permission denied"),
      (
        .foreign,
        "it is cut short, or 'symbolicate index' did not write it; remove it, or run 'symbolicate index' again"
      ),
      (
        .unsupportedVersion(9),
        "its version is 9, which is unknown; run 'symbolicate index' again"
      ),
      (
        .damaged(structure: "record at offset", value: 255),
        "it is damaged: its record at offset cannot be 0xff; run 'symbolicate index' again"
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
    ] as [(IndexFault, String)])
  func message(fault: IndexFault, reason: String) {
    let problem = SymbolFileProblem(path: "/c/x.gsym", kind: .unusableIndex(fault))
    #expect(problem.message == "ignoring the index /c/x.gsym: \(reason)")
  }
}
