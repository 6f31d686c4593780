import CrashLogParser
import SymbolicationModel

func exerciseSwiftBacktrace(_ bytes: [UInt8]) throws(Violation) {
  guard let reports = try? CrashLogParser.reports(in: bytes) else { return }
  try require(!reports.isEmpty, "a result has a report")
  try requireAscending(reports.map(\.byteRange), "reports")
  for case .swiftBacktrace(let report) in reports { try check(report, bytes) }
}

func check(_ report: SwiftBacktraceReport, _ bytes: [UInt8]) throws(Violation) {
  let range = report.byteRange
  try require(range, in: bytes.indices, "report")
  try requireAscending(report.threads.map(\.byteRange), "threads")
  for thread in report.threads {
    try require(thread.byteRange, in: range, "thread")
    let lines = thread.frames.map(\.byteRange) + thread.omissions.map(\.byteRange)
    for line in lines { try require(line, in: thread.byteRange, "line of a thread") }
    try requireAscending(lines.sorted { $0.lowerBound < $1.lowerBound }, "lines of a thread")
    for frame in thread.frames { try check(frame, bytes) }
  }
  try requireAscending(report.images.map(\.byteRange), "images")
  for image in report.images {
    try require(image.byteRange, in: range, "image")
    if image.contains(image.loadAddress) {
      let found = report.image(containing: image.loadAddress)
      try require(
        found?.contains(image.loadAddress) == true, "an address of an image is found in one")
    }
  }
  for fault in report.faults { try require(fault.byteRange, in: bytes.indices, "fault") }
}

private func check(_ frame: SwiftBacktraceFrame, _ bytes: [UInt8]) throws(Violation) {
  guard let text = frame.text else { return }
  let parts = [text.index, text.attributes, text.address, text.content].compactMap(\.self)
  for part in parts { try require(part, in: frame.byteRange, "part of a frame") }
  try requireAscending(parts, "parts of a frame")
  if let place = text.address, let address = frame.address,
    !bytes[place].contains(0x1b)
  {
    let digits = String(decoding: bytes[place].dropFirst(2), as: UTF8.self)
    try require(UInt64(digits, radix: 16) == address.value, "the address is what its digits say")
  }
}
