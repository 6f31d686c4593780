package import FileSystem
import Platform
package import ReportSymbolication
package import SymbolicationModel
package import SystemPackage
package import Wording

/// One run of a worker: records from a stream, answers to another.
///
/// With one job, a record is answered before the next is begun. With several, as many records as
/// the window allows and the input has at once are worked on together (`OrderedWork`).
package struct WorkerRun {
  private let options: WorkerOptions
  private let input: FileDescriptor
  private let outlets: Outlets
  private let memory: KeptMemory
  private var session: WorkerSession
  private var lines: WorkerLines
  private var statistics: WorkerStatistics
  private var knownCacheCounts = WorkerSession.CacheCounts()
  /// Answers that are not written yet, and the last line that they answer.
  private var output: [UInt8] = []
  private var lastAnswered: WorkerLines.Line?

  /// Where the run writes to.
  package struct Outlets {
    /// Writes answers. Ends the process if that fails, because nobody would get the others.
    package let answers: ([UInt8]) -> Void
    /// Prints what is wrong with symbol files, a sentence each.
    package let problem: (Message) -> Void
    /// Writes the line of statistics; nil if nobody wants it.
    package let statistics: (([UInt8]) -> Void)?

    package init(
      answers: @escaping ([UInt8]) -> Void, problem: @escaping (Message) -> Void,
      statistics: (([UInt8]) -> Void)?
    ) {
      self.answers = answers
      self.problem = problem
      self.statistics = statistics
    }
  }

  /// The answers that are collected at most while there is input.
  private static let outputSize = 1 << 18

  /// How much memory that records no longer need is kept for the next ones, in bytes.
  private static let freeMemory = 64 << 20

  /// - Parameter memory: that of this process before it started anew, or new.
  package init(
    places: SymbolPlaces, options: WorkerOptions, input: FileDescriptor, memory: KeptMemory,
    _ outlets: Outlets
  ) {
    AllocatedMemory.keepFreed(upTo: Self.freeMemory)
    self.options = options
    self.input = input
    self.outlets = outlets
    self.memory = memory
    session = WorkerSession(places: places, options: options)
    lines = WorkerLines(input, limit: options.recordSize, memory: memory)
    statistics = WorkerStatistics(memory)
    if memory.hasMarks { statistics.addRestart() }
  }

  /// Returns at the end of the input.
  ///
  /// - Throws: why the input cannot be read. All answers are then written.
  package mutating func perform() throws(Errno) {
    defer {
      flush()
      outlets.statistics?(statistics.line)
    }
    printProblems()
    while true {
      let batch = try nextBatch()
      if batch.isEmpty { return }
      session.renewIfDue()
      answer(batch)
      // A record that ended the program before is answered at once: the next one may do the same.
      if output.count >= Self.outputSize || memory.hasMarks { flush() }
      printProblems()
      writeRequestedStatistics()
    }
  }

  // MARK: Input

  /// The records to work on together; none at the end of the input.
  private mutating func nextBatch() throws(Errno) -> [WorkerLines.Line] {
    var batch: [WorkerLines.Line] = []
    var size = 0
    let limit = options.symbolication.jobs == 1 ? 1 : options.window
    while batch.count < limit, size < options.symbolication.limits.bytesUnderWay {
      if let line = lines.next() {
        size += line.size
        batch.append(line)
      } else if lines.isAtEnd {
        return batch
      } else if batch.isEmpty {
        // Whoever waits for answers before giving more gets them.
        flush()
        while !RequestSignal.waitForInput(input, waits: true) { writeRequestedStatistics() }
        try read()
      } else {
        guard RequestSignal.waitForInput(input, waits: false) else { return batch }
        try read()
      }
    }
    return batch
  }

  private mutating func read() throws(Errno) {
    var failure: Errno?
    Restart.undivided {
      do throws(Errno) {
        try lines.read()
      } catch {
        failure = error
      }
    }
    if let failure, failure != .interrupted, failure != .wouldBlock { throw failure }
  }

  // MARK: Answers

  private mutating func answer(_ batch: [WorkerLines.Line]) {
    let steps = session.steps
    let memory = memory
    let work = OrderedWork(
      jobs: options.symbolication.jobs,
      capacity: Int(clamping: options.symbolication.limits.bytesUnderWay))
    if batch.count == 1 {
      let line = batch[0]
      let answer = Restart.working(on: line.number) {
        steps.answer(to: session.resolve(steps.prepared(line, memory)))
      }
      return deliver(answer, line)
    }
    work.perform(
      count: batch.count, item: { OrderedWork.Item(weight: batch[$0].size) },
      prepare: { index in
        Restart.working(on: batch[index].number) { steps.prepared(batch[index], memory) }
      },
      resolve: { index, prepared in
        Restart.working(on: batch[index].number) { session.resolve(prepared) }
      },
      finish: { index, resolved in
        Restart.working(on: batch[index].number) { steps.answer(to: resolved) }
      },
      deliver: { index, answer in deliver(answer, batch[index]) })
  }

  private mutating func deliver(_ answer: WorkerAnswer, _ line: WorkerLines.Line) {
    statistics.add(answer)
    output += answer.line
    lastAnswered = line
  }

  private mutating func flush() {
    guard let line = lastAnswered else { return }
    let counts = session.cacheCounts
    statistics.add(counts.since(knownCacheCounts))
    knownCacheCounts = counts
    Restart.undivided {
      outlets.answers(output)
      lines.drop(upTo: line)
      statistics.commit()
    }
    output.removeAll(keepingCapacity: output.capacity <= 4 * Self.outputSize)
    lastAnswered = nil
  }

  // MARK: Besides

  private mutating func printProblems() {
    for problem in session.takeProblems() { outlets.problem(problem) }
  }

  private mutating func writeRequestedStatistics() {
    guard let write = outlets.statistics, RequestSignal.take() else { return }
    flush()
    write(statistics.line)
  }
}

extension WorkerSteps {
  /// Reads a line. One that ended the program before is answered with that.
  fileprivate func prepared(_ line: WorkerLines.Line, _ memory: KeptMemory) -> Prepared {
    var failure: WorkerFailure?
    if memory.hasMarks, let reason = memory.reason(ofMarked: line.number) {
      failure =
        reason == Restart.timeout
        ? .timeout(seconds: options.timeout) : .crash(signal: CInt(truncatingIfNeeded: reason))
    }
    switch line.content {
    case .whole(let bytes):
      if let failure {
        return prepared(
          WorkerRecord(start: Array(bytes.prefix(WorkerRecord.idSize)), failure: failure))
      }
      return prepared(WorkerRecord(line: bytes))
    case .overlong(let start):
      return prepared(
        WorkerRecord(start: start, failure: failure ?? .tooLarge(limit: options.recordSize)))
    }
  }
}

/// How a worker answers.
package struct WorkerOptions: Sendable {
  package var symbolication = SymbolicationOptions()
  package var output = WorkerOutput.json
  /// How many bytes a line may have.
  package var recordSize: UInt64 = 64 << 20
  /// How many records may be under way.
  package var window = 4
  /// How many seconds a record may take; 0 for any number.
  package var timeout = 60
  /// After how many seconds symbols that were missing are looked for again.
  package var retryInterval = 60

  package init() {}

  /// The size that an option states; nil for anything but a size above 0.
  package static func recordSize(_ text: String) -> UInt64? {
    CacheLimit.size(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// About how many bytes the answers may take that are kept for later records.
  var answerMemory: UInt64 { min(256 << 20, symbolication.limits.decodedSize / 4) }
}

/// What the answer to a record carries.
package enum WorkerOutput: String, CaseIterable, Sendable {
  /// The completed report as a text.
  case report
  /// The document of docs/json.md.
  case json
  /// A few lines for people.
  case summary
}
