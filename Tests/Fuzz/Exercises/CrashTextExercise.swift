import CrashLogParser
import SymbolicationModel

func exerciseCrashText(_ bytes: [UInt8]) throws(Violation) {
  switch ReportFormat.detect(bytes) {
  case .swiftBacktrace, .swiftBacktraceJson: try exerciseSwiftBacktrace(bytes)
  default: break
  }
  let reports: [CrashReport]
  do {
    reports = try CrashLogParser.parse(bytes)
  } catch {
    try require(error != .emptyInput || bytes.isEmpty, "only an empty input is called empty")
    return
  }
  try require(!reports.isEmpty, "a result has a report")
  try requireAscending(reports.map(\.byteRange), "reports")
  for report in reports { try check(report, bytes) }
}

func check(_ report: CrashReport, _ bytes: [UInt8]) throws(Violation) {
  let range = report.byteRange
  try require(range, in: bytes.indices, "report")
  if let header = report.header { try check(header, in: range) }
  try requireAscending(report.fields.map(\.byteRange), "fields")
  for field in report.fields {
    try require(field.byteRange, in: range, "field")
    try require(field.keyRange, in: field.byteRange, "key")
    try require(field.valueRange, in: field.byteRange, "value")
    try require(
      field.keyRange.upperBound <= field.valueRange.lowerBound, "the key is before the value")
    _ = field.value
  }
  try requireAscending(report.threads.map(\.byteRange), "threads")
  for thread in report.threads {
    try require(thread.byteRange, in: range, "thread")
    try check(thread.frames, of: report, in: thread.byteRange, bytes)
    _ = (thread.name, thread.dispatchQueue)
  }
  for backtrace in [report.lastExceptionBacktrace].compactMap({ $0 })
    + report.applicationSpecificBacktraces
  {
    try require(backtrace.byteRange, in: range, "backtrace")
    try check(backtrace.frames, of: report, in: backtrace.byteRange, bytes)
    if let list = backtrace.rawAddressList {
      try require(list.byteRange, in: backtrace.byteRange, "list of addresses")
      try require(!list.addresses.isEmpty, "a list of addresses has one")
      try require(bytes[list.byteRange.lowerBound] == UInt8(ascii: "("), "it begins with (")
    }
  }
  // A frame belongs to one backtrace only.
  try requireAscending(
    report.allFrames.map(\.byteRange).sorted { $0.lowerBound < $1.lowerBound }, "all frames")
  for state in report.threadStates {
    try require(state.byteRange, in: range, "registers")
    _ = state.flavor
  }
  try checkImages(of: report)
  for fault in report.faults { try require(fault.byteRange, in: bytes.indices, "fault") }
  _ = (
    report.processName, report.processIdentifier, report.triggeredThreadNumber,
    report.crashedThread?.number, report.crashReporterKey, report.exceptionCodes
  )
}

private func check(
  _ frames: [StackFrame], of report: CrashReport, in range: Range<Int>, _ bytes: [UInt8]
) throws(Violation) {
  try requireAscending(frames.map(\.byteRange), "frames")
  for frame in frames {
    let line = frame.byteRange
    try require(line, in: range, "frame")
    let parts = [frame.indexRange, frame.imageNameRange, frame.addressRange, frame.contentRange]
    for part in parts { try require(part, in: line, "part of a frame") }
    try requireAscending(parts, "parts of a frame")
    try require(
      Int(String(decoding: bytes[frame.indexRange], as: UTF8.self)) == frame.index,
      "the index is what its digits say")
    let digits = String(decoding: bytes[frame.addressRange].dropFirst(2), as: UTF8.self)
    try require(
      UInt64(digits, radix: 16) == frame.address.value, "the address is what its digits say")
    _ = frame.imageName
    let stated = frame.statedImageLoadAddress
    switch frame.content {
    case .unsymbolicated(let loadAddress, _), .sideBySide(let loadAddress, _, _):
      try require(stated == loadAddress, "the stated load address is that of the content")
    case .symbolicated, .atos, .unknown, .unparsed:
      try require(stated == nil, "content without a load address states none")
    }
    if let image = report.image(for: frame), image.loadAddress != stated {
      try require(image.contains(frame.address), "the image found holds the address")
    }
  }
}

private func checkImages(of report: CrashReport) throws(Violation) {
  try requireAscending(report.images.map(\.byteRange), "images")
  for image in report.images {
    try require(image.byteRange, in: report.byteRange, "image")
    if let identity = image.identityRange {
      try require(identity, in: image.byteRange, "identity")
    }
    _ = (image.name, image.version, image.architecture, image.identity, image.path)
    for address in [image.loadAddress, image.lastAddress] where image.contains(address) {
      let found = report.image(containing: address)
      try require(found?.contains(address) == true, "an address of an image is found in one")
      try require(
        (found?.loadAddress ?? LoadAddress(0)) >= image.loadAddress,
        "the image found is the one that starts last")
    }
  }
}

func check(_ header: JsonHeader, in range: Range<Int>) throws(Violation) {
  try require(header.byteRange, in: range, "JSON header")
  try requireAscending(header.fields.map(\.valueRange), "values of the JSON header")
  for field in header.fields {
    try require(field.valueRange, in: header.byteRange, "value in the JSON header")
    try require(header[field.key] != nil, "a key is found")
  }
  _ = header.bugType
}
