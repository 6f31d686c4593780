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
        "it is of version 9, which is not known; run 'symbolicate index' again"
      ),
      (
        .damaged(structure: "record at offset", value: 255),
        "it is damaged, its record at offset cannot be 0xff; run 'symbolicate index' again"
      ),
      (
        .otherImage(found: ImageIdentity(bytes: [0xab, 0xcd])),
        "it is of another image, abcd"
      ),
      (.otherImage(found: nil), "it is of another image, one without UUID"),
      (.otherArchitecture(found: .arm64e), "it is of another slice, arm64e"),
      (
        .stale(madeFrom: "/old"),
        "it was made of /old as that was before, or of another file; run 'symbolicate index' again"
      ),
    ] as [(IndexFault, String)])
  func message(fault: IndexFault, reason: String) {
    let problem = SymbolFileProblem(path: "/c/x.gsym", kind: .unusableIndex(fault))
    #expect(problem.message == "the index /c/x.gsym is not used: \(reason)")
  }
}
