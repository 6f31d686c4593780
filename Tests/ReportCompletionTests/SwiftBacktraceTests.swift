import CrashLogParser
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Swift backtraces with and without symbols, of the crashes in `Fixtures/SwiftBacktrace`. The
/// expected output is what Swift's runtime wrote about the same crash with symbols (`…-full.log`).
struct SwiftBacktraceTests {
  static func path(_ name: String) -> String { Fixtures.path("SwiftBacktrace/\(name)") }

  static func log(_ name: String) throws -> String {
    String(decoding: try Fixtures.bytes(of: path("Reports/\(name).log")), as: UTF8.self)
  }

  private static func run(
    _ text: String, with symbols: [String], resymbolicates: Bool = false
  ) -> ReportJob.Result {
    var options = SymbolicationOptions()
    options.resymbolicates = resymbolicates
    var job = ReportJob(symbolPaths: symbols.map { path($0) }, options: options)
    return job.symbolicate(Array(text.utf8), shownPath: "report")
  }

  private static func symbolicated(
    _ text: String, with symbols: [String], resymbolicates: Bool = false
  ) -> String {
    String(
      decoding: run(text, with: symbols, resymbolicates: resymbolicates).output, as: UTF8.self)
  }

  /// The lines of the thread that crashed.
  private static func crashedThread(_ text: String) throws -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try require(
      lines.firstIndex { $0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:") })
    let end = try require(lines[start...].firstIndex(of: "..."))
    let frames = lines[start..<end].filter { $0.contains(" 0x0000") && $0.first == " " }
    return frames.filter { !($0.contains("  0x") && $0.contains("··")) } + ["..."]
  }

  /// Every byte: columns, numbers after omitted frames, inlined calls.
  @Test func isWrittenAsByTheRuntime() throws {
    let output = Self.symbolicated(try Self.log("ladder-off"), with: ["ladder.elf"])
    try expectEqual(output, Self.log("ladder-full"))
  }

  /// The runtime (Swift 6.3.1) shows some inlined calls only if an address has several, and puts
  /// two slashes into the path of compiler-generated code. The rest is the same.
  @Test(arguments: ["bank", "workers"])
  func agreesWithTheRuntime(program: String) throws {
    let output = Self.symbolicated(try Self.log("\(program)-off"), with: ["\(program).elf"])
    let ours = try Self.functions(Self.crashedThread(output))
    let runtime = try Self.functions(Self.crashedThread(Self.log("\(program)-full")))
    expectTrue(ours.count == runtime.count && ours.count > 4)
    for (line, expected) in zip(ours, runtime) {
      // No symbol file was given.
      if expected.contains("libswift_Concurrency.so") { continue }
      expectEqual(line, expected.replacing("at //<", with: "at /<"))
    }
  }

  /// The lines of functions with code of their own, without index and with one space between
  /// columns.
  private static func functions(_ lines: [String]) -> [String] {
    lines.filter { !$0.contains("[inlined]") && $0 != "..." }.map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
  }

  /// Every line of the thread. Functions, files, lines and columns are from `llvm-symbolizer-19
  /// --inlines` and `swift-demangle --simplified` for the address, or for a return address the byte
  /// before it. For the last frame it gives the name of the object file as its location.
  @Test func withAllInlinedCalls() throws {
    let output = Self.symbolicated(try Self.log("bank-off"), with: ["bank.elf"])
    let source = "/home/builder/crash/Bank.swift"
    try expectEqual(
      Self.crashedThread(output),
      [
        "  0 [inlined] [system] 0x0000555555557198 Swift runtime failure: Index out of range in bank at /<compiler-generated>",
        "  1 [inlined] [system] 0x0000555555557198 specialized Array._checkSubscript(_:wasNativeTypeChecked:) in bank at /<compiler-generated>",
        "  2 [inlined] [system] 0x0000555555557198 specialized Array.subscript.getter in bank at /<compiler-generated>",
        "  3                    0x0000555555557198 entry(_:_:) + 24 in bank at \(source):2:75",
        "  4 [ra] [inlined]     0x00005555555573a0 total(_:upTo:) in bank at \(source):5:3",
        "  5 [ra]               0x00005555555573a0 Account.balance(_:) + 47 in bank at \(source):13:12",
        "  6 [async]            0x0000555555557570 transfer(_:) in bank at \(source):19",
        "  7 [async]            0x0000555555557740 closure #1 in static Bank.main() in bank at \(source):25",
        "  8 [async] [thunk]    0x0000555555557fb0 partial apply for closure #1 in static Bank.main() in bank at /<compiler-generated>",
        "  9 [async] [system]   0x0000555555557c80 specialized thunk for @escaping @isolated(any) @callee_guaranteed @async () -> (@out A) in bank at /<compiler-generated>",
        " 10 [async] [thunk]    0x00005555555581b0 partial apply for specialized thunk for @escaping @isolated(any) @callee_guaranteed @async () -> (@out A) in bank",
        " 11 [async]            0x00007ffff7f8f310",
        "...",
      ])
  }

  /// `symbolicate=fast` names the function but gives the location of the innermost inlined call.
  @Test func resymbolicated() throws {
    let named = try Self.log("bank-fast")
    expectEqual(Self.symbolicated(named, with: ["bank.elf"]), named)
    let fast = try Self.crashedThread(
      Self.symbolicated(named, with: ["bank.elf"], resymbolicates: true))
    let off = try Self.crashedThread(
      Self.symbolicated(try Self.log("bank-off"), with: ["bank.elf"]))
    expectEqual(fast.dropLast(2), off.dropLast(2))
    // The inlined calls that were found replace those in the report.
    let full = try Self.crashedThread(
      Self.symbolicated(try Self.log("bank-full"), with: ["bank.elf"], resymbolicates: true))
    expectEqual(full, fast)
  }

  /// Names without locations, as from a program without DWARF, get locations and inlined calls.
  @Test func namesGetTheirLocations() throws {
    let full = try Self.log("ladder-full")
    let places = full.replacing(#/\ at /home/builder/crash/Ladder.swift:[0-9:]+/#, with: "")
    let names = places.replacing(/\n  0 \[inlined\] .+\n/, with: "\n")
    try require(names.utf8.count < places.utf8.count && places.utf8.count < full.utf8.count)
    let lines = names.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // One frame fewer precedes each.
      guard let index = Int(line.prefix(3).drop { $0 == " " }) else { return String(line) }
      let digits = String(index - 1)
      return String(repeating: " ", count: 3 - digits.count) + digits + line.dropFirst(3)
    }
    let output = Self.symbolicated(lines.joined(separator: "\n"), with: ["ladder.elf"])
    expectEqual(output, full)
  }

  @Test(arguments: ["bank", "ladder", "workers"])
  func aSecondRunChangesNothing(program: String) throws {
    let symbols = ["\(program).elf"]
    let output = Self.symbolicated(try Self.log("\(program)-off"), with: symbols)
    expectEqual(Self.symbolicated(output, with: symbols), output)
  }

  @Test(arguments: [
    "bank-off", "bank-full", "bank-fast", "bank-friendly", "bank-medium", "bank-no-images",
    "ladder-off", "ladder-full", "ladder-colour", "workers-off", "workers-full",
  ])
  func withoutSymbolsNothingChanges(name: String) throws {
    let text = try Self.log(name)
    let result = Self.run(text, with: [])
    expectTrue(result.hasReport)
    expectEqual(result.output, Array(text.utf8))
  }

  /// What is new has the colours that the runtime gives it (`Themes.swift` of swift-backtrace); the
  /// text is the runtime's.
  @Test func withColours() throws {
    let text = try Self.log("ladder-colour")
    let output = Self.symbolicated(text, with: ["ladder.elf"])
    let plain = output.replacing(/\u{1b}\[[0-9;]*m/, with: "").replacing(/\ +\n/, with: "\n")
    try expectEqual(Self.crashedThread(plain), Self.crashedThread(Self.log("ladder-full")))
    let frame =
      "  \u{1b}[90m0\u{1b}[39m \u{1b}[34m[inlined]\u{1b}[39m \u{1b}[32m0x0000555555555e89\u{1b}[39m "
      + "\u{1b}[96mread(_:)\u{1b}[39m in \u{1b}[36mladder\u{1b}[39m at "
      + "\u{1b}[33m/home/builder/crash/Ladder.swift:3:44\u{1b}[39m\n"
      + "  \u{1b}[90m1\u{1b}[39m           \u{1b}[32m0x0000555555555e89\u{1b}[39m "
      + "\u{1b}[96mclimb(_:)\u{1b}[39m\u{1b}[37m + 41\u{1b}[39m in \u{1b}[36mladder\u{1b}[39m at "
      + "\u{1b}[33m/home/builder/crash/Ladder.swift:9:15\u{1b}[39m\n"
    expectTrue(output.contains(frame))
    expectEqual(Self.symbolicated(output, with: ["ladder.elf"]), output)
    // Everything else is as it was.
    let lines = Set(output.split(separator: "\n"))
    for line in text.split(separator: "\n") where !line.contains(/0m[0-9]+\u{1b}/) {
      expectTrue(lines.contains(line))
    }
  }

  /// Other colours than the runtime's stay, and what is new has none.
  @Test func withOtherColours() throws {
    let text = try Self.log("ladder-colour").replacing("\u{1b}[32m", with: "\u{1b}[35m")
    let output = Self.symbolicated(text, with: ["ladder.elf"])
    expectTrue(
      output.contains(
        "\u{1b}[90m1\u{1b}[39m      \u{1b}[35m0x0000555555555e89\u{1b}[39m climb(_:) + 41 in ladder"
      ))
  }

  /// Lines keep the prefix that a log collector put before them, and new lines get it, too.
  @Test func afterAPrefix() throws {
    func prefixed(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { "ladder-1  | \($0)" }
        .joined(separator: "\n")
    }
    let output = Self.symbolicated(prefixed(try Self.log("ladder-off")), with: ["ladder.elf"])
    expectEqual(output, prefixed(try Self.log("ladder-full")))
  }

  @Test func withCarriageReturns() throws {
    func windows(_ text: String) -> String { text.replacing("\n", with: "\r\n") }
    let output = Self.symbolicated(windows(try Self.log("ladder-off")), with: ["ladder.elf"])
    expectEqual(output, windows(try Self.log("ladder-full")))
  }

  @Test func withoutAListOfImages() throws {
    let result = Self.run(try Self.log("bank-no-images"), with: ["bank.elf"])
    expectTrue(
      result.notes.contains(
        "8 frames are in an unknown image: the report lists no images; set SWIFT_BACKTRACE=images=mentioned, and Swift's runtime lists them"
      ))
  }

  /// An image without a build-id is matched by its name.
  @Test func byNameWithoutABuildId() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Self.path("ladder.elf"), to: "ladder")
    let text = try Self.log("ladder-off").replacing(/[0-9a-f]{40}/, with: "<no build ID>")
    var job = ReportJob(symbolPaths: ["\(directory.path)/ladder"])
    let result = job.symbolicate(Array(text.utf8), shownPath: "report")
    let output = String(decoding: result.output, as: UTF8.self)
    try expectEqual(Self.crashedThread(output), Self.crashedThread(Self.log("ladder-full")))
    expectTrue(result.notes.contains { $0.contains("was matched to ladder by name alone") })
    // A different build is not used.
    let other = try Self.log("ladder-off").replacing(/[0-9a-f]{40}/, with: "aabbccdd")
    expectEqual(Self.symbolicated(other, with: ["ladder.elf"]), other)
  }

  @Test func asJson() throws {
    let document = try JsonFixture.document(
      try Self.log("bank-off").utf8, with: [Self.path("bank.elf")])
    let report = try require(document.reports.first)
    expectEqual(report.format, "swiftBacktrace")
    expectEqual(report.architecture, "x86_64")
    expectEqual(report.os.name, "Linux")
    expectEqual(report.os.version, "Debian GNU/Linux 12 (bookworm)")
    expectEqual(report.exception.signal, "SIGILL")
    expectEqual(report.exception.subtype, "Illegal instruction at 0x0000555555557198")
    let backtrace = try require(report.backtraces.first)
    expectTrue(backtrace.crashed)
    expectEqual(backtrace.number, report.crashedThread)
    expectEqual(backtrace.name, "oot.default-qos")
    expectEqual(backtrace.frames.map(\.index), Array(0..<12))
    expectEqual(backtrace.frames[5].function, "Account.balance(_:)")
    // As the runtime has it in bank-full.json.
    expectEqual(backtrace.frames[5].rawName, "$s4Bank7AccountC7balanceyS2iYaFTY1_")
    expectEqual(backtrace.frames[5].column, 12)
    // The distance to the address itself, as in every report.
    expectEqual(backtrace.frames[5].offset, 48)
    expectEqual(report.images.first?.matchedBy, "uuid")
    expectEqual(report.images.first?.loadAddress, "0x555555554000")
    // The end of the code is exclusive in the report.
    expectEqual(report.images.first?.lastAddress, "0x55555555846f")
  }

  /// The report does not name the process. Line 2 of Bank.swift reads the array.
  @Test func userCodeWithoutTheNameOfTheProcess() throws {
    let text = JsonFixture.output(
      try Self.log("bank-off").utf8, as: .summary, with: [Self.path("bank.elf")])
    expectEqual(
      text.split(separator: "\n").dropFirst().first,
      "Bank.swift:2 in entry(_:_:) — Swift runtime failure: Index out of range")
  }

  @Test func asASummary() throws {
    let text = JsonFixture.output(
      try Self.log("workers-off").utf8, as: .summary, with: [Self.path("workers.elf")])
    expectEqual(
      text,
      """
      workers, Linux Debian GNU/Linux 12 (bookworm), x86_64
      Workers.swift:16 in specialized Worker.divide(_:by:) — Swift runtime failure: Division by zero
      SIGILL: Illegal instruction at 0x00005555555564b1
      thread 1 crashed (worker):
        0  workers  Swift runtime failure: Division by zero (/<compiler-generated>:0) [inlined]
        1  workers  specialized Worker.divide(_:by:) (Workers.swift:16)
        2  workers  Worker.divide(_:by:) (/<compiler-generated>:0) [inlined]
        3  workers  Worker.run() (Workers.swift:12)
        4  workers  closure #1 in start(_:) (Workers.swift:27)
        5  workers  @objc closure #1 in start(_:) (/<compiler-generated>:0)
      signature 03e72d7f064d7ca6: SIGTRAP | Worker.divide(_:by:) | Worker.run() | closure in start(_:)
      4 of 6 frames resolved; no symbols for 2 frames of system libraries

      """)
  }
}
