import Foundation
import FuzzExercises
import TestSupport
import Testing

/// Runs each fuzz exercise on mutants of the inputs in `Fixtures/Malformed`, always the same. It
/// finds what a change broke coarsely; `make fuzz` follows the code and finds the rest.
struct MutantTests {
  /// What the mutants of a target take together, in bytes: a large input gets fewer mutants.
  private static let byteBudget = 60_000

  @Test(arguments: Exercise.allCases)
  func holdsForMutants(_ exercise: Exercise) throws {
    let folder = Fixtures.path("Malformed/\(exercise.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let seeds = try names.map { try Fixtures.bytes(of: "\(folder)/\($0)") }
    var generator = SeededGenerator(seed: 400)
    var size = 0
    var count = 0
    while size < Self.byteBudget, count < 100 {
      let mutant = Self.mutant(of: seeds[count % seeds.count], other: seeds[0], &generator)
      do {
        try exercise.run(mutant)
      } catch {
        Issue.record("mutant \(count) of \(names[count % names.count]): \(error)")
      }
      size += mutant.count + 200
      count += 1
    }
    expectTrue(count >= 5)
  }

  /// One to eight changes: a byte or a number of extreme value, a piece left out, said twice or
  /// taken from another input, or the end cut off.
  private static func mutant(
    of seed: [UInt8], other: [UInt8], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 1...16, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = .random(in: 0...255, using: &generator)
      case 1:
        let extreme: UInt8 = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
        for index in place..<min(end, place + 8) { bytes[index] = extreme }
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4:
        guard !other.isEmpty else { continue }
        let from = Int.random(in: 0..<other.count, using: &generator)
        bytes.insert(contentsOf: other[from..<min(other.count, from + 32)], at: place)
      default: bytes.removeSubrange((bytes.count - (bytes.count - place) / 8)...)
      }
    }
    return bytes
  }
}
