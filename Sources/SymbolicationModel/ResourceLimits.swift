/// The limits of a run. It is made once, from the options and the environment, and handed down to
/// whatever reads files.
public struct ResourceLimits: Hashable, Sendable {
  public var reportSize: UInt64 = 1 << 30
  /// The same for a report in a stream that may never end, which is held in memory until it is
  /// complete: less, unless `report-size` is stated. Reports of real apps stay below a tenth of it.
  public var streamedReportSize: UInt64 = 64 << 20
  public var threads: UInt64 = 1_000_000
  public var frames: UInt64 = 10_000_000
  public var images: UInt64 = 1_000_000
  public var sectionSize: UInt64 = 4 << 30
  /// Enough for the symbols and names of ten million functions.
  public var miniDebugInfoSize: UInt64 = 128 << 20
  public var memberSize: UInt64 = 4 << 30
  public var unpackedSize: UInt64 = 1 << 30
  public var units: UInt64 = 4_000_000
  public var searchedFiles: UInt64 = 10_000_000
  /// No report of a real app needs a thousandth of it.
  public var answerSize: UInt64 = 1 << 30
  /// The same for an input with few frames. One with many frames may use ``answerSizePerFrame`` for
  /// each, up to ``answerSize``. If `answer-size` is stated, it counts for every input.
  public var answerSizeOfFewFrames: UInt64 = 16 << 20
  /// Eight calls inlined at the address of every frame.
  private static let answerSizePerFrame: UInt64 = 8 << 10
  public var decodedSize: UInt64 = 4 << 30
  /// As much as the cache keeps of downloads.
  public var downloadSize: UInt64 = 8 << 30
  public var downloadTime: UInt64 = 1800
  /// How many bytes of reports may be read and not yet written, if there are several. What is made
  /// of a report takes several times its size.
  public var bytesUnderWay: UInt64 = 64 << 20
  /// What the run has used so far. Copies share it.
  package var usage = RunUsage()

  /// The standard limits.
  public init() {}

  public subscript(limit: ResourceLimit) -> UInt64 {
    get {
      switch limit {
      case .reportSize: reportSize
      case .threads: threads
      case .frames: frames
      case .images: images
      case .sectionSize: sectionSize
      case .miniDebugInfoSize: miniDebugInfoSize
      case .memberSize: memberSize
      case .unpackedSize: unpackedSize
      case .units: units
      case .searchedFiles: searchedFiles
      case .answerSize: answerSize
      case .decodedSize: decodedSize
      case .downloadSize: downloadSize
      case .downloadTime: downloadTime
      }
    }
    set {
      switch limit {
      case .reportSize:
        reportSize = newValue
        streamedReportSize = newValue
      case .threads: threads = newValue
      case .frames: frames = newValue
      case .images: images = newValue
      case .sectionSize: sectionSize = newValue
      case .miniDebugInfoSize: miniDebugInfoSize = newValue
      case .memberSize: memberSize = newValue
      case .unpackedSize: unpackedSize = newValue
      case .units: units = newValue
      case .searchedFiles: searchedFiles = newValue
      case .answerSize:
        answerSize = newValue
        answerSizeOfFewFrames = newValue
      case .decodedSize: decodedSize = newValue
      case .downloadSize: downloadSize = newValue
      case .downloadTime: downloadTime = newValue
      }
    }
  }

  /// What the answers to so many frames of one input may take.
  package func answerSize(ofFrames count: Int) -> UInt64 {
    let (size, overflow) = UInt64(clamping: count).multipliedReportingOverflow(
      by: Self.answerSizePerFrame)
    return min(answerSize, max(answerSizeOfFewFrames, overflow ? .max : size))
  }

  /// The smallest memory that limits can be derived from: what an empty run takes, and a report.
  public static let leastMemory: UInt64 = 32 << 20

  /// Lowers the limits to what fits into `memory` bytes. None is raised.
  ///
  /// An input takes up to 16 times its size with everything made from it (an `.ips` with the
  /// shortest frames, as text), and what several inputs take together has the same bound. A quarter
  /// is for each of the things that are unpacked to memory: of a section, MiniDebugInfo and a
  /// member, rarely more than one is large. With everything made of it, a frame of a report takes
  /// half a KiB, a thread one, an image two, a unit 256 bytes, a file that is looked at 512.
  public mutating func fit(memory: UInt64) {
    func lower(_ limit: inout UInt64, to share: UInt64) { limit = min(limit, max(share, 1)) }
    lower(&reportSize, to: memory / 16)
    lower(&streamedReportSize, to: memory / 16)
    lower(&bytesUnderWay, to: memory / 16)
    lower(&sectionSize, to: memory / 4)
    lower(&miniDebugInfoSize, to: memory / 4)
    lower(&memberSize, to: memory / 4)
    lower(&answerSize, to: memory / 8)
    lower(&decodedSize, to: memory / 4)
    lower(&frames, to: memory / (1 << 10))
    lower(&threads, to: memory / (4 << 10))
    lower(&images, to: memory / (4 << 10))
    lower(&units, to: memory / (1 << 10))
    lower(&searchedFiles, to: memory / (2 << 10))
  }
}

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
  /// Bytes of members of archives that may be unpacked to memory in a run, where neither the cache
  /// nor a temporary file can take them.
  case memberSize = "member-size"
  /// Bytes that the archives of a run may be unpacked to, unless they are large.
  case unpackedSize = "unpacked-size"
  /// Units of `.debug_info` of one file.
  case units
  /// Files and folders that are looked at below one directory.
  case searchedFiles = "searched-files"
  /// Bytes that long names, long paths and inlined calls may take in all answers of one input.
  case answerSize = "answer-size"
  /// Bytes of decoded debug information and symbols that are kept for further questions.
  case decodedSize = "decoded-size"
  /// Bytes that all downloads of a run may have together, and what is unpacked from them.
  case downloadSize = "download-size"
  /// Seconds in which files may be downloaded in a run.
  case downloadTime = "download-time"

  /// The name in options, in the environment and in messages.
  public var name: String { rawValue }

  /// Whether it counts bytes.
  public var isSize: Bool {
    switch self {
    case .reportSize, .sectionSize, .miniDebugInfoSize, .memberSize, .unpackedSize, .answerSize,
      .decodedSize, .downloadSize:
      true
    case .threads, .frames, .images, .units, .searchedFiles, .downloadTime: false
    }
  }
}

/// A number of bytes as a user writes it: decimal digits, and maybe a unit.
package enum ByteSize {
  /// With the greatest of KiB, MiB, GiB and TiB that divides it; else in bytes.
  package static func text(_ size: UInt64) -> String {
    for (shift, unit) in [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")]
    where size >= 1 << shift && size.trailingZeroBitCount >= shift {
      return "\(size >> shift) \(unit)"
    }
    return "\(size) bytes"
  }
}
