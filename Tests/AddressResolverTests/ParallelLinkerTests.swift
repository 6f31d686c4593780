import AddressResolver
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// A dSYM of dsymutil's parallel linker against one of the classic linker. dsymutil 22 and 19 made
/// them from the same object files, so both hold the same answers. `DifferentialTests` compares
/// both with llvm-symbolizer.
struct ParallelLinkerTests {
  private static let name = "Inlines.dSYM/Contents/Resources/DWARF/Inlines"

  private static func file(in folder: String) throws -> ObjectFile {
    try require(ObjectContainer.open(path: Fixtures.path("\(folder)/\(name)")).objectFiles.first)
  }

  private static func shown(_ resolver: ImageResolver, _ address: LinkAddress) -> [String] {
    resolver.resolve(address)?.frames.map { frame in
      let location = frame.location
      return
        "\(frame.rawName) \(location?.path ?? "-"):\(location?.line ?? 0):\(location?.column ?? 0)"
    } ?? []
  }

  @Test(arguments: [DwarfReaderChoice.builtIn, .libdwarf])
  func everyInstructionHasTheSameAnswer(reader: DwarfReaderChoice) throws {
    let classic = try Self.file(in: "Inlines")
    let parallel = try Self.file(in: "Llvm22")
    let code = try require(classic.sections.first { $0.name == "__text" }).addresses
    expectEqual(parallel.sections.first { $0.name == "__text" }?.addresses, code)
    let resolvers = [classic, parallel].map { ImageResolver($0, dwarfReader: reader) }
    var inlined = 0
    for address in stride(from: code.lowerBound.value, to: code.upperBound.value, by: 4) {
      let expected = Self.shown(resolvers[0], LinkAddress(address))
      expectEqual(Self.shown(resolvers[1], LinkAddress(address)), expected)
      if expected.count > 1 { inlined += 1 }
    }
    #expect(inlined > 100)
  }
}
