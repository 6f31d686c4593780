import JsonReading
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
    var text = isPlaced ? placed : named
    // The name may have braces in it.
    let values: [(String, String)] = [
      ("{offset}", String(call.offset)),
      ("{0xoffset}", "0x" + String(call.offset, radix: 16)),
      ("{line}", String(call.line)),
      ("{:column}", call.column.map { $0 > 0 ? ":\($0)" : "" } ?? ""),
      ("{file}", call.file ?? ""),
      ("{function}", call.function),
    ]
    for (name, value) in values { text = text.replacing(name, value) }
    // Nothing was there before.
    let position = parts.content.lowerBound
    let isSeparated = position > 0 && (bytes[position - 1] == 0x20 || bytes[position - 1] == 0x09)
    let needsSpace = parts.content.isEmpty && !isSeparated && !text.hasPrefix(" ")
    return needsSpace && bytes[position - 1] != UInt8(ascii: "(") ? " \(text)" : text
  }
}

extension String {
  /// The text with the first `name` in it replaced, looked for from the end.
  fileprivate func replacing(_ name: String, _ value: String) -> String {
    let (text, name) = (Array(utf8), Array(name.utf8))
    guard text.count >= name.count else { return self }
    for start in (0...(text.count - name.count)).reversed()
    where text[start..<start + name.count].elementsEqual(name) {
      return String(
        decoding: text[..<start] + Array(value.utf8) + text[(start + name.count)...],
        as: UTF8.self)
    }
    return self
  }
}
