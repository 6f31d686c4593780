import Foundation
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The headers read with `pread` are those that the parsers of whole files give, and so are the
/// errors.
@Suite struct SymbolFileHeaderTests {
  static let folders =
    [Fixtures.path("")] + (Corpus.path.map { ["\($0)/symbols"] } ?? [])

  /// Slices and faults, or the error.
  private typealias Outcome = Result<SymbolFileHeaders, ObjectFileError>

  private func headers(_ path: String) -> Outcome {
    do { return .success(try SymbolFileHeaders.read(path: path)) } catch { return .failure(error) }
  }

  private func parsed(_ path: String) -> (slices: [SymbolFileHeader], faults: [ObjectFileError])? {
    guard let container = try? ObjectContainer.open(regularFileAt: path) else { return nil }
    return (container.objectFiles.map { SymbolFileHeader($0) }, container.faults)
  }

  private func expectSame(_ path: String) {
    let headers = headers(path)
    if let parsed = parsed(path) {
      expectEqual((try? headers.get())?.slices, parsed.slices, "\(path)")
      expectEqual((try? headers.get())?.faults, parsed.faults, "\(path)")
    } else {
      do {
        _ = try ObjectContainer.open(regularFileAt: path)
      } catch {
        expectEqual(headers, .failure(error), "\(path)")
      }
    }
  }

  private func files(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.map { "\(folder)/\($0)" }.filter { path in
      var isDirectory: ObjCBool = false
      return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
  }

  @Test(arguments: folders) func sameAsTheParsers(folder: String) {
    let files = files(in: folder)
    expectTrue(files.count > 100 || folder != Fixtures.path(""))
    for file in files { expectSame(file) }
  }

  /// Files that are cut, and files with a changed byte in their headers.
  @Test(arguments: [
    "Fat/fat.dSYM/Contents/Resources/DWARF/Shapes",
    "Fat/fat64.dSYM/Contents/Resources/DWARF/Shapes",
    "MachO/shapes-arm64", "Elf/libshapes.elf", "ElfDwarf/i386-dwarf4.elf",
    "ElfDwarf/s390x-dwarf5.elf",
  ]) func sameForDamage(name: String) throws {
    let directory = try TemporaryDirectory()
    let bytes = try Fixtures.bytes(of: Fixtures.path(name))
    for size in [0, 1, 4, 8, 16, 31, 52, 63, 100, 1000, 5000, bytes.count - 1]
    where size < bytes.count {
      expectSame(try directory.write(bytes.prefix(size), to: "file"))
    }
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<300 {
      var changed = bytes
      // Section headers of ELF files are at their end.
      let place =
        Bool.random(using: &generator)
        ? Int.random(in: 4..<600, using: &generator)
        : bytes.count - Int.random(in: 1..<2000, using: &generator)
      changed[place] = UInt8.random(in: 0...255, using: &generator)
      expectSame(try directory.write(changed, to: "file"))
    }
  }

  @Test func whatLlvmDwarfdumpPrints() throws {
    let headers = try SymbolFileHeaders.read(
      path: Fixtures.path("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes"))
    expectEqual(headers.slices.map(\.architecture), [.x86_64, .arm64, .arm64e])
    expectEqual(headers.slices.map(\.hasDebugInfo), [true, true, true])
    expectEqual(
      headers.slices.map { $0.identity?.description },
      [
        "4C4C4473-5555-3144-A1C3-422D28714C46", "4C4C446C-5555-3144-A10C-A2F2CD27A19E",
        "4C4C442C-5555-3144-A14C-5D03E4A3AADC",
      ])
  }

  @Test func debugInformationOfElfFiles() throws {
    for (name, hasDebugInfo) in [
      ("libshapes.elf", true), ("libshapes-stripped.elf", false), ("libshapes.debug", true),
      ("libshapes-zlib.elf", true),
    ] {
      let slice = try SymbolFileHeaders.read(path: Fixtures.path("Elf/\(name)")).slices.first
      expectEqual(slice?.hasDebugInfo, hasDebugInfo, "\(name)")
    }
  }
}
