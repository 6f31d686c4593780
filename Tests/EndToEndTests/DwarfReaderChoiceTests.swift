import TestSupport
import Testing

/// `--dwarf-reader`: both readers give the golden answers, and no other is known.
struct DwarfReaderChoiceTests {
  @Test(arguments: ["built-in", "libdwarf"])
  func bothReadersGiveTheSameReport(reader: String) async throws {
    let golden = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--dwarf-reader", reader,
    ])
    expectEqual(result.standardOutput, golden)
    expectEqual(result.status, 0)
  }

  @Test(arguments: [["-dwarf-reader", "built-in"], ["--dwarf-reader=libdwarf"]])
  func bothReadersGiveTheSameAnswers(option: [String]) async throws {
    let result = try await Program.symbolicate(
      ["atos", "-o", Fixtures.storyBundle] + option + ["10002719c"])
    expectEqual(
      result.outputText,
      "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) (in Letter Shuffle) (<compiler-generated>:0)\n"
    )
  }

  @Test func libdwarfIsForTrustedFiles() async throws {
    for arguments in [["--help-all"], ["atos", "--help"]] {
      let result = try await Program.symbolicate(arguments)
      let words = result.outputText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      expectContains(words.lowercased(), "damaged files can crash libdwarf")
    }
  }

  @Test func anotherReaderIsRefused() async throws {
    let report = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--dwarf-reader", "gimli",
    ])
    expectEqual(report.status, 64)
    expectContains(report.standardError, "built-in or libdwarf")
    let address = try await Program.symbolicate([
      "atos", "-o", Fixtures.storyBundle, "-dwarf-reader", "gimli", "10002719c",
    ])
    expectEqual(address.status, 1)
    expectContains(address.standardError, "built-in or libdwarf")
  }
}
