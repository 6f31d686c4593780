import JsonReading
import ReportModel
import SymbolicationModel

/// The content of a Swift backtrace while it is being read, from text or from JSON.
struct SwiftBacktraceContent {
  /// The number of the signal that stopped the program, from the line that is printed first. Nil if
  /// that line is missing, and on Windows.
  var signal: Int?
  /// The code of the exception that stopped the program on Windows: 0xc0000005.
  var exceptionCode: UInt64?
  /// What happened, in the words of the headline: `Bad pointer dereference at 0x0000000000000008`,
  /// `Swift runtime failure: arithmetic overflow`.
  var reason: String?
  /// What the standard library printed before that: `Board.swift:12: Fatal error: no cards`.
  var fatalError: String?
  /// The architecture of the process. Reports of Swift 5 do not state it.
  var architecture: Architecture?
  /// The operating system: `Linux (Ubuntu 24.04.3 LTS)`. Reports of Swift 5 do not state it.
  var platform: String?
  /// When it crashed: `2026-11-21T22:57:08.909346Z`. Only JSON has it.
  var timestamp: String?
  /// All threads, or only the one that crashed.
  var threads: [Thread] = []
  /// All images, those that frames lie in, or none, depending on `SWIFT_BACKTRACE=images=…`.
  var images: [BinaryImage] = []
  var faults: [ParseFault] = []

  package struct Thread {
    /// Nil if it does not fit, and in JSON that leaves out threads.
    package let number: Int?
    /// On Linux cut to 15 bytes.
    package let name: String?
    let isCrashed: Bool
    package var frames: [Frame] = []
    /// Where frames were left out: the runtime skips some between two others, or does not find the
    /// end.
    var omissions: [Range<Int>] = []
    package var byteRange: Range<Int>
  }

  package struct Frame {
    /// Nil if the report does not show it. A return address is where the call returns to, not one
    /// less.
    package var address: LoadAddress?
    package var values: FrameValues
  }

  func report(_ format: ReportFormat, byteRange: Range<Int>, json: JsonValue? = nil) -> Report {
    Report(
      format: format, byteRange: byteRange, facts: ReportFacts(self), images: images,
      omitsImages: images.isEmpty,
      backtraces: threads.map { thread in
        Backtrace(
          kind: .thread, number: thread.number, name: thread.name, isCrashed: thread.isCrashed,
          frames: thread.frames.map {
            StackFrame(address: $0.address, carrier: .values($0.values))
          }, byteRange: thread.byteRange, omissions: thread.omissions)
      }, faults: faults, json: json)
  }
}
