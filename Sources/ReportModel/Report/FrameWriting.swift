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

/// The keys of a frame's object in one dialect. Frames are read with them, and answers are written
/// with them.
package struct SdkFrameKeys: Sendable {
  /// Of the address in the process.
  package let address: String
  /// Of the address at which the frame's image begins.
  package let imageBase: String
  /// Of the name or the path of the frame's image.
  package let imageName: String
  package let function: String
  /// Of the address at which the function begins; nil if the dialect has none.
  package let functionStart: String?
  /// Of the source file, as reports show it.
  package let file: String
  /// Of the source file with its folders; nil if the dialect has none.
  package let path: String?
  package let line: String
  package let column: String
  /// Of the mark of calls that are inlined into another one; the SDK itself does not write it.
  package let inlined: String
  /// Keys of a frame that are not repeated in the calls inlined into it.
  package let keptFromInlined: Set<String>
  /// Whether addresses are hexadecimal without `0x`.
  package let hasBareDigits: Bool

  /// All keys that an answer may write.
  package var answers: [String] {
    [function, functionStart, file, path, line, inlined].compactMap(\.self)
  }

  package static let ksCrash = SdkFrameKeys(
    address: "instruction_addr", imageBase: "object_addr", imageName: "object_name",
    function: "symbol_name", functionStart: "symbol_addr", file: "source_file", path: nil,
    line: "source_line", column: "source_column", inlined: "inlined", keptFromInlined: [],
    hasBareDigits: false)

  package static let sentry = SdkFrameKeys(
    address: "instruction_addr", imageBase: "image_addr", imageName: "package",
    function: "function", functionStart: "symbol_addr", file: "filename", path: "abs_path",
    line: "lineno", column: "colno", inlined: "inlined",
    keptFromInlined: [
      "raw_function", "symbol", "pre_context", "context_line", "post_context", "vars", "colno",
    ],
    hasBareDigits: false)

  package static let bugsnag = SdkFrameKeys(
    address: "frameAddress", imageBase: "machoLoadAddress", imageName: "machoFile",
    function: "method", functionStart: "symbolAddress", file: "file", path: nil,
    line: "lineNumber", column: "columnNumber", inlined: "inlined",
    keptFromInlined: ["code", "columnNumber", "isPC", "isLR"], hasBareDigits: false)

  package static let measure = SdkFrameKeys(
    address: "symbol_address", imageBase: "binary_address", imageName: "binary_name",
    function: "method_name", functionStart: nil, file: "file_name", path: nil, line: "line_num",
    column: "col_num", inlined: "inlined", keptFromInlined: ["class_name", "module_name"],
    hasBareDigits: true)
}
