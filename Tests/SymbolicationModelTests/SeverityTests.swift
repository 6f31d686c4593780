import SymbolicationModel
import TestSupport
import Testing

/// Exit statuses depend on the severity, so each level is tested with some of its kinds.
struct SeverityTests {
  private func severity(_ kind: SymbolFileProblem.Kind) -> SymbolFileProblem.Severity {
    SymbolFileProblem(path: "f", kind: kind).severity
  }

  @Test func severityOfEachLevel() {
    expectEqual(severity(.missingSegment(name: nil)), .partial)
    expectEqual(severity(.unusableIndex(.foreign)), .partial)
    expectEqual(severity(.noSymbols), .noSymbols)
    expectEqual(severity(.noSymbolFiles), .noSymbols)
    expectEqual(severity(.notIndexed), .noSymbols)
    expectEqual(severity(.empty), .notASymbolFile)
    expectEqual(severity(.emptyBundle), .notASymbolFile)
    expectEqual(severity(.notASymbolFile(firstBytes: [])), .notASymbolFile)
    expectEqual(severity(.inaccessible(errno: 2)), .unusable)
    expectEqual(severity(.damaged(structure: "export trie", offset: 0)), .unusable)
  }

  @Test func aFatFileWithoutUsableSliceIsAsItsFirstSlice() {
    let slices = [
      SymbolFileProblem(path: "f", kind: .empty),
      SymbolFileProblem(path: "f", kind: .overlappingSlice(index: 1)),
    ]
    expectEqual(severity(.noUsableSlice(slices)), .notASymbolFile)
    expectEqual(severity(.noUsableSlice(slices.reversed())), .unusable)
    expectEqual(severity(.noUsableSlice([])), .unusable)
  }
}
