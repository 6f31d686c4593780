/// A limit on what is taken from files that strangers may have written. docs/limits.md describes
/// each.
public enum ResourceLimit: String, CaseIterable, Hashable, Sendable {
  /// Bytes of a report, or of another input that is read as a whole.
  case reportSize = "report-size"
  /// Threads and other backtraces of one input.
  case threads
  /// Frames of one input.
  case frames
  /// Images that one input lists.
  case images
  /// Bytes that a compressed debug section may take when it is unpacked.
  case sectionSize = "section-size"
  /// Bytes that MiniDebugInfo may take when it is unpacked.
  case miniDebugInfoSize = "mini-debug-info-size"
  /// Bytes of an archive's member that may be unpacked to memory, if there is no cache.
  case memberSize = "member-size"
  /// Units of `.debug_info` of one file.
  case units
  /// Files and folders that are looked at below one directory.
  case searchedFiles = "searched-files"

  /// Bytes that long names, long paths and inlined calls may take in all answers of one input.
  case answerSize = "answer-size"
  /// Bytes of decoded debug information and symbols that are kept for further questions.
  case decodedSize = "decoded-size"

  /// The name in options, in the environment and in messages.
  public var name: String { rawValue }

  /// Whether it counts bytes.
  public var isSize: Bool {
    switch self {
    case .reportSize, .sectionSize, .miniDebugInfoSize, .memberSize, .answerSize, .decodedSize:
      true
    case .threads, .frames, .images, .units, .searchedFiles: false
    }
  }
}
