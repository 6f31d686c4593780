import Foundation

/// The files in the project's `Fixtures`.
public enum Fixtures {
  /// The folder of Package.swift.
  public static let packageDirectory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  public static func path(_ name: String) -> String { "\(packageDirectory)/Fixtures/\(name)" }

  public static let storyReport = path("LetterShuffle/letter-shuffle.crash")
  /// A copy of `storyReport` in a folder without the dSYM, which would be found beside the report.
  public static let storyReportAlone: String = {
    let copy = folderOfStory.appendingPathComponent("letter-shuffle.crash")
    do {
      try FileManager.default.createDirectory(at: folderOfStory, withIntermediateDirectories: true)
      atexit { try? FileManager.default.removeItem(at: Fixtures.folderOfStory) }
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: URL(fileURLWithPath: storyReport), to: copy)
    } catch {
      return "cannot copy \(storyReport): \(error)"
    }
    return copy.path
  }()

  private static let folderOfStory = URL(fileURLWithPath: NSTemporaryDirectory())
    .appendingPathComponent("symbolicate-story-\(ProcessInfo.processInfo.processIdentifier)")

  public static let storyWebCopy = path("LetterShuffle/letter-shuffle-web-copy.crash")
  public static let storyBundle = path("LetterShuffle/Letter Shuffle.app.dSYM")
  public static let storyDwarfFile = storyBundle + "/Contents/Resources/DWARF/Letter Shuffle"

  public static func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
