import CrashLogParser
import ReportSymbolication

/// Writes the input in every output form, without symbol files, and checks what holds for any
/// input: JSON is JSON and UTF-8, and neither a terminal nor a message gets anything that a
/// terminal would act on.
func exerciseOutputForms(_ bytes: [UInt8]) throws(Violation) {
  for form in OutputForm.allCases {
    var job = ReportJob(symbolPaths: [], form: form)
    let result = job.symbolicate(bytes, shownPath: "input")
    let output = result.output
    // The facts of a report without stacks are shown, although there is nothing to symbolicate.
    let isShown =
      result.symbolicated != nil && [.json, .ndjson, .summary].contains(form)
    try require(
      result.hasReport || isShown || output == bytes,
      "without a result, the output is the input: \(form)")
    if result.hasReport || isShown, [.json, .ndjson].contains(form) {
      try checkJson(output, form)
    }
    try checkTerminal(output, form)
    for message in result.problems + result.notes {
      try require(
        !message.shownInMessages.unicodeScalars.contains { isHarmful($0) },
        "a message is harmless: \(message)")
    }
  }
}

private func checkJson(_ output: [UInt8], _ form: OutputForm) throws(Violation) {
  try require(String(validating: output, as: UTF8.self) != nil, "JSON is UTF-8")
  let newline = UInt8(ascii: "\n")
  try require(output.last == newline, "JSON ends with a newline")
  let documents =
    form == .json ? [output[...].dropLast()] : output.dropLast().split(separator: newline)
  for document in documents {
    let bytes = Array(document)
    let parsed = try? JsonDocument(bytes)
    try require(parsed != nil && parsed?.damage == nil, "JSON output is JSON: \(form)")
    try require(parsed?.byteRange == bytes.indices, "JSON output is one document: \(form)")
  }
}

/// Whatever the pieces in which the output comes.
private func checkTerminal(_ output: [UInt8], _ form: OutputForm) throws(Violation) {
  var whole = TerminalFilter()
  let shown = whole.shown(output)
  guard let text = String(validating: shown, as: UTF8.self) else {
    throw Violation(statement: "a terminal gets UTF-8: \(form)", file: #fileID, line: #line)
  }
  let lineEnds: [Unicode.Scalar] = ["\n", "\r", "\t"]
  try require(
    !text.unicodeScalars.contains { isHarmful($0) && !lineEnds.contains($0) },
    "a terminal gets nothing that it would act on: \(form)")
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
