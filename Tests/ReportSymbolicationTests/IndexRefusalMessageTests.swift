import ReportSymbolication
import SymbolicationModel
import Testing

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
        "it is of another image, abcd"
      ),
      (.otherImage(found: nil), "it is of another image, one without UUID"),
      (.otherArchitecture(found: .arm64e), "it is of another slice, arm64e"),
      (
        .stale(madeFrom: "/old"),
        "it was made of /old as that was before, or of another file; run 'symbolicate index' again"
      ),
    ] as [(IndexRefusal, String)])
  func message(refusal: IndexRefusal, reason: String) {
    let problem = SymbolFileProblem(path: "/c/x.gsym", kind: .unusableIndex(refusal))
    #expect(problem.message == "the index /c/x.gsym is not used: \(reason)")
  }
  @Test func saysWhyAnIndexCannotBeRead() {
    let refusal = IndexRefusal.unreadable(
      .truncated(
        structure: "GSYM string table", offset: 8, wanted: 24, available: 16))
    #expect(
      SymbolFileProblem(path: "/c/x.gsym", kind: .unusableIndex(refusal)).message
        == "an index is not used: /c/x.gsym is cut short or damaged: GSYM string table at offset 8 needs 24 bytes of 16; run 'symbolicate index' again"
    )
  }
}
