/// How answers are put back into the bytes of a report.
package enum FrameWriting: Sendable {
  /// Not at all: the report comes out as it went in.
  case unchanged
  /// As lines of Apple's text.
  case appleText
  /// As objects of an `.ips`.
  case ipsFrames
  /// As objects of a stackshot.
  case stackshotFrames
  /// As the objects of MetricKit's call stacks.
  case callStackFrames
  /// As objects of an SDK's JSON.
  case sdkFrames(SdkFrameKeys)
  /// As the table of Swift's runtime, and as its JSON.
  case swiftTable, swiftFrames
  /// As lines of the trees that `sample` and `spindump` print.
  case sampleTree, spindumpTree
  /// Line by line, each as the writer has it.
  case lines(any FrameLineWriter)
}

extension ReportFormat {
  /// The keys of the frames; nil if the format is not the JSON of an SDK.
  package var sdkFrameKeys: SdkFrameKeys? {
    if case .sdkFrames(let keys) = traits.frames { keys } else { nil }
  }
}

/// Writes the frames of a format in which each frame is a line of its own, with a number, and a
/// call that is inlined into the next frame is a line like any other.
///
/// The frames need `FrameValues.parts`. What is not the number or the content of a line stays as it
/// is, and a line that is added for an inlined call has the same.
package protocol FrameLineWriter: Sendable {
  /// What to write in the place of a line's content.
  ///
  /// - Parameters:
  ///   - call: the function at the address of the frame, or one that is inlined into it.
  ///   - frame: the frame as it was read.
  ///   - bytes: the text that the ranges of the frame refer to.
  func content(for call: FrameLineCall, of frame: FrameValues, in bytes: [UInt8]) -> String
}

/// A function at the address of a frame, and the place in its source. The texts have no control
/// characters.
package struct FrameLineCall {
  package let function: String
  /// The distance of the address from the start of the function.
  package let offset: UInt64
  /// The source file as reports show it; nil if it is not known.
  package let file: String?
  /// Counted from 1; 0 for code without a line.
  package let line: Int
  /// Counted from 1; nil if it is not known.
  package let column: Int?

  package init(function: String, offset: UInt64, file: String?, line: Int, column: Int?) {
    self.function = function
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
  }
}
