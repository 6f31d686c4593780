import AddressResolver
import SymbolicationModel

/// The answers of this program, by one of its two DWARF readers.
struct OwnVoice {
  let resolver: ImageResolver

  init(_ slice: SymbolFile.Slice, dwarfReader: DwarfReaderChoice) throws {
    resolver = try ImageResolver(
      symbolFile: slice.file.path, architecture: slice.architecture.map { Architecture(name: $0) },
      dwarfReader: dwarfReader)
  }

  /// The start of the image; 0 if nothing is loaded.
  var base: UInt64 { resolver.linkBase()?.value ?? 0 }

  func answer(at address: UInt64) -> Answer {
    guard let resolved = resolver.resolve(LinkAddress(address)) else { return Answer() }
    return Answer(
      frames: resolved.frames.map {
        Answer.Frame(
          function: $0.rawName, file: $0.location?.path ?? "", line: $0.location?.line ?? 0,
          column: $0.location?.column ?? 0, start: $0.rangeStart.value)
      })
  }
}
