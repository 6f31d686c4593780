import CrashLogParser
import SymbolicationModel

func exerciseIps(_ bytes: [UInt8]) throws(Violation) {
  if let document = try? JsonDocument(bytes) { try walk(document, bytes) }
  guard let reports = try? CrashLogParser.reports(in: bytes) else { return }
  try require(!reports.isEmpty, "a result has a report")
  try requireAscending(reports.map(\.byteRange), "reports")
  for report in reports {
    switch report {
    case .text(let report): try check(report, bytes)
    case .ips(let report): try check(report, bytes)
    case .swiftBacktrace(let report): try check(report, bytes)
    }
  }
}

// MARK: JSON

/// Looks at every value. Its own stack stands in for recursion, whose depth the input would decide.
private func walk(_ document: JsonDocument, _ bytes: [UInt8]) throws(Violation) {
  try require(document.byteRange, in: bytes.indices, "document")
  try require(
    document.root.byteRange.upperBound == document.byteRange.upperBound,
    "the document ends with its value")
  if let damage = document.damage {
    try require(damage.offset >= document.byteRange.lowerBound, "the damage is in the document")
    try require(damage.offset <= bytes.count, "the damage is in the input")
    try require(!document.root.isComplete, "what is damaged is not complete")
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
      // The key as shown is another one where bytes of it are no UTF-8.
      let isShownAsItIs = !member.key.unicodeScalars.contains("\u{FFFD}")
      try require(!isShownAsItIs || member.hasKey(member.key), "a member has its key")
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

// MARK: Reports

private func check(_ report: IpsReport, _ bytes: [UInt8]) throws(Violation) {
  let range = report.byteRange
  try require(range, in: bytes.indices, "report")
  try require(report.bodyRange, in: range, "body")
  if let header = report.header {
    try check(header, in: range)
    try require(
      header.byteRange.upperBound <= report.bodyRange.lowerBound, "the header is above the body")
  }
  try requireAscending(report.threads.map(\.byteRange), "threads")
  for thread in report.threads {
    try require(thread.byteRange, in: report.bodyRange, "thread")
    try check(thread.frames, of: report, in: thread.byteRange, bytes)
    _ = (thread.name, thread.dispatchQueue, thread.identifier)
  }
  try check(report.lastExceptionBacktrace ?? [], of: report, in: report.bodyRange, bytes)
  for backtrace in report.applicationSpecificBacktraces {
    try require(backtrace.byteRange, in: report.bodyRange, "backtrace as text")
    _ = backtrace.text
  }
  try requireAscending(report.images.map(\.byteRange), "images")
  for image in report.images {
    try require(image.byteRange, in: report.bodyRange, "image")
    if let identity = image.identityRange {
      try require(identity, in: image.byteRange, "identity")
    }
    _ = (image.name, image.path, image.architecture, image.identity, image.bundleIdentifier)
    for address in [image.loadAddress, image.lastAddress] where image.contains(address) {
      let found = report.image(containing: address)
      try require(found?.contains(address) == true, "an address of an image is found in one")
    }
  }
  // Damage is at the byte that could not be read on from, which may be the first one behind the report.
  for fault in report.faults { try require(fault.byteRange, in: bytes.indices, "fault") }
  _ = (
    report.bugType, report.incidentIdentifier, report.processIdentifier, report.isTranslated,
    report.isEmbedded, report.platform, report.exceptionRawCodes, report.terminationCode,
    report.crashedThread?.index, report.bundleVersion
  )
}

private func check(
  _ frames: [IpsFrame], of report: IpsReport, in range: Range<Int>, _ bytes: [UInt8]
) throws(Violation) {
  try requireAscending(frames.map(\.byteRange), "frames")
  for frame in frames {
    try require(frame.byteRange, in: range, "frame")
    if let address = frame.address, let image = report.image(for: frame) {
      try require(
        address.value &- image.loadAddress.value == frame.imageOffset,
        "the address is as far from the image as the frame says")
    }
    _ = (frame.symbol, frame.symbolLocation, frame.sourceFile, frame.sourceLine, frame.isInline)
    try checkEdits(frame, bytes)
  }
}

// MARK: Edits

/// Takes out all that symbolication adds, adds it anew, and reads the result.
private func checkEdits(_ frame: IpsFrame, _ bytes: [UInt8]) throws(Violation) {
  let range = frame.byteRange
  let keys = Set(IpsFrame.Key.allCases)
  let removals = frame.removalRanges(of: keys)
  try requireAscending(removals, "removals")
  for removal in removals { try require(removal, in: range, "removal") }
  for key in keys {
    if let value = frame.valueRange(of: key) { try require(value, in: range, "value") }
  }
  let spelling = frame.spelling
  try require(
    spelling.frameSeparator.contains(UInt8(ascii: ",")), "frames are separated by a comma")

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
  let added = found.filter { IpsFrame.Key(rawValue: $0) != nil }
  try require(
    added.sorted() == (additions.isEmpty ? [] : keys.map(\.rawValue).sorted()),
    "an edited frame has each added key once: \(added)")
  try require(
    found.filter { IpsFrame.Key(rawValue: $0) == nil } == kept,
    "an edited frame keeps its other keys")
}

/// The bytes of `range` after the edits, and how many of the additions were made.
private func apply(
  _ removals: [Range<Int>], _ additions: [Int: [UInt8]], to range: Range<Int>, of bytes: [UInt8]
) -> (bytes: [UInt8], inserted: Int) {
  var edited: [UInt8] = []
  var inserted = 0
  var place = range.lowerBound
  var rest = removals[...]
  while place <= range.upperBound {
    if let addition = additions[place] {
      edited += addition
      inserted += 1
    }
    if let removal = rest.first, removal.lowerBound == place, !removal.isEmpty {
      rest.removeFirst()
      place = removal.upperBound
      continue
    }
    if place < range.upperBound { edited.append(bytes[place]) }
    place += 1
  }
  return (edited, inserted)
}
