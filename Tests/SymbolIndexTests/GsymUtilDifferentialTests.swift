import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Compares with llvm-gsymutil 19: we must read its files as it does, and it must read ours.
@Suite(.enabled(if: GsymUtil.path != nil, Comment(rawValue: GsymUtil.need)))
struct GsymUtilDifferentialTests {
  static let symbolFiles = [
    "Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines",
    "LetterShuffle/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle",
    "ClangModule/ClangModule.dSYM/Contents/Resources/DWARF/Rack",
    "Dwarf/arm64-dwarf5.dSYM/Contents/Resources/DWARF/Shapes",
    "Elf/libshapes.elf", "Elf/shapes-pie.elf", "Elf/shapes-gcc.elf", "Elf/shapes-aarch64.elf",
    "Elf/clerk-swift.elf",
  ]

  /// The file that llvm-gsymutil makes from a symbol file.
  private func convert(_ symbolFile: String, in folder: TemporaryDirectory) async throws -> String {
    let output = folder.path("llvm.gsym")
    let result = try await GsymUtil.run(
      ["--convert", Fixtures.path(symbolFile), "--out-file", output, "--quiet"])
    try require(result.status == 0, "\(result.standardError)")
    return output
  }

  /// The addresses at which an answer may change, and their neighbours.
  private func addresses(of file: GsymFile) throws -> [UInt64] {
    var addresses: Set<UInt64> = []
    for index in 0..<file.functionCount {
      let function = try require(file.function(at: index))
      for edge in [function.range] + function.inlinedRanges {
        addresses.formUnion([edge.lowerBound.value, edge.upperBound.value])
      }
      addresses.formUnion(function.rows.map(\.address.value))
    }
    return addresses.flatMap { [$0 &- 1, $0, $0 + 1] }.sorted()
  }

  /// The functions of `file`, written again.
  private func rewrite(_ file: GsymFile) throws -> [UInt8] {
    var writer = try GsymWriter(uuid: file.uuid)
    // Several units, so that numbers have to be changed.
    for start in stride(from: 0, to: file.functionCount, by: 5) {
      var unit = GsymUnit()
      func number(_ index: UInt32) throws -> UInt32 {
        try unit.file(path: file.path(ofFile: index) ?? "")
      }
      for index in start..<min(start + 5, file.functionCount) {
        var function = try require(file.function(at: index))
        function.name = unit.name(try require(file.nameBytes(at: function.name)))
        function.rows = try function.rows.map {
          try GsymLineRow(address: $0.address, file: number($0.file), line: $0.line)
        }
        for call in function.inlinedCalls.indices {
          let name = try require(file.nameBytes(at: function.inlinedCalls[call].name))
          function.inlinedCalls[call].name = unit.name(name)
          function.inlinedCalls[call].callFile = try number(function.inlinedCalls[call].callFile)
        }
        try unit.add(function)
      }
      writer.add(unit)
    }
    return try writer.encode()
  }

  @Test(arguments: symbolFiles) func answersAsLlvmDoes(symbolFile: String) async throws {
    let folder = try TemporaryDirectory()
    let path = try await convert(symbolFile, in: folder)
    let file = try GsymFile(MappedFile.open(path: path))
    #expect(file.functionCount > 0)
    let addresses = try addresses(of: file)
    let answers = try await GsymUtil.answers(of: path, at: addresses)
    try require(answers.count == addresses.count)
    var frameCount = 0
    for (address, expected) in zip(addresses, answers) {
      let answer = try file.text(at: address)
      if expected.first?.hasPrefix("error: address") == true,
        expected.first?.hasSuffix("is not in the line table") == true
      {
        // We name the function.
        expectEqual(answer?.count, 1)
      } else if expected.first?.hasPrefix("error:") == true {
        expectNil(answer, "\(String(address, radix: 16)) \(expected)")
      } else {
        expectEqual(answer, expected, "\(String(address, radix: 16))")
        frameCount += expected.count
      }
    }
    #expect(frameCount > addresses.count / 3)
  }

  @Test(arguments: symbolFiles) func llvmReadsOurs(symbolFile: String) async throws {
    let folder = try TemporaryDirectory()
    let path = try await convert(symbolFile, in: folder)
    let file = try GsymFile(MappedFile.open(path: path))
    let ours = try folder.write(rewrite(file), to: "ours.gsym")

    let dump = try await GsymUtil.run([ours])
    expectEqual(dump.status, 0)
    expectEmpty(dump.standardError)
    expectFalse(dump.outputText.isEmpty)
    expectTrue(
      dump.outputText.split(separator: "\n").allSatisfy {
        !$0.hasPrefix("error") && !$0.contains(": error:")
      })

    var generator = SeededGenerator(seed: 11)
    let edges = try addresses(of: file)
    let low = try require(edges.first)
    let high = try require(edges.last)
    let questions =
      edges + (0..<10_000).map { _ in UInt64.random(in: low...high, using: &generator) }
    let expected = try await GsymUtil.answers(of: path, at: questions)
    let answers = try await GsymUtil.answers(of: ours, at: questions)
    expectEqual(expected.count, questions.count)
    expectEqual(answers, expected)
    // And ours from ours.
    let written = try GsymFile(MappedFile.open(path: ours))
    for address in edges { try expectEqual(written.text(at: address), file.text(at: address)) }
    expectEqual(written.uuid, file.uuid)
  }

  /// Behind the end of long tables are marks, which the format does not define.
  @Test func llvmReadsLongFunctions() async throws {
    let folder = try TemporaryDirectory()
    let function = LongFunction(seed: 5, rowCount: 1_500, callCount: 120)
    var unit = GsymUnit()
    try function.add(to: &unit)
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    let path = try folder.write(try writer.encode(), to: "long.gsym")
    let dump = try await GsymUtil.run([path])
    expectEqual(dump.status, 0)
    expectEmpty(dump.standardError)
    expectContains(dump.outputText, "\"long\"")
    expectFalse(dump.outputText.contains("error"))
    let addresses = Array(LongFunction.start..<function.end)
    let answers = try await GsymUtil.answers(of: path, at: addresses)
    expectEqual(answers, addresses.map { function.text(at: $0) ?? [] })
  }
}
