import CrashLogParser
import SymbolicationModel

func exerciseIps(_ bytes: [UInt8]) throws(Violation) {
  if let document = try? JsonDocument(bytes) { try walk(document, bytes) }
  try exerciseReports(bytes)
  try exerciseOutputForms(bytes)
}

// MARK: JSON

/// Checks every value. It keeps a stack of its own, because the input would decide how deep a
/// recursion goes.
private func walk(_ document: JsonDocument, _ bytes: [UInt8]) throws(Violation) {
  try require(document.byteRange, in: bytes.indices, "document")
  try require(
    document.root.byteRange.upperBound == document.byteRange.upperBound,
    "the document ends with its value")
  if let damage = document.damage {
    try require(damage.offset >= document.byteRange.lowerBound, "the damage is in the document")
    try require(damage.offset <= bytes.count, "the damage is in the input")
    try require(!document.root.isComplete, "a damaged value is not complete")
  }
  var open: [JsonValue] = [document.root]
  while let value = open.popLast() {
    let range = value.byteRange
    try require(range, in: document.byteRange, "value")
    try require(!range.isEmpty, "a value has bytes")
    try require(document.damage != nil || value.isComplete, "values without damage are complete")
    var end = range.lowerBound + 1
    for member in value.members {
      try require(member.keyRange.lowerBound >= end, "members follow one another")
      try require(member.byteRange, in: range, "member")
      try require(
        member.keyRange.upperBound < member.value.byteRange.lowerBound, "a colon is between them")
      // A key with bytes that are not UTF-8 is shown as a different text.
      let isShownAsWritten = !member.key.unicodeScalars.contains("\u{FFFD}")
      try require(!isShownAsWritten || member.hasKey(member.key), "a member has its key")
      end = member.byteRange.upperBound
      open.append(member.value)
    }
    for element in value.elements {
      try require(element.byteRange.lowerBound >= end, "elements follow one another")
      end = element.byteRange.upperBound
      open.append(element)
    }
    try require(end <= range.upperBound, "what a value contains lies in it")
    try checkScalar(value, bytes)
  }
}

private func checkScalar(_ value: JsonValue, _ bytes: [UInt8]) throws(Violation) {
  let text = bytes[value.byteRange]
  switch value.kind {
  case .string:
    let quote = UInt8(ascii: "\"")
    try require(
      text.count >= 2 && text.first == quote && text.last == quote, "a string has quotes")
    try require(value.string != nil, "a string has a text")
  case .number:
    let spelt = value.numberText
    try require(spelt.flatMap(Double.init) != nil, "a number is one")
    if let spelt, let whole = UInt64(spelt) {
      try require(value.unsignedInteger == whole, "digits are their number")
    }
    if let spelt, let whole = Int64(spelt) {
      try require(value.integer == whole, "digits are their number")
    }
  case .true, .false:
    try require(value.boolean == (value.kind == .true), "a word is what it says")
    try require(text.elementsEqual("\(value.kind == .true)".utf8), "a word is spelt out")
  case .null:
    try require(value.isNull && text.elementsEqual("null".utf8), "a word is spelt out")
  case .object, .array:
    try require(value.string == nil && value.numberText == nil, "an object or array is no scalar")
  }
}

// MARK: Frames

/// Checks a frame that is a JSON object.
func check(
  _ object: IpsFrame, of frame: StackFrame, in report: Report, _ bytes: [UInt8]
) throws(Violation) {
  _ = (object.symbol, object.symbolLocation, object.sourceFile, object.sourceLine)
  try require(
    !object.isInline || frame.symbol == nil || frame.isInlined, "an inlined call is shown as one")
  if let body = report.json?.byteRange { try require(object.byteRange, in: body, "frame") }
  try checkEdits(object, bytes)
}

// MARK: Edits

/// Removes everything that symbolication adds, adds it again, and reads the result.
private func checkEdits(_ frame: IpsFrame, _ bytes: [UInt8]) throws(Violation) {
  let range = frame.byteRange
  let keys = Set(IpsFrame.addedKeys)
  let removals = frame.removalRanges(of: keys)
  try requireAscending(removals, "removals")
  for removal in removals { try require(removal, in: range, "removal") }
  for key in keys {
    if let value = frame.value[key]?.byteRange { try require(value, in: range, "value") }
  }
  let spelling = frame.spelling
  try require(
    frame.frameSeparator.contains(UInt8(ascii: ",")), "frames are separated by a comma")

  var additions: [Int: [UInt8]] = [:]
  if let points = frame.insertionPoints {
    let order = IpsFrame.keyOrder(of: keys)
    for (point, keys) in [
      (points.afterImageOffset, order.afterImageOffset),
      (points.afterImageIndex, order.afterImageIndex),
    ] {
      try require(point..<point, in: range, "insertion point")
      for key in keys {
        additions[point, default: []] +=
          spelling.memberSeparator + Array("\"\(key.rawValue)\"".utf8) + spelling.keySeparator
          + Array("1".utf8)
      }
    }
  }
  let kept = frame.value.members.filter { member in
    !keys.contains { member.hasKey($0.rawValue) }
  }.map(\.key)

  let (edited, inserted) = apply(removals, additions, to: range, of: bytes)
  try require(inserted == additions.count, "no insertion point lies in a removal")
  guard let document = try? JsonDocument(edited), document.damage == nil else {
    throw Violation(
      statement: "an edited frame is JSON: \(String(decoding: edited, as: UTF8.self))",
      file: #fileID, line: #line)
  }
  try require(document.byteRange == edited.indices, "an edited frame is one object")
  let found = document.root.members.map(\.key)
  func isAdded(_ key: String) -> Bool { keys.contains { $0.rawValue == key } }
  let added = found.filter(isAdded)
  try require(
    added.sorted() == (additions.isEmpty ? [] : keys.map(\.rawValue).sorted()),
    "an edited frame has each added key once: \(added)")
  try require(
    found.filter { !isAdded($0) } == kept,
    "an edited frame keeps its other keys")
}

/// The bytes of `range` after the edits, and how many of the additions were made.
private func apply(
  _ removals: [Range<Int>], _ additions: [Int: [UInt8]], to range: Range<Int>, of bytes: [UInt8]
) -> (bytes: [UInt8], inserted: Int) {
  var edited: [UInt8] = []
  var inserted = 0
  var offset = range.lowerBound
  var rest = removals[...]
  while offset <= range.upperBound {
    if let addition = additions[offset] {
      edited += addition
      inserted += 1
    }
    if let removal = rest.first, removal.lowerBound == offset, !removal.isEmpty {
      rest.removeFirst()
      offset = removal.upperBound
      continue
    }
    if offset < range.upperBound { edited.append(bytes[offset]) }
    offset += 1
  }
  return (edited, inserted)
}
