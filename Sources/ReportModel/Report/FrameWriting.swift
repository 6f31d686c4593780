import JsonReading
package import SymbolicationModel

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

/// Writes the frames of a format in which each frame is a line that can be written by itself.
package protocol FrameLineWriter: Sendable {
  /// The text of a frame that is known now.
  ///
  /// - Parameters:
  ///   - calls: the functions at the address, innermost first: those that are inlined, and last the
  ///     function itself. Not empty.
  ///   - frame: the frame as it was read.
  ///   - bytes: the text that the ranges of the frame refer to.
  /// - Returns: nil if the line stays as it is.
  func lines(
    for calls: [FrameLineCall], of frame: FrameLineStatement, in bytes: [UInt8]
  ) -> FrameLineEdit?
}

/// A frame as its line states it.
package struct FrameLineStatement {
  package let values: FrameValues
  /// What the line calls the image.
  package let imageName: String
  /// The number that the line gets; the number it has unless frames were added before it.
  package let number: Int

  package init(values: FrameValues, imageName: String, number: Int) {
    self.values = values
    self.imageName = imageName
    self.number = number
  }
}

/// A function at the address of a frame, and the place in its source.
package struct FrameLineCall {
  package let function: String
  /// Without control characters.
  package let file: String?
  package let line: Int?
  /// Counted from 1; nil if it is not known.
  package let column: Int?

  package init(function: String, file: String?, line: Int?, column: Int?) {
    self.function = function
    self.file = file
    self.line = line
    self.column = column
  }
}
