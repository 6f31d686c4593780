import FetchProtocol

/// Reads the input as the lines that `symbolicate` and `symbolicate-fetch` send each other.
func exerciseFetchLines(_ bytes: [UInt8]) throws(Violation) {
  var buffer = FetchLineBuffer()
  let lines = buffer.add(bytes)
  var inPieces = FetchLineBuffer()
  var collected: [[UInt8]]? = []
  for byte in bytes {
    guard let more = inPieces.add([byte]) else {
      collected = nil
      break
    }
    collected? += more
  }
  try require(lines == collected, "lines do not depend on the pieces that come in")
  guard let lines else {
    try require(bytes.count > FetchLine.maximumSize, "only a long line is refused")
    return
  }
  try require(
    lines.count == bytes.count { $0 == UInt8(ascii: "\n") }, "each newline ends a line")
  for line in lines { try check(line) }
}

private func check(_ line: [UInt8]) throws(Violation) {
  let fields = FetchLine.fields(of: line)
  if let fields {
    try require(
      FetchLine.fields(of: try ended(FetchLine.encoded(fields))) == fields, "fields are kept")
  }
  if let request = FetchRequest(line: line) {
    try require(fields != nil, "a request has fields")
    try require(FetchRequest(line: try ended(request.line)) == request, "a request is kept")
  }
  if let report = FetchReport(line: line) {
    try require(fields != nil, "a report has fields")
    try require(FetchReport(line: try ended(report.line)) == report, "a report is kept")
    try require(FetchRequest(line: line) == nil, "a report is not a request")
  }
}

/// A line without its newline, which is the only one in it.
private func ended(_ line: [UInt8]) throws(Violation) -> [UInt8] {
  let newline = UInt8(ascii: "\n")
  try require(
    line.last == newline && line.count { $0 == newline } == 1, "a line ends with its newline")
  try require(
    line.dropLast().allSatisfy { (0x20..<0x7f).contains($0) }, "a line is printable ASCII")
  return line.dropLast()
}
