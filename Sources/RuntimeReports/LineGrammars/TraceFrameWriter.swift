import ReportModel

/// Writes an answer into the line of a trace, as the family has it:
///
/// ```text
/// {function} + {offset} ({file}:{line}{:column})
/// ```
struct TraceFrameWriter: FrameLineWriter {
  /// For an answer without a line of source.
  let named: String
  let placed: String

  func content(for call: FrameLineCall, of frame: FrameValues, in bytes: [UInt8]) -> String {
    guard let parts = frame.parts else { return "" }
    let isPlaced = call.file != nil && call.line > 0
    let text = fill(isPlaced ? placed : named, with: call)
    guard parts.content.isEmpty else { return text }
    // Nothing was there before.
    let position = parts.content.lowerBound
    func byte(_ offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }
    if byte(position) == UInt8(ascii: "[") { return "(\(text))" }
    let isSeparated = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "(")]
      .contains(byte(position - 1))
    return isSeparated || text.hasPrefix(" ") || text.hasPrefix("!") ? text : " \(text)"
  }

  private func fill(_ template: String, with call: FrameLineCall) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      switch rest[rest.index(after: open)..<close] {
      case "function": text += call.function
      case "offset": text += String(call.offset)
      case "0xoffset": text += "0x" + String(call.offset, radix: 16)
      case "file": text += call.file ?? ""
      case "line": text += String(call.line)
      case ":column": text += call.column.map { $0 > 0 ? ":\($0)" : "" } ?? ""
      default: break
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
