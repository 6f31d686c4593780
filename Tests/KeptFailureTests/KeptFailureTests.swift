import Foundation
import FuzzExercises
import TestSupport
import Testing

/// Runs the fuzz exercises on the inputs in `Fixtures/Malformed`, which has a folder for each
/// target: inputs that once caused a failure, and others that are worth trying.
struct KeptFailureTests {
  struct Input: CustomTestStringConvertible, Sendable {
    let exercise: Exercise
    let name: String

    var testDescription: String { "\(exercise.rawValue)/\(name)" }
  }

  static let inputs: [Input] = Exercise.allCases.flatMap { exercise in
    let folder = Fixtures.path("Malformed/\(exercise.rawValue)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { Input(exercise: exercise, name: $0) }
  }

  @Test(arguments: inputs)
  func holds(_ input: Input) throws {
    let path = Fixtures.path("Malformed/\(input.exercise.rawValue)/\(input.name)")
    try input.exercise.run(Fixtures.bytes(of: path))
  }

  @Test(arguments: Exercise.allCases)
  func everyTargetHasInputs(_ exercise: Exercise) {
    expectTrue(Self.inputs.contains { $0.exercise == exercise })
  }

  /// The checks must also hold for sound inputs: this detects exercises that demand too much.
  @Test func holdsForFixtures() throws {
    for path in [Fixtures.storyReport, Fixtures.storyWebCopy] {
      try Exercise.crashText.run(Fixtures.bytes(of: path))
      try Exercise.ips.run(Fixtures.bytes(of: path))
    }
    for path in [
      Fixtures.storyDwarfFile, Fixtures.path("Elf/libshapes-zstd.elf"),
      Fixtures.path("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes"),
      Fixtures.path("Dwarf/arm64-dwarf5.dSYM/Contents/Resources/DWARF/Shapes"),
    ] {
      let bytes = try Fixtures.bytes(of: path)
      try Exercise.objectFiles.run(bytes)
      let inputs = DwarfTablesInput.inputs(fromObjectFile: bytes)
      expectFalse(inputs.isEmpty)
      for input in inputs { try Exercise.dwarfTables.run(input) }
    }
  }
}
