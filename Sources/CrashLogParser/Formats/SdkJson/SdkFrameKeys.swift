internal import SymbolicationModel

/// The keys of a frame's object in one dialect. Frames are read with them, and answers are written
/// with them.
package struct SdkFrameKeys: Sendable {
  /// Of the address in the process.
  package let address: String
  /// Of the address at which the frame's image begins.
  let imageBase: String
  /// Of the name or the path of the frame's image.
  let imageName: String
  package let function: String
  /// Of the address at which the function begins; nil if the dialect has none.
  package let functionStart: String?
  /// Of the source file, as reports show it.
  package let file: String
  /// Of the source file with its folders; nil if the dialect has none.
  package let path: String?
  package let line: String
  let column: String
  /// Of the mark of calls that are inlined into another one; the SDK itself does not write it.
  package let inlined: String
  /// Keys of a frame that are not repeated in the calls inlined into it.
  package let keptFromInlined: Set<String>
  /// Whether addresses are hexadecimal without `0x`.
  let hasBareDigits: Bool

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

  private func number(_ value: JsonValue?) -> UInt64? {
    hasBareDigits ? value?.sdkDigits : value?.sdkNumber
  }

  /// The address that a frame's object states.
  func statedAddress(_ object: JsonValue) -> UInt64? { number(object[address]) }

  func frame(_ object: JsonValue, _ kind: FrameAddressKind) -> StackFrame {
    var values = FrameValues(byteRange: object.byteRange)
    values.json = object
    values.addressKind = kind
    values.isInlined = object[inlined]?.boolean ?? false
    values.imageName = object[imageName]?.filledString?.lastPathComponent
    let address = statedAddress(object)
    let base = number(object[imageBase])
    if let address, let base, base > 0, base <= address {
      values.imageRelativeAddress = ImageRelativeAddress(
        base: LoadAddress(base), offset: address - base)
    }
    values.symbol = symbol(object, at: address, base)
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }

  private func symbol(_ object: JsonValue, at address: UInt64?, _ base: UInt64?) -> FrameSymbol? {
    guard let name = object[function]?.filledString else { return nil }
    let start = functionStart.flatMap { number(object[$0]) }
    // Where an image has no symbols, SDKs find the one of its header, which is at its start.
    if let start, start == base, Self.headerNames.contains(name) { return nil }
    var symbol = FrameSymbol(name: name, isInlined: object[inlined]?.boolean ?? false)
    if let start, let address, start <= address, start > 0 {
      symbol.offset = Int64(exactly: address - start)
    }
    if let file = (path.flatMap { object[$0] } ?? object[file])?.filledString
      ?? object[self.file]?.filledString
    {
      symbol.file = file
      symbol.line = object[line]?.sdkInteger
      symbol.column = object[column]?.sdkInteger.flatMap { $0 > 0 ? $0 : nil }
    }
    return symbol
  }

  private static let headerNames: Set = [
    "_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header",
  ]
}

extension ReportFormat {
  /// The keys of the frames; nil if the format is none of an SDK's.
  package var sdkFrameKeys: SdkFrameKeys? {
    switch self {
    case .ksCrashJson: .ksCrash
    case .sentryEvent: .sentry
    case .bugsnagEvent: .bugsnag
    case .measureException: .measure
    default: nil
    }
  }
}
