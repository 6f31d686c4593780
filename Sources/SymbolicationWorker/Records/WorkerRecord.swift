import CrashLogParser
import SymbolicationModel

/// One line of a worker's input.
package struct WorkerRecord: Sendable {
  /// The JSON text of the record's `id`, as it stands in the line; `null` if it has none that can
  /// be read.
  package let id: [UInt8]
  package let content: Content
  /// The report as an answer would have it, quotes and escapes included, if the line has it so: an
  /// answer that changes nothing copies it.
  let spelling: ArraySlice<UInt8>?

  package enum Content: Sendable {
    case report([UInt8])
    case path(String)
    case frames([WorkerFrame])
    case failure(WorkerFailure)
  }

  /// - Parameter line: without its line end.
  package init(line: [UInt8]) {
    if let plain = PlainWorkerRecord(line) {
      id = plain.id ?? Self.noId
      content = .report(plain.report)
      spelling = plain.spelling.map { line[$0] }
      return
    }
    let reading = Reading(line)
    id = reading.id ?? Self.noId
    content = reading.content
    spelling = nil
  }

  /// The answer to a line that was not kept as a whole.
  ///
  /// - Parameter start: the first bytes of the line.
  package init(start: [UInt8], failure: WorkerFailure) {
    id = Reading(start).id ?? Self.noId
    content = .failure(failure)
    spelling = nil
  }

  /// How much of a line is looked at for the id if the line is not read as a whole.
  static let idSize = 1 << 16

  private static let noId = Array("null".utf8)

  private enum Key: String, CaseIterable {
    case report, path, frames
  }

  /// What a line holds. The id is kept even if something else is wrong.
  private struct Reading {
    private(set) var id: [UInt8]?
    private(set) var content: Content

    init(_ line: [UInt8]) {
      content = .failure(.badRecord(.asksNothing))
      do throws(WorkerFailure) {
        content = try read(line)
      } catch {
        content = .failure(error)
      }
    }

    private mutating func read(_ line: [UInt8]) throws(WorkerFailure) -> Content {
      guard line.contains(where: { !Self.isSpace($0) }) else { throw .notJson(.emptyLine) }
      let document: JsonDocument
      do {
        document = try JsonDocument(line)
      } catch {
        throw .notJson(.syntax(error))
      }
      try readId(document.root, line)
      // The rest of the line may be damaged, so the id is looked at first.
      guard Self.isUtf8(line) else { throw .notJson(.invalidUtf8) }
      if let damage = document.damage { throw .notJson(.syntax(damage)) }
      if let offset = line.indices[document.byteRange.upperBound...].first(where: {
        !Self.isSpace(line[$0])
      }) {
        throw .notJson(.trailingBytes(offset: offset))
      }
      switch document.root.kind {
      case .string: return .report(try Self.text(document.root))
      case .object: return try Self.question(in: document.root)
      case let kind: throw .badRecord(.otherKind(kind))
      }
    }

    /// Takes over the id if it can be written into an answer as it stands.
    private mutating func readId(
      _ root: JsonValue, _ line: [UInt8]
    ) throws(WorkerFailure) {
      var found: JsonValue?
      for member in root.members where member.hasKey("id") {
        if found != nil { throw .badRecord(.asksTwice("id", "id")) }
        found = member.value
      }
      guard let found, found.isComplete else { return }
      let text = Array(line[found.byteRange])
      guard Self.isUtf8(text) else { throw .notJson(.invalidUtf8) }
      try WorkerId.check(text)
      id = text
    }

    private static func question(in root: JsonValue) throws(WorkerFailure) -> Content {
      var found: (key: Key, value: JsonValue)?
      for member in root.members {
        guard let key = Key.allCases.first(where: { member.hasKey($0.rawValue) }) else { continue }
        if let found { throw .badRecord(.asksTwice(found.key.rawValue, key.rawValue)) }
        found = (key, member.value)
      }
      guard let (key, value) = found else { throw .badRecord(.asksNothing) }
      switch key {
      case .report:
        guard value.kind == .string else {
          throw .badRecord(.wrongType(key: key.rawValue, expected: "a string", value.kind))
        }
        return .report(try text(value))
      case .path:
        guard value.kind == .string else {
          throw .badRecord(.wrongType(key: key.rawValue, expected: "a string", value.kind))
        }
        return .path(String(decoding: try text(value), as: UTF8.self))
      case .frames:
        guard value.kind == .array else {
          throw .badRecord(.wrongType(key: key.rawValue, expected: "an array", value.kind))
        }
        return .frames(try frames(value))
      }
    }

    private static func frames(_ array: JsonValue) throws(WorkerFailure) -> [WorkerFrame] {
      var frames: [WorkerFrame] = []
      var identities = WorkerFrame.KnownIdentity()
      for element in array.elements {
        do throws(WorkerFailure.FrameFault) {
          frames.append(try WorkerFrame(element, &identities))
        } catch {
          throw .badRecord(.frame(index: frames.count, error))
        }
      }
      return frames
    }

    private static func text(_ value: JsonValue) throws(WorkerFailure) -> [UInt8] {
      do {
        return try value.stringBytes() ?? []
      } catch {
        throw .notJson(.syntax(error))
      }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func isUtf8(_ bytes: [UInt8]) -> Bool {
      (try? UTF8Span(validating: bytes.span)) != nil
    }
  }
}

/// A line as most writers make it: an object with an id, a report and nothing else. It is read in
/// one pass. Any other line, also one with an error, is left to the reader of all records.
struct PlainWorkerRecord {
  /// Nil if the line has none.
  private(set) var id: [UInt8]?
  private(set) var report: [UInt8] = []
  /// Where the line has the report with its quotes, if it is spelt as `JsonText` spells it.
  private(set) var spelling: Range<Int>?

  /// How far an id is looked for: others are rare.
  private static let idSize = 256

  init?(_ line: [UInt8]) {
    var offset = Self.skipSpace(line, from: 0)
    var isFirst = true
    var hasReport = false
    while true {
      guard Self.has(isFirst ? "{" : ",", line, at: offset) else { break }
      offset = Self.skipSpace(line, from: offset + 1)
      isFirst = false
      if Self.has("\"id\"", line, at: offset), id == nil {
        guard let start = Self.value(line, after: offset + 4),
          let document = try? JsonDocument(
            line, in: start..<min(start + Self.idSize, line.count)),
          document.damage == nil
        else { return nil }
        let text = Array(line[document.byteRange])
        guard (try? WorkerId.check(text)) != nil else { return nil }
        id = text
        offset = document.byteRange.upperBound
      } else if Self.has("\"report\"", line, at: offset), !hasReport {
        guard let start = Self.value(line, after: offset + 8), Self.has("\"", line, at: start),
          let string = try? JsonStringBytes(in: line, at: start, limit: line.count)
        else { return nil }
        report = string.bytes
        spelling = string.isPlainlySpelt ? start..<string.end : nil
        hasReport = true
        offset = string.end
      } else {
        return nil
      }
      offset = Self.skipSpace(line, from: offset)
    }
    guard hasReport, Self.has("}", line, at: offset),
      Self.skipSpace(line, from: offset + 1) == line.count,
      (try? UTF8Span(validating: line.span)) != nil
    else { return nil }
  }

  private static func skipSpace(_ line: [UInt8], from start: Int) -> Int {
    var offset = start
    while offset < line.count,
      line[offset] == UInt8(ascii: " ") || line[offset] == UInt8(ascii: "\t")
    {
      offset += 1
    }
    return offset
  }

  private static func has(_ text: String, _ line: [UInt8], at offset: Int) -> Bool {
    line[min(offset, line.count)...].starts(with: text.utf8)
  }

  /// The offset of the value after a key that ends at `keyEnd`.
  private static func value(_ line: [UInt8], after keyEnd: Int) -> Int? {
    let colon = skipSpace(line, from: keyEnd)
    return has(":", line, at: colon) ? skipSpace(line, from: colon + 1) : nil
  }
}

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
