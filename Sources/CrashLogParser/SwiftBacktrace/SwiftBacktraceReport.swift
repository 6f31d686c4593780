public import SymbolicationModel

/// What Swift's runtime prints of a crash: the output of `swift-backtrace`, which stands among what the
/// program itself printed.
///
/// ```text
/// *** Signal 11: Backtracing from 0x55d6b3e88e13... done ***
///
/// *** Program crashed: Bad pointer dereference at 0x0000000000000008 ***
///
/// Platform: x86_64 Linux (Ubuntu 24.04.3 LTS)
///
/// Thread 0 "game" crashed:
///
/// 0      0x000055d6b3e88e13
/// 1 [ra] 0x000055d6b3e88f0f
/// …
/// Images (13 omitted):
///
/// 0x000055d6b3e88000–0x000055d6b3e89478 864cfd3f162f3c181b8ecce463a9c341076bc11a game /srv/game
///
/// Backtrace took 0.02s
/// ```
///
/// All ranges are half-open ranges of offsets in the input, they nest, and those of frames, omissions
/// and images do not overlap.
///
/// The same as JSON (`SWIFT_BACKTRACE=format=json`) is one of these, too.
public struct SwiftBacktraceReport: Sendable {
  /// ``ReportFormat/swiftBacktrace``, or ``ReportFormat/swiftBacktraceJson``.
  public internal(set) var format = ReportFormat.swiftBacktrace
  /// From the start of the first line of the report to the end of the last one, without its line end.
  public internal(set) var byteRange: Range<Int>
  /// The signal that stopped the program, by its number in the line that was printed first; nil where
  /// that line is missing, and on Windows.
  public internal(set) var signal: Int?
  /// The exception of Windows that stopped the program, likewise: 0xc0000005.
  public internal(set) var exceptionCode: UInt64?
  /// What happened, in the words of the headline: `Bad pointer dereference at 0x0000000000000008`,
  /// `Swift runtime failure: arithmetic overflow`. Nil where there is no headline.
  public internal(set) var reason: String?
  /// The architecture of the process, as the report names it (`x86_64`, `arm64`). Nil in reports of
  /// Swift 5, which do not tell it.
  public internal(set) var architecture: Architecture?
  /// The operating system, as the report names it: `Linux (Ubuntu 24.04.3 LTS)`. Nil in reports of
  /// Swift 5.
  public internal(set) var platform: String?
  /// When it crashed: `2026-11-21T22:57:08.909346Z`. Text does not tell it.
  public internal(set) var timestamp: String?
  /// The threads, in the order of the report: all, or only the one that crashed.
  public internal(set) var threads: [SwiftBacktraceThread] = []
  /// The images, in the order of the report: all, those in which frames lie, or none, as the settings
  /// of the runtime had it (`SWIFT_BACKTRACE=images=…`).
  public let images: [SwiftBacktraceImage]
  /// What could not be read, in the order of the report.
  public internal(set) var faults: [ParseFault] = []

  private let imageIndex: ImageIndex

  init(byteRange: Range<Int>, images: [SwiftBacktraceImage]) {
    self.byteRange = byteRange
    self.images = images
    self.imageIndex = ImageIndex(images)
  }

  /// The thread that crashed.
  public var crashedThread: SwiftBacktraceThread? { threads.first(where: \.isCrashed) }

  /// The image that holds an address: of several, the one that starts last.
  ///
  /// Cost: logarithmic in the number of images.
  public func image(containing address: LoadAddress) -> SwiftBacktraceImage? {
    imagePosition(containing: address).map { images[$0] }
  }

  /// The place of that image in ``images``.
  package func imagePosition(containing address: LoadAddress) -> Int? {
    imageIndex.position(of: address, loadAddress: nil, in: images)
  }
}

/// One thread of a Swift backtrace.
public struct SwiftBacktraceThread: Sendable {
  /// The number in the heading. Nil where it does not fit, and in JSON that leaves threads out.
  public let number: Int?
  /// The name of the thread; on Linux cut to 15 bytes. Nil where it has none.
  public let name: String?
  public let isCrashed: Bool
  /// The frames, innermost first.
  public internal(set) var frames: [SwiftBacktraceFrame] = []
  /// The places where frames were left out, in the order of the report.
  public internal(set) var omissions: [SwiftBacktraceOmission] = []
  /// From the start of the heading to the end of the last frame, without its line end.
  public internal(set) var byteRange: Range<Int>

  init(number: Int?, name: String?, isCrashed: Bool, byteRange: Range<Int>) {
    self.number = number
    self.name = name
    self.isCrashed = isCrashed
    self.byteRange = byteRange
  }
}

/// `...`: frames that the runtime left out between two others, or that it could not find at the end.
public struct SwiftBacktraceOmission: Sendable {
  /// The line, without what a log has before it and without its line end; the object in a report as
  /// JSON.
  public let byteRange: Range<Int>
}
