import FileSystem
import Glibc
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// One run of `symbolicate worker`: records from standard input, answers to standard output.
struct WorkerRun {
  private let options: WorkerOptions
  /// How many records may be under way.
  private let window: Int
  private var session: WorkerSession
  private var lines: WorkerLines
  private var statistics = WorkerStatistics()
  /// Answers that are not written yet.
  private var output: [UInt8] = []

  /// The answers that are collected at most while there is input.
  private static let outputSize = 1 << 18

  init(places: SymbolPlaces, options: WorkerOptions, window: Int) {
    self.options = options
    self.window = window
    session = WorkerSession(places: places, options: options)
    lines = WorkerLines(.standardInput, limit: options.recordSize)
  }

  mutating func perform() -> ExitStatus {
    do {
      while let line = try nextLine() {
        answer(line)
        if output.count >= Self.outputSize { flush() }
        for problem in session.takeProblems() { Diagnostics.print(problem) }
      }
    } catch {
      flush()
      Diagnostics.print(InputMessages.unreadable("standard input", error))
      return .unreadableInput
    }
    flush()
    return .success
  }

  private mutating func nextLine() throws(Errno) -> WorkerLines.Line? {
    var output = output
    self.output = []
    defer { self.output = output }
    return try lines.next {
      Self.write(&output)
      return true
    }
  }

  private mutating func answer(_ line: WorkerLines.Line) {
    let record =
      switch line {
      case .whole(let line): WorkerRecord(line: line)
      case .overlong(let start):
        WorkerRecord(start: start, failure: .tooLarge(limit: options.recordSize))
      }
    let steps = session.steps
    let answer = steps.answer(to: session.resolve(steps.prepared(record)))
    statistics.add(answer)
    output += answer.line
  }

  private mutating func flush() { Self.write(&output) }

  /// Ends the process if the answers cannot be written: nobody would get the others.
  private static func write(_ output: inout [UInt8]) {
    guard !output.isEmpty else { return }
    do throws(FileWriteError) {
      try OutputFile.writeToStandardOutput(output)
    } catch {
      Diagnostics.print(error)
      EndingSignals.endProcess(status: ExitStatus(error).rawValue)
    }
    output.removeAll(keepingCapacity: true)
  }
}
