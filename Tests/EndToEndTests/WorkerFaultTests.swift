import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// A worker under pressure: pipes that pause, records that are too large or do not end, crashes,
/// and readers that leave. No line is lost, and none is answered twice.
@Suite(.timeLimit(.minutes(60))) struct WorkerFaultTests {
  private static let story =
    (try? String(contentsOfFile: Fixtures.storyReport, encoding: .utf8)) ?? ""

  private static func record(_ id: Int) throws -> String {
    try WorkerAnswers.record(id, report: story) + "\n"
  }

  private static func worker(_ arguments: [String] = []) throws -> ChildProcess {
    try ChildProcess(
      Program.builtProgramPath,
      ["worker", "-d", Fixtures.storyBundle, "--output", "summary"] + arguments)
  }

  /// Reads until so many lines are there.
  private static func lines(_ count: Int, of process: ChildProcess) throws -> WorkerAnswers {
    var bytes: [UInt8] = []
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let next = try process.nextOutput()
      guard !next.isEmpty else { break }
      bytes += next
    }
    return try WorkerAnswers(bytes)
  }

  // MARK: - Pipes

  @Test(arguments: [1, 2]) func eachAnswerComesBeforeTheNextRecord(jobs: Int) throws {
    let process = try Self.worker(["--jobs", "\(jobs)"])
    for id in 0..<3 {
      try process.write(try Self.record(id))
      try expectEqual(Self.lines(1, of: process).identifiers, [id])
    }
    // Half a line is no reason to hold back the answer before it.
    try process.write(try Self.record(3) + "{\"id\":4,")
    try expectEqual(Self.lines(1, of: process).identifiers, [3])
    try process.write("\"report\":\"none\"}")
    expectEqual(process.end(), 0)
    try expectEqual(WorkerAnswers(try process.allOutput()).identifiers, [4])
  }

  /// The worker reads no more than it can answer: the pipe fills up, and the writer waits.
  @Test func theInputWaitsForTheOutput() throws {
    let process = try Self.worker(["--output", "report"])
    let record = Array(try Self.record(0).utf8)
    let flags = fcntl(process.inputDescriptor, F_GETFL)
    #expect(fcntl(process.inputDescriptor, F_SETFL, flags | O_NONBLOCK) >= 0)
    // Nobody reads the answers. What a worker holds is less than 4 MB, and so are the pipes.
    var written = 0
    var pauses = 0
    while pauses < 100, written < 64 << 20 {
      let count = unsafe Platform.write(process.inputDescriptor, record, record.count)
      if count > 0 {
        written += count
      } else {
        pauses += 1
        usleep(20_000)
      }
    }
    #expect(written < 8 << 20)
    _ = kill(process.identifier, SIGKILL)
    process.end()
  }

  @Test func aReaderThatLeavesEndsTheWorkerQuietly() async throws {
    let records = try (0..<200).map { try Self.record($0) }.joined()
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        "set -o pipefail; \"$0\" worker -d \"$1\" | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}",
        Program.builtProgramPath, Fixtures.storyBundle,
      ], input: Array(records.utf8))
    expectEqual(result.status, 74)
    expectEmpty(result.standardError)
  }

  @Test func standardInputThatCannotBeRead() async throws {
    for redirection in ["<&-", "</"] {
      let result = try await Program.run(
        "/bin/sh", ["-c", "exec \"$0\" worker \(redirection)", Program.builtProgramPath])
      expectEqual(result.status, 66)
      expectPrefix(result.standardError, "symbolicate: error: cannot read standard input: ")
    }
  }

  // MARK: - Sizes

  /// Lines of up to the limit are read, with every way in which they end; longer ones are not.
  @Test func recordsThatAreTooLarge() async throws {
    func line(_ id: Int, size: Int) -> String {
      let frame = #"{"id":\#(id),"report":""}"#
      return #"{"id":\#(id),"report":""# + String(repeating: "x", count: size - frame.utf8.count)
        + #""}"#
    }
    let lines = [
      line(1, size: 1024), line(2, size: 1025), line(3, size: 700_000), line(4, size: 1024),
      line(5, size: 5_000_000),
    ]
    for end in ["\n", "\r\n"] {
      let (answers, result) = try await Program.worker(
        ["--max-record", "1K"], lines.joined(separator: end))
      expectEqual(result.status, 0)
      expectEqual(answers.identifiers, [1, 2, 3, 4, 5])
      expectEqual(
        answers.codes,
        ["no-report", "record-too-large", "record-too-large", "no-report", "record-too-large"])
    }
  }

  /// A record that is 100 times as long as allowed is not kept.
  @Test func anOverlongRecordTakesNoMemory() async throws {
    let size = 200 << 20
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        ulimit -v 3000000
        (printf '{"id":1,"report":"'; head -c \(size) /dev/zero | tr '\\0' x; printf '"}\\n{"id":2}\\n') |
          "$0" worker --max-record 1M
        """, Program.builtProgramPath,
      ])
    let answers = try WorkerAnswers(result.standardOutput)
    expectEqual(answers.codes, ["record-too-large", "bad-record"])
    expectEqual(answers.identifiers, [1, 2])
  }

  @Test func reportsBeyondTheLimits() async throws {
    let (answers, _) = try await Program.worker(
      ["--limit", "frames=3"], try Self.record(1) + #"{"id":2,"frames":[]}"# + "\n")
    expectEqual(answers.codes, ["limit", "ok"])
    expectEqual(
      answers.message(0), "the record has more than 3 frames; --limit frames=6 allows more")
  }

  // MARK: - Records that do not end, and crashes

  /// A report so large that a debug build works on it for some seconds.
  private static func slowReport(in directory: TemporaryDirectory) throws -> String {
    try directory.write(slowText.utf8, to: "slow.crash")
  }

  private static let slowText: String = {
    let thread = story.components(separatedBy: "\n").filter {
      $0.contains(" 0x") && $0.first?.isNumber == true
    }
    .joined(separator: "\n")
    var text = story
    for number in 100..<20_000 { text += "\nThread \(number):\n\(thread)\n" }
    return text
  }()

  @Test(arguments: [1, 2]) func aRecordThatTakesTooLong(jobs: Int) async throws {
    let directory = try TemporaryDirectory()
    let slow = try WorkerAnswers.record(["id": 2, "path": try Self.slowReport(in: directory)])
    let statistics = directory.path("stats.json")
    let input =
      try Self.record(1) + slow + "\n" + Self.record(3) + slow + "\n" + slow + "\nno record"
    let codes = ["ok", "timeout", "ok", "timeout", "timeout", "not-json"]
    // On a busy machine a short record may take a second, too.
    var seconds = 1
    var (answers, result) = try await Program.worker(
      ["--timeout", "\(seconds)", "--jobs", "\(jobs)", "--stats", statistics], input)
    while answers.codes != codes, seconds < 8 {
      seconds *= 2
      (answers, result) = try await Program.worker(
        ["--timeout", "\(seconds)", "--jobs", "\(jobs)", "--stats", statistics], input)
    }
    expectEqual(result.status, 0)
    expectEqual(answers.codes, codes)
    expectEqual(answers.identifiers, [1, 2, 3, 2, 2, nil])
    let time = seconds == 1 ? "1 second" : "\(seconds) seconds"
    expectEqual(answers.message(1), "the record took longer than \(time); --timeout allows more")
    let line = try require(WorkerAnswers(Fixtures.bytes(of: statistics)).objects.first)
    expectEqual(line["records"] as? Int, 6)
    expectEqual(line["ok"] as? Int, 2)
    expectEqual((line["failures"] as? [String: Int])?["timeout"], 3)
    #expect(line["restarts"] as? Int ?? 0 >= 1)
  }

  /// The signals of a crash, sent from outside while a record is under way.
  @Test(arguments: [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
  func aCrashIsOneAnswer(signal: CInt) throws {
    let directory = try TemporaryDirectory()
    let slow = try WorkerAnswers.record(["id": 2, "path": try Self.slowReport(in: directory)])
    var process = try Self.worker()
    var answers: WorkerAnswers
    var tries = 0
    repeat {
      tries += 1
      if tries > 1 { process = try Self.worker() }
      try process.write(try Self.record(0))
      try expectEqual(Self.lines(1, of: process).codes, ["ok"])
      // The first of these is answered before the slow one begins, and given again with it.
      try process.write(try Self.record(1) + slow + "\n" + Self.record(3) + "{\"id\":4")
      Self.waitUntilBusy(process.identifier)
      expectEqual(kill(process.identifier, signal), 0)
      answers = try Self.lines(3, of: process)
      // On a busy machine the signal may come when the slow record is done.
    } while answers.codes == ["ok", "ok", "ok"] && tries < 10
    try require(answers.codes == ["ok", "internal", "ok"])
    expectEqual(answers.identifiers, [1, 2, 3])
    expectEqual(answers.message(1)?.contains("signal \(signal)"), true)
    try process.write("}\n")
    try expectEqual(Self.lines(1, of: process).codes, ["bad-record"])
    expectEqual(process.end(), 0)
  }

  /// A crash while no record is under way is one.
  @Test func aCrashWithoutARecord() throws {
    let process = try Self.worker()
    try process.write(try Self.record(0))
    try expectEqual(Self.lines(1, of: process).codes, ["ok"])
    expectEqual(kill(process.identifier, SIGSEGV), 0)
    expectNil(process.end())
  }

  /// Until the process has used some processor time since now: it has begun the slow record then,
  /// whose reading alone takes longer.
  private static func waitUntilBusy(_ process: pid_t) {
    func time() -> Int {
      let fields =
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?
        .components(separatedBy: ") ").last?.components(separatedBy: " ") ?? []
      // Empty after the process has ended: the answers show that.
      return fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Int($1) ?? 0) }
    }
    let start = time()
    for _ in 0..<3000 where time() < start + 40 { usleep(10_000) }
  }

  // MARK: - Statistics

  /// The report has 11 frames, numbered 0 to 10; 6 are in the image with a dSYM.
  private static let storyCounts = [("frames", 11), ("resolved", 6), ("unresolved", 5)]

  @Test func statisticsOnASignalAndAtTheEnd() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("stats.json")
    let process = try Self.worker(["--stats", path])
    try process.write(try Self.record(0) + Self.record(1) + "x\n")
    _ = try Self.lines(3, of: process)
    expectEqual(kill(process.identifier, SIGUSR1), 0)
    while !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
    let first = try require(WorkerAnswers(Fixtures.bytes(of: path)).objects.first)
    expectEqual(first["schema"] as? String, "symbolicate-worker-statistics")
    expectEqual(first["records"] as? Int, 3)
    expectEqual(first["ok"] as? Int, 2)
    expectEqual((first["failures"] as? [String: Int])?["not-json"], 1)
    // Twice what the command counts for one report.
    for (key, count) in Self.storyCounts { expectEqual(first[key] as? Int, 2 * count, "\(key)") }
    #expect(first["cacheHits"] as? Int ?? 0 > 0)
    let missing = try require(first["missing"] as? [[String: Any]])
    expectTrue(missing.allSatisfy { $0["records"] as? Int == 2 })
    try process.write(try Self.record(2))
    expectEqual(process.end(), 0)
    let last = try require(WorkerAnswers(Fixtures.bytes(of: path)).objects.first)
    expectEqual(last["records"] as? Int, 4)
  }

  /// A named pipe that nobody reads: the worker ends all the same.
  @Test func statisticsThatNobodyReads() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("pipe")
    unsafe expectEqual(mkfifo(path, 0o600), 0)
    let (answers, result) = try await Program.worker(["--stats", path], try Self.record(0))
    expectEqual(answers.codes, ["ok"])
    expectEqual(result.status, 73)
    expectContains(result.standardError, "cannot create \(path): ")
  }

  @Test func statisticsThatCannotBeWritten() async throws {
    let (answers, result) = try await Program.worker(
      ["--stats", "/nonexistent-folder/x/stats"], try Self.record(0))
    expectEqual(answers.codes, ["ok"])
    expectEqual(result.status, 73)
  }

  // MARK: - Symbols

  /// Symbols that come later are found, without starting anew: not always by the next record,
  /// because a search that took long on a busy machine is followed by a pause.
  @Test func symbolsThatComeLater() throws {
    let directory = try TemporaryDirectory()
    let process = try ChildProcess(
      Program.builtProgramPath,
      ["worker", "-s", directory.path, "--output", "summary", "--retry", "0"])
    try process.write(try Self.record(0))
    let before = try Self.lines(1, of: process)
    expectEqual(before.lines.first?.contains("GameData.swift"), false)
    try FileManager.default.copyItem(
      atPath: Fixtures.storyDwarfFile, toPath: directory.path("Letter Shuffle"))
    var isFound = false
    for number in 1...600 where !isFound {
      try process.write(try Self.record(number))
      isFound = try Self.lines(1, of: process).lines.first?.contains("GameData.swift:18") == true
      if !isFound { usleep(100_000) }
    }
    expectTrue(isFound)
    expectEqual(process.end(), 0)
  }

  /// A problem with a symbol file is printed once, not for each record.
  @Test func aProblemIsToldOnce() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("Letter Shuffle")
    let whole = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    try Data(whole[..<(whole.count / 2)]).write(to: URL(fileURLWithPath: path))
    let input = try (0..<5).map { try Self.record($0) }.joined()
    let result = try await Program.symbolicate(["worker", "-d", path], input: Array(input.utf8))
    let answers = try WorkerAnswers(result.standardOutput)
    expectEqual(answers.codes, ["ok", "ok", "ok", "ok", "ok"])
    let messages = result.standardError.split(separator: "\n")
    expectFalse(messages.isEmpty)
    expectEqual(Set(messages).count, messages.count)
  }
}
