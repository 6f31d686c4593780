import SymbolicationModel
import Testing

/// Exit statuses depend on the severity, so each level is tested with some of its kinds.
struct SeverityTests {
  private func severity(_ kind: SymbolFileProblem.Kind) -> SymbolFileProblem.Severity {
    SymbolFileProblem(path: "f", kind: kind).severity
  }

  @Test func severityOfEachLevel() {
    #expect(severity(.missingSegment(name: nil)) == .partial)
    #expect(severity(.unusableIndex(.foreign)) == .partial)
    #expect(severity(.noSymbols) == .noSymbols)
    #expect(severity(.noSymbolFiles) == .noSymbols)
    #expect(severity(.notIndexed) == .noSymbols)
    #expect(severity(.empty) == .notASymbolFile)
    #expect(severity(.emptyBundle) == .notASymbolFile)
    #expect(severity(.notASymbolFile(firstBytes: [])) == .notASymbolFile)
    #expect(severity(.inaccessible(errno: 2)) == .unusable)
    #expect(severity(.damaged(structure: "export trie", offset: 0)) == .unusable)
  }

  @Test func aFatFileWithoutUsableSliceIsAsItsFirstSlice() {
    let slices = [
      SymbolFileProblem(path: "f", kind: .empty),
      SymbolFileProblem(path: "f", kind: .overlappingSlice(index: 1)),
    ]
    #expect(severity(.noUsableSlice(slices)) == .notASymbolFile)
    #expect(severity(.noUsableSlice(slices.reversed())) == .unusable)
    #expect(severity(.noUsableSlice([])) == .unusable)
  }
}
