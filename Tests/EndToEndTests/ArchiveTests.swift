import Foundation
import TestSupport
import Testing

/// `-d dSYMs.zip`: archives as App Store Connect, CI systems and build scripts hand them out, with
/// the output that the dSYM itself gives.
struct ArchiveTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("archive.xcarchive/dSYMs")
    try directory.copy(
      Fixtures.storyBundle, to: "archive.xcarchive/dSYMs/Letter Shuffle.app.dSYM")
  }

  private func shell(_ command: String) async throws {
    let result = try await Program.run(
      "/bin/sh", ["-c", command], workingDirectory: directory.path)
    expectEqual(result.status, 0, "\(command): \(result.standardError)")
  }

  private func symbolicate(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.symbolicate(arguments, cache: directory.path("cache"))
  }

  static let zip64 = """
    import zipfile, os
    with zipfile.ZipFile('a', 'w', zipfile.ZIP_METHOD) as z:
      for folder, _, files in os.walk('archive.xcarchive'):
        for name in files:
          with z.open(os.path.join(folder, name), 'w', force_zip64=True) as f:
            f.write(open(os.path.join(folder, name), 'rb').read())
    """

  /// The file is always called `a`: its name does not count.
  @Test(arguments: [
    "zip -qr a.zip archive.xcarchive && mv a.zip a",
    "zip -q0r - archive.xcarchive > a",
    "tar -cf a archive.xcarchive",
    "tar -czf a archive.xcarchive",
    "tar -cJf a archive.xcarchive",
    "tar --zstd -cf a archive.xcarchive",
    "tar -czf a --transform='s,^,../../,' -P archive.xcarchive",
    "python3 -c \"\(zip64.replacing("METHOD", with: "DEFLATED"))\"",
    "python3 -c \"\(zip64.replacing("METHOD", with: "STORED"))\"",
  ])
  func everyKind(_ command: String) async throws {
    try await shell(command)
    let expected = try await symbolicate([Fixtures.storyReportAlone, "-d", Fixtures.storyBundle])
    expectContains(expected.standardError, "6 of 11 frames resolved")
    for arguments in [["-d", directory.path("a")], [directory.path("a")]] {
      // The second run finds what the first unpacked.
      for _ in 0..<2 {
        let result = try await symbolicate([Fixtures.storyReportAlone] + arguments)
        expectEqual(result.status, 0)
        expectEqual(result.standardOutput, expected.standardOutput)
        expectEqual(result.standardError, expected.standardError)
      }
    }
  }

  /// The app in an `.ipa` has no debug information, and the dSYMs are in another archive.
  @Test func anIpaAndAZip() async throws {
    try directory.makeDirectory("Payload/Shapes.app")
    try directory.copy(
      Fixtures.path("MachO/shapes-arm64-stripped"), to: "Payload/Shapes.app/Shapes")
    try await shell(
      "zip -qr Shapes.ipa Payload && (cd archive.xcarchive && zip -qr ../d.zip dSYMs)")
    let result = try await symbolicate([
      Fixtures.storyReportAlone, "-d", directory.path("Shapes.ipa"), "-d", directory.path("d.zip"),
    ])
    expectEqual(result.status, 0)
    expectContains(result.standardError, "6 of 11 frames resolved")
  }

  @Test func severalProcessesAtOnce() async throws {
    try await shell("zip -qr a.zip archive.xcarchive")
    let expected = try await symbolicate([Fixtures.storyReportAlone, "-d", Fixtures.storyBundle])
    try await withThrowingTaskGroup(of: ProgramResult.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await symbolicate([Fixtures.storyReportAlone, "-d", directory.path("a.zip")])
        }
      }
      for try await result in group {
        expectEqual(result.standardOutput, expected.standardOutput)
      }
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: directory.path("cache/symbolicate/archives"))
    expectEqual(files.count, 2)
  }

  @Test func aHomeThatCannotBeWritten() async throws {
    try await shell("zip -qr a.zip archive.xcarchive")
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone, "-d", directory.path("a.zip")], cache: "/proc")
    expectEqual(result.status, 0)
    expectContains(result.standardError, "6 of 11 frames resolved")
  }

  @Test func cleaningTheCache() async throws {
    try await shell("zip -qr a.zip archive.xcarchive")
    _ = try await symbolicate([Fixtures.storyReportAlone, "-d", directory.path("a.zip")])
    let result = try await symbolicate(["index", "--clean"])
    expectContains(result.standardError, "removed 2 files")
    try expectEqual(
      FileManager.default.contentsOfDirectory(
        atPath: directory.path("cache/symbolicate/archives")), [])
  }

  // MARK: - Problems

  /// Each is said in a sentence, and the report comes out all the same.
  @Test(arguments: [
    (
      "zip -qr a.zip archive.xcarchive && head -c 3000 a.zip > a",
      "a is cut short: it begins like a zip archive, but the list of its files, which should be at its end, is missing; copy or download it again"
    ),
    (
      "tar -c archive.xcarchive | gzip | head -c 2000 > a",
      "a is damaged or cut short; copy or download the archive again"
    ),
    (
      "echo text | xz > a",
      "a is compressed with xz, but does not hold a tar archive; decompress it with 'xz -dk' and give the result"
    ),
    (
      "zip -q -P secret a.zip archive.xcarchive/dSYMs/*/Contents/Resources/DWARF/* && mv a.zip a",
      "a: skipped 1 encrypted file archive.xcarchive/dSYMs/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle; unpack the archive with its password and give the directory"
    ),
    (
      "echo text > t && zip -q a.zip t && mv a.zip a",
      "no Mach-O or ELF file was found in a or below it"
    ),
  ])
  func messages(_ command: String, _ message: String) async throws {
    try await shell(command)
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone, "-d", "a"], workingDirectory: directory.path,
      cache: directory.path("cache"))
    try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    let isShown = ["error", "warning"].contains { label in
      result.standardError.contains("symbolicate: \(label): \(message)\n")
    }
    expectTrue(isShown, "\(result.standardError)")
  }

  @Test func anArchiveIsNotOverwritten() async throws {
    try await shell("zip -qr a.zip archive.xcarchive")
    let before = try directory.bytes(of: "a.zip")
    let result = try await symbolicate([Fixtures.storyReportAlone, "-o", directory.path("a.zip")])
    expectEqual(result.status, 64)
    try expectEqual(directory.bytes(of: "a.zip"), before)
  }
}
