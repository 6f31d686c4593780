import AddressResolver
import Foundation
import SymbolicationModel
import TestSupport
import Testing

/// Apple's `.symbols` files. `Fixtures/CoreSymbolication/symbols.py` writes each variant of the
/// format about one image, whose symbols and lines are listed there.
struct CoreSymbolicationTests {
  private static func path(_ name: String) -> String {
    Fixtures.path("CoreSymbolication/\(name).symbols")
  }

  private static func content(_ answer: ResolvedAddress?) -> String? {
    answer.map { answer in
      let place = answer.function.location.map { " \($0.path):\($0.line):\($0.column)" } ?? ""
      return "\(answer.function.name)\(place) from \(answer.function.rangeStart.value)"
    }
  }

  @Test(
    arguments: [
      ("names", UInt64(0x1_0000_0000), Architecture.arm64), ("records", 0x1_0000_0000, .arm64),
      ("seven", 0x1_0000_0000, .arm64), ("unsorted", 0x1_0000_0000, .arm64),
      ("narrow", 0x4000, .armv7),
    ])
  func answers(name: String, base: UInt64, architecture: Architecture) throws {
    let resolver = try ImageResolver(symbolFile: Self.path(name))
    expectEqual(resolver.architecture, architecture)
    expectEqual(resolver.imageName, "Sample")
    expectEqual(resolver.linkBase(), LinkAddress(base))
    expectTrue(resolver.hasAnySymbols)
    expectEqual(resolver.loadedRanges, [LinkAddress(base)..<LinkAddress(base + 0x8000)])
    for (distance, expected) in [
      (UInt64(0x0fff), nil), (0x1000, "main /src/main.m:3:0 from \(base + 0x1000)"),
      (0x100f, "main /src/main.m:3:0 from \(base + 0x1000)"),
      (0x1010, "main /src/main.m:5:9 from \(base + 0x1000)"),
      (0x103f, "main /src/main.m:0:0 from \(base + 0x1000)"),
      (0x1040, "-[Sample run] /src/Sample.m:12:1 from \(base + 0x1040)"),
      (0x108f, "greet() /src/greet.swift:7:3 from \(base + 0x1060)"), (0x1090, nil),
      (0x10a0, "tail from \(base + 0x10a0)"), (0x10b0, nil),
    ] {
      let answer = resolver.resolve(LinkAddress(base + distance))
      expectEqual(Self.content(answer), expected, "\(name) at \(distance)")
      if answer != nil { expectEqual(answer?.origin, .coreSymbolication) }
    }
    expectNil(resolver.resolve(LinkAddress(base - 1)))
    expectNil(resolver.resolve(LinkAddress(.max)))
    expectEmpty(resolver.problems)
  }

  /// A file that Xcode wrote. The expected values are those of radare2's tests of this file
  /// (`test/db/formats/mach0/coresymbolication`).
  @Test(.enabled(if: Corpus.path != nil))
  func realFile() throws {
    let name = "symbols-other/D9A37B67-F10A-35AA-A852-ABFBBECC03AE-new.symbols"
    let path = "\(Corpus.path ?? "")/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { return }
    let resolver = try ImageResolver(symbolFile: path)
    expectEqual(resolver.imageName, "TestRTTI")
    for (address, function, place) in [
      (UInt64(0x1_0000_63c8), "-[ViewController viewDidLoad]", "ViewController.m:17"),
      (
        0x1_0000_6430,
        "-[AppDelegate application:configurationForConnectingSceneSession:options:]",
        "AppDelegate.m:30"
      ),
      (
        0x1_0000_6514, "-[SceneDelegate scene:willConnectToSession:options:]", "SceneDelegate.m:18"
      ),
      (0x1_0000_6518, "-[SceneDelegate sceneDidDisconnect:]", "SceneDelegate.m:25"),
      (0x1_0000_6563, "-[SceneDelegate .cxx_destruct]", "SceneDelegate.m:15"),
    ] {
      let answer = resolver.resolve(LinkAddress(address))?.function
      expectEqual(answer?.name, function)
      expectEqual(answer?.location.map { "\($0.fileName):\($0.line)" }, place)
    }
    expectEmpty(resolver.problems)
  }

  /// Each field that decides where something is. The offsets are those of the format's description.
  @Test func wrongFieldsAreNamed() throws {
    let bytes = try Fixtures.bytes(of: Self.path("names"))
    let mark = 16 + (try require(bytes.firstOffset(of: [0x1a, 0x2b, 0xb2, 0xa1])))
    let section = mark + 88 + 64
    let cases: [(offset: Int, value: UInt32, SymbolFileProblem.Kind)] = [
      (4, 2, .unsupported(structure: "version in the CoreSymbolication header", value: 2)),
      (
        20, 3,
        .unsupported(structure: "number of images in the CoreSymbolication header", value: 3)
      ),
      (24, 0, .damaged(structure: "UUID of the CoreSymbolication symbols", offset: 52)),
      (
        64, 7,
        .malformed(
          structure: "CPU type of the CoreSymbolication symbols", value: 0x100_000c,
          expected: .exactly(7))
      ),
      (
        68, 2,
        .malformed(
          structure: "CPU subtype of the CoreSymbolication symbols", value: 0,
          expected: .exactly(2))
      ),
      (
        72, 1 << 30,
        .malformed(structure: "number of segments", value: 1 << 30, expected: .atMost(24))
      ),
      (
        76, 825,
        .malformed(structure: "size of the path of the image", value: 825, expected: .atMost(824))
      ),
      (
        mark - 16, 5,
        .malformed(
          structure: "mark before the CoreSymbolication symbols", value: 5,
          expected: .exactly(0xa1b2_2b1a))
      ),
      (
        mark, 3,
        .unsupported(structure: "version of the CoreSymbolication symbols", value: 3)
      ),
      (
        mark + 4, 87,
        .malformed(
          structure: "size of the CoreSymbolication symbols", value: 87, expected: .atLeast(88))
      ),
      (
        mark + 8, 0, .damaged(structure: "segments of the CoreSymbolication symbols", offset: 88)
      ),
      (
        mark + 12, 0, .malformed(structure: "number of sections", value: 0, expected: .atLeast(1))
      ),
      (
        mark + 16, .max,
        .malformed(structure: "number of symbols", value: 0xffff_ffff, expected: .atMost(19))
      ),
      (
        mark + 20, .max,
        .malformed(
          structure: "number of symbols with a place", value: 0xffff_ffff, expected: .atMost(9))
      ),
      (
        mark + 24, .max,
        .malformed(structure: "number of source lines", value: 0xffff_ffff, expected: .atMost(17))
      ),
      (
        section + 24 + 16, 201,
        .malformed(
          structure: "name of section 1 of the CoreSymbolication symbols", value: 201,
          expected: .below(201))
      ),
    ]
    for (offset, value, kind) in cases {
      expectEqual(try problem(bytes.replacing(at: offset, with: value)), kind, "at \(offset)")
    }
  }

  /// Names that lie outside leave their symbol without a name, and are counted.
  @Test func namesOutsideTheFile() throws {
    let bytes = try Fixtures.bytes(of: Self.path("names"))
    let mark = try require(bytes.firstOffset(of: [0x1a, 0x2b, 0xb2, 0xa1]))
    let symbols = mark + 16 + 88 + 64 + 3 * 24
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      bytes.replacing(at: symbols + 12, with: 1 << 20).replacing(at: symbols + 16, with: 1 << 20),
      to: "a.symbols")
    let resolver = try ImageResolver(symbolFile: path)
    expectNil(resolver.resolve(LinkAddress(0x1_0000_1000)))
    expectEqual(resolver.resolve(LinkAddress(0x1_0000_1040))?.function.name, "-[Sample run]")
    expectEqual(
      resolver.problems.map(\.kind),
      ["names of symbols", "mangled names of symbols"].map {
        .unreadableDebugInformation(
          section: "the CoreSymbolication symbols", offset: 224, detail: "1 \($0) outside the names"
        )
      })
  }

  /// No cut traps, and none is taken for the whole file.
  @Test func cuts() throws {
    let bytes = try Fixtures.bytes(of: Self.path("seven"))
    let directory = try TemporaryDirectory()
    let end = try require(bytes.lastIndex { $0 != 0 }) + 1
    for count in stride(from: 8, to: end, by: 13) {
      let path = try directory.write(bytes.prefix(count), to: "a.symbols")
      #expect(throws: SymbolFileProblem.self) { try ImageResolver(symbolFile: path) }
    }
  }

  private func problem(_ bytes: [UInt8]) throws -> SymbolFileProblem.Kind? {
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: "a.symbols")
    do {
      _ = try ImageResolver(symbolFile: path)
      return nil
    } catch {
      return error.kind
    }
  }
}

extension [UInt8] {
  func firstOffset(of bytes: [UInt8]) -> Int? {
    indices.first { self[$0...].starts(with: bytes) }
  }

  /// With a number of 4 bytes at an offset, little-endian.
  func replacing(at offset: Int, with number: UInt32) -> [UInt8] {
    var copy = self
    for index in 0..<4 { copy[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return copy
  }
}
