import CrashLogParser
import SymbolicationModel

/// What JSON forbids and `JsonDocument` reads. An id goes into the answer as it stands, so every
/// other reader of JSON must accept it.
enum WorkerId {
  /// - Parameter text: a value that `JsonDocument` has read.
  static func check(_ text: [UInt8]) throws(WorkerFailure) {
    let bytes = text.span
    var isInString = false
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      if isInString, byte < 0x20 { throw failure(.unexpectedByte(byte), offset) }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      guard isInString, byte == UInt8(ascii: "\\") else {
        offset += 1
        continue
      }
      guard let first = JsonEscape.codeUnit(bytes, at: offset, end: bytes.count) else {
        offset += 2
        continue
      }
      if (0xD800...0xDFFF).contains(first) {
        guard first < 0xDC00,
          let second = JsonEscape.codeUnit(bytes, at: offset + 6, end: bytes.count),
          (0xDC00...0xDFFF).contains(second)
        else { throw failure(.halfSurrogate, offset) }
        offset += 6
      }
      offset += 6
    }
  }

  private static func failure(_ kind: JsonError.Kind, _ offset: Int) -> WorkerFailure {
    .notJson(.syntax(JsonError(kind: kind, offset: offset)))
  }
}
