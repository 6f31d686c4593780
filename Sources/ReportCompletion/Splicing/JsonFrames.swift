import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

// What the splicers of JSON share: frames are objects in a list, and so are inlined calls.

/// A member that an answer adds to the object of a frame.
struct AddedMember {
  let key: String
  let value: Value

  enum Value {
    case text(String)
    case number(UInt64)
    /// Decimal digits in quotes.
    case quotedNumber(UInt64)
    case yes
    /// A place in a source file as Swift's runtime writes it: an object on one line.
    case place(SymbolicationModel.SourceLocation)
  }

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }

  /// - Parameter escapesSlashes: asked only for a text with a slash, because it may have to look
  ///   for the answer.
  func appendValue(to bytes: inout [UInt8], escapesSlashes: () -> Bool) {
    switch value {
    case .text(let text):
      let hasSlash = text.utf8.contains(UInt8(ascii: "/"))
      JsonText.append(text, to: &bytes, escapesSlashes: hasSlash && escapesSlashes())
    case .number(let number): bytes.append(decimal: number)
    case .quotedNumber(let number): bytes += "\"\(number)\"".utf8
    case .yes: bytes += "true".utf8
    case .place(let location):
      bytes += #"{ "file": "#.utf8
      JsonText.append(location.path, to: &bytes, escapesSlashes: escapesSlashes())
      bytes += #", "line": \#(location.line), "column": \#(location.column) }"#.utf8
    }
  }
}

extension JsonObjectSpelling {
  /// Appends members, with what separates them from those before.
  func append(
    _ members: [AddedMember], isFirst: Bool = false, to bytes: inout [UInt8],
    escapesSlashes: () -> Bool
  ) {
    for (index, member) in members.enumerated() {
      if !isFirst || index > 0 { bytes += memberSeparator }
      appendKey(member.key, to: &bytes)
      member.appendValue(to: &bytes, escapesSlashes: escapesSlashes)
    }
  }

  /// Appends a key, and what separates it from its value.
  func appendKey(_ key: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes += key.utf8
    bytes.append(UInt8(ascii: "\""))
    bytes += keySeparator
  }

  /// Appends an object with copies of members and new ones after them.
  ///
  /// - Parameter isOpen: whether its end is left out.
  func appendObject(
    copying copies: [ArraySlice<UInt8>] = [], _ members: [AddedMember], isOpen: Bool = false,
    to bytes: inout [UInt8], escapesSlashes: () -> Bool
  ) {
    bytes.append(UInt8(ascii: "{"))
    bytes += afterOpeningBrace
    bytes += copies.joined(separator: memberSeparator)
    append(members, isFirst: copies.isEmpty, to: &bytes, escapesSlashes: escapesSlashes)
    if !isOpen { appendEnd(to: &bytes) }
  }

  func appendEnd(to bytes: inout [UInt8]) {
    bytes += beforeClosingBrace
    bytes.append(UInt8(ascii: "}"))
  }
}

/// Removes the objects of earlier inlined calls, which the next answer replaces, and the separators
/// after them.
struct SupersededObjects {
  private var start: Int?

  /// Takes the next object of a list. True if it is superseded.
  mutating func take(
    _ isSuperseded: Bool, at offset: @autoclosure () -> Int, _ edits: inout ByteEdits
  ) -> Bool {
    if isSuperseded {
      start = start ?? offset()
    } else if let first = start {
      edits.remove(first..<offset())
      start = nil
    }
    return isSuperseded
  }
}

extension SymbolicatedBacktrace {
  /// What separates a frame from one of its neighbours: a comma and the white space around it.
  ///
  /// - Parameter neighbours: indices of frames, the preferred one first. They need not exist.
  func separator(ofFrame index: Int, _ neighbours: [Int], in bytes: [UInt8]) -> [UInt8] {
    for neighbour in neighbours where frames.indices.contains(neighbour) {
      guard let one = frames[index].source.byteRange, let other = frames[neighbour].source.byteRange
      else { continue }
      let start = min(one.upperBound, other.upperBound)
      let end = max(one.lowerBound, other.lowerBound)
      guard start <= end else { continue }
      let between = bytes[start..<end]
      if between.allSatisfy({ $0 == UInt8(ascii: ",") || Ascii.isJsonSpace($0) }) {
        return Array(between)
      }
    }
    return Array(", ".utf8)
  }
}
