import Foundation

/// The files in the project's `Fixtures`.
public enum Fixtures {
  /// The folder of Package.swift.
  public static let packageDirectory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  public static func path(_ name: String) -> String { "\(packageDirectory)/Fixtures/\(name)" }

  public static let storyReport = path("LetterShuffle/letter-shuffle.crash")
  public static let storyWebCopy = path("LetterShuffle/letter-shuffle-web-copy.crash")
  public static let storyBundle = path("LetterShuffle/Letter Shuffle.app.dSYM")
  public static let storyDwarfFile = storyBundle + "/Contents/Resources/DWARF/Letter Shuffle"

  public static func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
