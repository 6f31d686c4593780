import CrashLogParser
import SymbolicationModel

/// Reads the reports of an input, whatever their formats, and checks all that they say.
func exerciseReports(_ bytes: [UInt8]) throws(Violation) {
  let reports: [Report]
  do {
    reports = try CrashLogParser.parse(bytes)
  } catch {
    try require(error != .emptyInput || bytes.isEmpty, "only an empty input is called empty")
    return
  }
  try require(!reports.isEmpty, "a result has a report")
  try requireAscending(reports.map(\.byteRange), "reports")
  let text = reports.first?.wrapping?.text ?? bytes
  for report in reports { try check(report, text) }
  if let wrapping = reports.first?.wrapping { try check(wrapping, of: reports, bytes) }
}

/// What was taken out of a wrapping stands in the input in the same order, and is put back without
/// changing any other byte.
private func check(
  _ wrapping: ReportWrapping, of reports: [Report], _ bytes: [UInt8]
) throws(Violation) {
  var edits: [TextEdit] = []
  for report in reports {
    try require(
      wrapping.inputRange(of: report.byteRange), in: 0..<bytes.count + 1, "report in its wrapping")
    for frame in report.allFrames {
      guard let line = frame.line, !line.contentRange.isEmpty else { continue }
      try require(
        wrapping.inputRange(of: line.byteRange), in: 0..<bytes.count + 1, "frame in its wrapping")
      edits.append(TextEdit(range: line.contentRange, replacement: Array("name + 1".utf8)))
    }
  }
  guard let outer = wrapping.inputEdits(edits) else { return }
  try requireAscending(outer.map(\.range), "edits in a wrapping")
  for edit in outer { try require(edit.range, in: 0..<bytes.count + 1, "edit in a wrapping") }
}

private func check(_ report: Report, _ bytes: [UInt8]) throws(Violation) {
  let range = report.byteRange
  try require(range, in: bytes.indices, "report")
  if let header = report.header { try check(header, in: range) }
  if let body = report.json?.byteRange {
    try require(body, in: range, "body")
    if let header = report.header {
      try require(
        header.byteRange.upperBound <= body.lowerBound, "the header is above the body")
    }
  }
  let fields = report.facts.fields.compactMap(\.byteRange)
  for field in fields { try require(field, in: range, "field") }
  try requireAscending(fields, "fields")
  for state in report.threadStates {
    try require(state.byteRange, in: range, "registers")
    _ = state.flavor
  }
  try checkImages(of: report)
  for backtrace in report.backtraces { try check(backtrace, of: report, bytes) }
  try checkOrder(of: report)
  // Damage is at the byte that could not be read on from, which may be the first one after the
  // report.
  for fault in report.faults { try require(fault.byteRange, in: bytes.indices, "fault") }
  try require(
    report.crashedThread == nil || report.crashedThread?.kind == .thread,
    "what crashed is a thread")
}

/// The kinds of backtraces follow one another, and no byte belongs to two frames, images or fields.
private func checkOrder(of report: Report) throws(Violation) {
  try require(
    report.allFrames.count == report.backtraces.reduce(0) { $0 + $1.frames.count },
    "all frames are those of the backtraces")
  for backtraces in [report.threads, report.applicationSpecificBacktraces] {
    try requireAscending(backtraces.map(\.byteRange), "backtraces of a kind")
  }
  let frames = report.backtraces.filter { $0.embeddedText == nil }.flatMap(\.frames)
  let parts =
    frames.compactMap(\.byteRange) + report.images.map(\.byteRange)
    + report.facts.fields.compactMap(\.byteRange)
  try requireAscending(
    parts.sorted { $0.lowerBound < $1.lowerBound }, "frames, images and fields")
}

private func checkImages(of report: Report) throws(Violation) {
  try requireAscending(report.images.map(\.byteRange), "images")
  for image in report.images {
    try require(image.byteRange, in: report.byteRange, "image")
    if let identity = image.identityRange {
      try require(identity, in: image.byteRange, "identity")
    }
    _ = (image.name, image.version, image.architecture, image.identity, image.path)
    _ = image.bundleIdentifier
    for address in [image.loadAddress, image.lastAddress] where image.contains(address) {
      let found = report.image(containing: address)
      try require(found?.contains(address) == true, "an address of an image is found in one")
      try require(
        (found?.loadAddress ?? LoadAddress(0)) >= image.loadAddress,
        "the image found is the one that starts last")
    }
  }
}

// MARK: Frames

private func check(
  _ backtrace: Backtrace, of report: Report, _ bytes: [UInt8]
) throws(Violation) {
  try require(backtrace.byteRange, in: report.byteRange, "backtrace")
  if let list = backtrace.addressListRange {
    try require(list, in: backtrace.byteRange, "list of addresses")
    try require(!backtrace.frames.isEmpty, "a list of addresses has one")
    try require(bytes[list.lowerBound] == UInt8(ascii: "("), "it begins with (")
  }
  let text = backtrace.embeddedText ?? bytes
  let outer = backtrace.embeddedText?.indices ?? backtrace.byteRange
  for frame in backtrace.frames {
    try require(
      frame.byteRange != nil || backtrace.addressListRange != nil,
      "only the addresses of a list have no range")
    if let range = frame.byteRange {
      try require(range, in: backtrace.addressListRange ?? outer, "frame")
    }
    switch frame.carrier {
    case .line(let line), .lookedUp(let line, _): try check(line, of: frame, text)
    case .object(let object): try check(object, of: frame, in: report, text)
    case .values(let values): try check(values, of: frame, text)
    case .listedAddress: break
    }
    try checkImage(of: frame, in: report)
    _ = (frame.symbol, frame.isInlined, frame.imageName, frame.index)
  }
  for range in backtrace.omissions { try require(range, in: outer, "omission") }
  var lines = backtrace.frames.compactMap(\.byteRange)
  if backtrace.isOutermostFirst { lines.reverse() }
  try requireAscending(lines, "frames")
  try requireAscending(
    (lines + backtrace.omissions).sorted { $0.lowerBound < $1.lowerBound },
    "frames and omissions")
}

private func checkImage(of frame: StackFrame, in report: Report) throws(Violation) {
  guard let address = frame.address, let image = report.image(for: frame) else { return }
  if frame.imageIndex != nil {
    try require(
      address.value &- image.loadAddress.value == frame.imageOffset,
      "the address is as far from the image as the frame says")
  } else if image.loadAddress != frame.imageRelativeAddress?.base {
    try require(image.contains(address), "the image found holds the address")
  }
}

private func check(_ header: JsonHeader, in range: Range<Int>) throws(Violation) {
  try require(header.byteRange, in: range, "JSON header")
  try requireAscending(header.fields.map(\.valueRange), "values of the JSON header")
  for field in header.fields {
    try require(field.valueRange, in: header.byteRange, "value in the JSON header")
    try require(header[field.key] != nil, "a key is found")
  }
  _ = header.bugType
}
