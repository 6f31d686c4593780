import CrashLogParser
import FileSystem
import Platform
import ReportSymbolication
import SymbolicationModel
import SymbolicationWorker
import SystemPackage

/// Gives the input to a worker, as lines. What it writes does not depend on how much is kept of
/// them, but lines beyond the limit are refused.
func exerciseWorkerLines(_ bytes: [UInt8]) throws(Violation) {
  var count = bytes.count { $0 == UInt8(ascii: "\n") }
  if let last = bytes.last, last != UInt8(ascii: "\n") { count += 1 }
  for output in WorkerOutput.allCases {
    for recordSize in [UInt64(1 << 20), 100] {
      guard let answers = answers(to: bytes, output, recordSize: recordSize) else { return }
      try check(answers, count: count)
    }
  }
}

private func check(_ answers: [UInt8], count: Int) throws(Violation) {
  let lines = answers.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  try require(lines.last?.isEmpty == true, "the last line ends")
  try require(lines.count == count + 1, "\(lines.count - 1) lines answer \(count)")
  try require(String(validating: answers, as: UTF8.self) != nil, "answers are UTF-8")
  for line in lines.dropLast() {
    let document: JsonDocument
    do {
      document = try JsonDocument(Array(line))
    } catch {
      throw Violation(statement: "a line is JSON: \(error)", file: #fileID, line: #line)
    }
    try require(
      document.damage == nil && document.byteRange == 0..<line.count, "a line is one value")
    try require(document.root["id"] != nil, "an answer has an id")
    let isOk = document.root["ok"]?.boolean
    try require(isOk != nil, "an answer says whether it is one")
    let code = document.root["error"]?["code"]?.string
    try require((isOk == false) == (code != nil), "an error has a code")
  }
}

/// What a worker answers; nil if the system has no memory for its input.
private func answers(
  to bytes: [UInt8], _ output: WorkerOutput, recordSize: UInt64
) -> [UInt8]? {
  guard let memory = KeptMemory.make(), let path = temporaryFile(bytes),
    let input = try? FileDescriptor.open(FilePath(path), .readOnly)
  else { return nil }
  defer {
    try? input.close()
    unsafe unlink(path)
  }
  var options = WorkerOptions()
  options.output = output
  options.recordSize = recordSize
  options.symbolication.jobs = 1
  var answers: [UInt8] = []
  var run = WorkerRun(
    places: SymbolPlaces(debugDirectories: []), options: options, input: input,
    memory: memory,
    WorkerRun.Outlets(answers: { answers += $0 }, problem: { _ in }, statistics: { _ in }))
  guard (try? run.perform()) != nil else { return nil }
  return answers
}
