import CrashLogParser
import ReportRuns
import ReportSymbolication
import Wording

/// Writes the input in every output form, without symbol files, and checks what holds for any
/// input: JSON is JSON and UTF-8, a page is well-formed, and neither a terminal nor a message gets
/// anything that a terminal would act on.
func exerciseOutputForms(_ bytes: [UInt8]) throws(Violation) {
  for form in OutputForm.allCases {
    var job = ReportJob(symbolPaths: [], form: form)
    let result = job.symbolicate(bytes, shownPath: "input")
    try require(
      isShown(result) || result.output == bytes,
      "without a result, the output is the input: \(form)")
    try require(
      result.outputKind != .none || result.output.isEmpty, "no output is empty: \(form)")
    try check(result, form)
  }
  try exerciseTerminal(bytes)
}

/// Shows the input on a terminal with colours and links. Without this program's own sequences, it
/// is what a terminal without colours is shown, and does nothing.
private func exerciseTerminal(_ bytes: [UInt8]) throws(Violation) {
  for form in [OutputForm.auto, .crash, .summary] {
    var outputs: [[UInt8]] = []
    for isPainted in [true, false] {
      var job = ReportJob(symbolPaths: [], form: form)
      job.steps.look.isTerminal = true
      job.steps.look.width = 60
      job.steps.look.hasColors = isPainted
      job.steps.look.hasLinks = isPainted
      let result = job.symbolicate(bytes, shownPath: "input")
      var filter = TerminalFilter()
      outputs.append(
        result.isPainted ? withoutSequences(result.output) : filter.shown(result.output))
    }
    try require(outputs[0] == outputs[1], "colours change nothing else: \(form)")
    try checkTerminal(outputs[0], form.rawValue)
    var filter = TerminalFilter()
    try require(filter.shown(outputs[0]) == outputs[0], "nothing harmful is left: \(form)")
  }
}

/// The text without the styles and links of this program; other sequences stay.
private func withoutSequences(_ bytes: [UInt8]) -> [UInt8] {
  let styles = ["[m", "[1m", "[2m", "[35m", "[1;31m", "[1;35m"].map { Array($0.utf8) }
  let link = Array("]8;;".utf8)
  var text: [UInt8] = []
  var offset = 0
  while offset < bytes.count {
    let rest = bytes[(offset + 1)...]
    if bytes[offset] == 0x1b, let style = styles.first(where: { rest.starts(with: $0) }) {
      offset += 1 + style.count
    } else if bytes[offset] == 0x1b, rest.starts(with: link),
      let end = rest.firstIndex(of: 0x1b), bytes[(end + 1)...].first == UInt8(ascii: "\\")
    {
      offset = end + 2
    } else {
      text.append(bytes[offset])
      offset += 1
    }
  }
  return text
}

/// Writes the input as a page, and checks that it is well-formed and has as many frames as JSON.
///
/// - Returns: whether the input holds a report.
public func exercisePage(_ bytes: [UInt8], symbolPaths: [String]) throws -> Bool {
  var pages = ReportJob(symbolPaths: symbolPaths, form: .html)
  let page = pages.symbolicate(bytes, shownPath: "input")
  try checkPage(page.output)
  var documents = ReportJob(symbolPaths: symbolPaths, form: .ndjson)
  let document = documents.symbolicate(bytes, shownPath: "input")
  guard document.symbolicated != nil else { return false }
  // The number of each row, and a key that only frames have.
  let rows = page.output.count(of: Array("<span class=\"no\">".utf8))
  let frames = document.output.count(of: Array(",\"rawName\":".utf8))
  // So are the places of the crash.
  let places = [",\"frame\":{", ",\"systemFrame\":{"].reduce(0) {
    $0 + document.output.count(of: Array($1.utf8))
  }
  try require(rows == frames - places, "a page has \(rows) of \(frames - places) frames")
  return page.hasReport
}

extension [UInt8] {
  fileprivate func count(of pattern: [UInt8]) -> Int {
    var count = 0
    var rest = self[...]
    while let first = pattern.first, let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: pattern) { count += 1 }
      rest = rest.dropFirst()
    }
    return count
  }
}

func check(_ result: ReportJob.Result, _ form: OutputForm) throws(Violation) {
  let output = result.output
  if isShown(result), form == .json { try checkJson(output, form.rawValue) }
  if isShown(result), form == .ndjson {
    try require(output.last == newline, "JSON ends with a newline")
    for line in output.dropLast().split(separator: newline) {
      try checkJson(line + [newline], form.rawValue)
    }
  }
  if form == .html { try checkPage(output) }
  try checkTerminal(output, form.rawValue)
  for message in result.problems + result.notes {
    try require(
      !message.shownInMessages.unicodeScalars.contains { isHarmful($0) },
      "a message is harmless: \(message)")
  }
}

/// Whether the output is not the input as it is: a result, a record in JSON, or nothing.
private func isShown(_ result: ReportJob.Result) -> Bool { result.outputKind != .input }

private let newline = UInt8(ascii: "\n")

/// - Parameter name: what was written.
func checkJson(_ output: [UInt8], _ name: String) throws(Violation) {
  try require(String(validating: output, as: UTF8.self) != nil, "JSON is UTF-8: \(name)")
  try require(output.last == newline, "JSON ends with a newline: \(name)")
  let bytes = output.dropLast()
  let parsed = try? JsonDocument(Array(bytes))
  try require(parsed != nil && parsed?.damage == nil, "JSON output is JSON: \(name)")
  try require(parsed?.byteRange == 0..<bytes.count, "JSON output is one document: \(name)")
}

/// Whatever the pieces in which the output comes.
func checkTerminal(_ output: [UInt8], _ name: String) throws(Violation) {
  var whole = TerminalFilter()
  let shown = whole.shown(output)
  guard let text = String(validating: shown, as: UTF8.self) else {
    throw Violation(statement: "a terminal gets UTF-8: \(name)", file: #fileID, line: #line)
  }
  let lineEnds: [Unicode.Scalar] = ["\n", "\r", "\t"]
  try require(
    !text.unicodeScalars.contains { isHarmful($0) && !lineEnds.contains($0) },
    "a terminal gets nothing that it would act on: \(name)")
  var pieces = TerminalFilter()
  let middle = output.count / 2
  try require(
    pieces.shown(Array(output[..<middle])) + pieces.shown(Array(output[middle...])) == shown,
    "pieces are shown as the whole is")
}

private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: true
  default: false
  }
}
