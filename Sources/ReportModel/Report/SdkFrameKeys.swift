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
