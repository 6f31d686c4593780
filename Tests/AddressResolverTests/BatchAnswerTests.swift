import ObjectFiles
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import AddressResolver

/// Answers in numbers. The referee is `resolve`, which other tests compare with other tools.
struct BatchAnswerTests {
  /// Symbol files of every kind, and whether they have answers in numbers.
  static let files: [(path: String, hasBatches: Bool)] =
    IndexFixture.withDebugInformation.map { ($0.path, true) }
    + IndexFixture.withSymbolsAlone.map { ($0.path, false) }
    + [
      ("Bitcode/Inlines.xcarchive/dSYMs/Inlines.dSYM", false),
      ("Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym", false),
      ("DebugMap/arm64-dwarf5/ledger", false), ("DebugMap/swift/Inlines", false),
      ("Elf/libshapes-minidebug.elf", false), ("Elf/shapes-separate.elf", true),
      ("Gsym/inlines-version1.gsym", true), ("MachO/calls-arm64-stripped", false),
      ("MachO/shapes-arm64-stripped", false),
    ]

  private func resolver(
    _ path: String, _ reader: DwarfReaderChoice = .builtIn
  ) throws -> ImageResolver {
    try ImageResolver(
      symbolFile: Fixtures.path(path), dwarfReader: reader, demangling: .atos)
  }

  /// Every address of the code, those around it, and some that are nowhere.
  private func addresses(of resolver: ImageResolver) -> [LinkAddress] {
    var ranges = resolver.objectFile.codeRanges
    // Indexes and Breakpad files state no code, but the addresses of their functions.
    if ranges.isEmpty { ranges = resolver.loadedRanges }
    let addresses = ranges.flatMap { range in
      (max(range.lowerBound.value, 8) - 8..<range.upperBound.value + 8).map { LinkAddress($0) }
    }
    return Set(addresses + [LinkAddress(1), LinkAddress(.max)]).sorted()
  }

  @Test(arguments: files)
  func areThoseForSingleAddresses(file: (path: String, hasBatches: Bool)) throws {
    try compare(file.path, .builtIn, jobs: [1, 2, 4], hasBatches: file.hasBatches)
  }

  @Test func libdwarfAnswersSingleAddresses() throws {
    try compare(
      "Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes", .libdwarf, jobs: [2],
      hasBatches: false)
  }

  private func compare(
    _ path: String, _ reader: DwarfReaderChoice, jobs: [Int], hasBatches: Bool
  ) throws {
    let single = try resolver(path, reader)
    let addresses = addresses(of: single)
    let expected = addresses.map { single.resolve($0) }
    let prepared = try resolver(path, reader)
    prepared.prepare(for: addresses, jobs: 1)
    for address in addresses { _ = prepared.resolve(address) }
    for jobs in jobs {
      let many = try resolver(path, reader)
      let found = answers(of: many, to: addresses, jobs: jobs)
      expectNotEqual(found.isEmpty, hasBatches)
      var differences: [String] = []
      for (index, address) in addresses.enumerated()
      where (found[7 * index] ?? many.resolve(address)) != expected[index] {
        differences.append(address.value.hexadecimal)
      }
      expectEqual(differences, [], "\(jobs) jobs")
      expectEqual(many.problems, prepared.problems, "\(jobs) jobs")
    }
  }

  /// The answers in numbers, in words. The numbers of the questions are not their positions.
  private func answers(
    of resolver: ImageResolver, to addresses: [LinkAddress], jobs: Int
  ) -> [Int: ResolvedAddress] {
    let answers = Mutex<[Int: ResolvedAddress]>([:])
    let questions = addresses.enumerated().map { NumberedAddress($1, number: 7 * $0) }
    resolver.answer(questions, jobs: jobs) { batch in
      answers.withLock { answers in
        for answer in batch.answers {
          expectNil(answers[answer.question.number])
          answers[answer.question.number] = batch.inWords(answer)
        }
      }
    }
    return answers.withLock { $0 }
  }
}

extension ResolvedBatch {
  func inWords(_ answer: Answer) -> ResolvedAddress? {
    var frames = frames[answer.frames].map { frame in
      ResolvedFrame(
        name: functions[Int(frame.function)].name,
        rawName: functions[Int(frame.function)].rawName,
        location: frame.path < 0
          ? nil
          : SourceLocation(
            path: paths[Int(frame.path)], line: frame.line, column: frame.column),
        rangeStart: frame.rangeStart)
    }
    return frames.popLast().map {
      ResolvedAddress(inlinedFrames: frames, function: $0, origin: answer.origin)
    }
  }
}
