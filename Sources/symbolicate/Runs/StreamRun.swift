import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SystemPackage
import Wording

/// One run of `symbolicate --stream`: standard input to standard output, each line as soon as it is
/// known to be no part of a report, each report as soon as it is complete.
struct StreamRun {
  private var stream: ReportStream
  private var tally: ReportTally
  /// What is not written yet. It is collected while there is more input.
  private var output: [UInt8] = []
  private var failure: FileWriteError?
  private var statuses: Set<ExitStatus> = []
  private var hasWarned = false
  private var totals = StreamTotals()
  private let download: DownloadLine
  private let limits: ResourceLimits

  private static let chunkSize = 1 << 16
  /// More than a pipe holds: a signal ends the run although input comes without end.
  private static let lastReads = 32

  /// - Parameter look: what standard output is made for.
  init(
    places: SymbolPlaces, options: SymbolicationOptions, look: TerminalLook, strictness: Strictness
  ) {
    download = DownloadLine()
    limits = options.limits
    var job = ReportJob(
      places: places, options: options, progress: ProgressLine.searchProgress(),
      downloadProgress: download.progress)
    // A stream keeps the format of its reports, on a terminal too.
    job.steps.look = look
    job.steps.look.isTerminal = false
    stream = ReportStream(job, limits: options.limits)
    tally = ReportTally(
      places: places, strictness: strictness, reports: ReportInputs(["-"], archiveLimits: nil),
      remainingCount: 0)
  }

  mutating func perform() -> ExitStatus {
    StopSignal.listen()
    do throws(Errno) {
      try readAll()
    } catch {
      Diagnostics.error(InputMessages.unreadable("standard input", error))
      statuses.insert(.unreadableInput)
    }
    stream.end()
    deliver()
    flush()
    if let failure {
      Diagnostics.error(failure)
      statuses.insert(ExitStatus(failure))
    }
    statuses.insert(tally.end())
    // Of what cannot be read, nothing is known.
    if totals.reportCount > 0 || !statuses.contains(.unreadableInput) {
      Diagnostics.line(totals.message)
    }
    if let hint = stream.hint { Diagnostics.note(hint) }
    StopSignal.endProcess()
    return .combined(statuses)
  }

  private mutating func readAll() throws(Errno) {
    while failure == nil {
      let patience = output.isEmpty ? stream.pauseLength : 0
      switch StopSignal.wait(for: .standardInput, milliseconds: patience) {
      case .input:
        guard try readOnce() else { return }
      case .pause where output.isEmpty:
        stream.pause()
        deliver()
        flush()
      case .pause: flush()
      case .signal:
        // What was written before the signal counts.
        for _ in 0..<Self.lastReads where StopSignal.isReadable(.standardInput) {
          guard try readOnce() else { return }
        }
        return
      }
    }
  }

  /// - Returns: false at the end of the input.
  private mutating func readOnce() throws(Errno) -> Bool {
    let chunk = try FileDescriptor.standardInput.readChunk(upTo: Self.chunkSize)
    guard !chunk.isEmpty else { return false }
    stream.take(chunk)
    deliver()
    if output.count >= Self.chunkSize { flush() }
    return true
  }

  private mutating func deliver() {
    while failure == nil {
      if stream.isNextCandidate { flush() }
      guard let next = stream.next() else { return }
      deliver(next)
    }
  }

  private mutating func deliver(_ next: ReportStream.Output) {
    download.clear()
    switch next {
    case .text(let bytes): output += bytes
    case .tooLarge(let bytes):
      output += bytes
      guard !hasWarned else { return }
      hasWarned = true
      Diagnostics.warning(Self.tooLarge(limit: stream.limit))
    case .unreadable(let error, let bytes):
      output += bytes
      Diagnostics.error(
        InputMessages.unreadableReport("standard input", error, limits: limits))
      statuses.insert(.unreadableInput)
    case .result(let result):
      if result.isPainted {
        flush()
        write(result.output, isPainted: true)
      } else {
        output += result.output
      }
      // A candidate that turned out to be none is nothing to speak of.
      guard result.hasReport else { return }
      flush()
      totals.add(result.tally)
      tally.add(result, input: ReportInput("-"), writeError: nil)
    }
  }

  /// - Parameter isPainted: whether the bytes have the control sequences of this program and no
  ///   others.
  private mutating func write(_ bytes: [UInt8], isPainted: Bool = false) {
    guard !bytes.isEmpty, failure == nil else { return }
    failure = FileWriteError.thrown { () throws(FileWriteError) in
      try OutputFile.writeToStandardOutput(bytes, isPainted: isPainted)
    }
  }

  private mutating func flush() {
    write(output)
    output.removeAll(keepingCapacity: output.capacity <= 4 * Self.chunkSize)
  }

  private static func tooLarge(limit: UInt64) -> String {
    let name = ResourceLimit.reportSize
    return
      "what may be a report on standard input has more than \(name.shown(limit)), so it is passed through as it is; \(name.remedy(from: limit))"
  }
}
