import CrashLogParser
import SymbolicationModel

func exerciseCrashText(_ bytes: [UInt8]) throws(Violation) {
  _ = ReportFormat.detect(bytes)
  try exerciseReports(bytes)
  try exerciseMention(bytes)
  try exerciseOutputForms(bytes)
}

/// What a text without a report mentions stands in the text.
private func exerciseMention(_ bytes: [UInt8]) throws(Violation) {
  guard let report = CrashLogParser.mention(in: bytes) else { return }
  try require(report.byteRange, in: (report.wrapping?.text ?? bytes).indices, "mention")
  try require(report.facts.mention?.words.isEmpty == false, "a mention has words")
}

/// Checks a frame line. Its ranges refer to `bytes`, which is the input or an embedded text.
func check(_ line: FrameLine, of frame: StackFrame, _ bytes: [UInt8]) throws(Violation) {
  let parts = [line.indexRange, line.imageNameRange, line.addressRange, line.contentRange]
  for part in parts { try require(part, in: line.byteRange, "part of a frame") }
  try requireAscending(parts, "parts of a frame")
  try require(
    Int(String(decoding: bytes[line.indexRange], as: UTF8.self)) == line.index,
    "the index is what its digits say")
  let digits = String(decoding: bytes[line.addressRange].dropFirst(2), as: UTF8.self)
  try require(
    UInt64(digits, radix: 16) == frame.address?.value, "the address is what its digits say")
  _ = line.imageName
  switch line.content {
  case .unsymbolicated(let place), .sideBySide(let place, _):
    try require(frame.imageRelativeAddress == place, "the stated place is that of the content")
  case .symbolicated, .atos, .unknown, .unparsed:
    try require(frame.imageRelativeAddress == nil, "content without a load address states no place")
  }
}
