import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Whole reports: those in `Fixtures/SwiftBacktrace/Reports`, which Swift 6.3.1 wrote. The expected
/// values were read off them.
struct SwiftBacktraceReportTests {
  @Test func unsymbolicated() throws {
    let text = try ParsedText(swiftFixture: "ladder-off.log")
    let report = try text.report
    expectEqual(report.format, .swiftBacktrace)
    expectEqual(report.facts.exception.signal, "SIGSEGV")
    expectEqual(report.facts.exception.subtype, "Bad pointer dereference at 0x0000000000000008")
    expectEmpty(report.facts.exception.codes)
    expectEqual(report.facts.architecture, .x86_64)
    expectEqual(report.facts.system.name, "Linux")
    expectEqual(report.facts.system.version, "Debian GNU/Linux 12 (bookworm)")
    expectEqual(report.fields("Platform"), ["x86_64 Linux (Debian GNU/Linux 12 (bookworm))"])
    expectEqual(report.facts.process.name, "ladder")
    expectEqual(report.facts.process.path, "/srv/crash/ladder")
    expectEqual(report.facts.crashedThread, 0)
    expectFalse(report.omitsImages)
    expectEmpty(report.faults)
    let thread = try require(report.crashedThread)
    expectEqual(report.threads.count, 1)
    expectEqual(thread.number, 0)
    expectEqual(thread.name, "ladder")
    expectEqual(thread.frames.map(\.index), [0, 1, 2, 3, 4, 5, 6, 19, 20, 21, 22])
    expectEqual(thread.frames[0].addressKind, .programCounter)
    expectEqual(thread.frames[0].address, LoadAddress(0x5555_5555_5e89))
    expectTrue(thread.frames.dropFirst().allSatisfy { $0.addressKind == .returnAddress })
    expectTrue(thread.frames.allSatisfy { $0.symbol == nil && $0.imageName == nil })
    expectEqual(thread.omissions.map { text[$0] }, [" 7      ...", "23      ..."])
    let image = try require(report.images.first)
    expectEqual(report.images.count, 1)
    expectEqual(image.name, "ladder")
    expectEqual(image.path, "/srv/crash/ladder")
    expectEqual(image.loadAddress, LoadAddress(0x5555_5555_4000))
    expectEqual(image.lastAddress, LoadAddress(0x5555_5555_5fbf))
    expectEqual(image.byteCount, 0x1fc0)
    expectEqual(image.identity?.description.count, 40)
    // From the first headline to the time that it took.
    expectPrefix(text[report.byteRange], "*** Signal 11: ")
    expectSuffix(text[report.byteRange], "\nBacktrace took 0.00s")
    expectNesting(report, "ladder")
  }

  @Test func asynchronousFramesAndAttributes() throws {
    let frames = try require(ParsedText(swiftFixture: "bank-full.log").report.crashedThread)
      .frames
    expectEqual(
      frames.map(\.addressKind),
      [
        .programCounter, .programCounter, .returnAddress, .returnAddress, .asyncResumePoint,
        .asyncResumePoint, .asyncResumePoint, .asyncResumePoint, .asyncResumePoint,
        .asyncResumePoint,
      ])
    expectEqual(frames.indices.filter { frames[$0].isInlined }, [0, 2])
    expectEqual(frames.indices.filter { frames[$0].values?.isSystem == true }, [0, 7, 9])
    expectEqual(frames.indices.filter { frames[$0].values?.isThunk == true }, [6, 8])
    expectEqual(
      frames[3].symbol,
      FrameSymbol(
        name: "Account.balance(_:)", offset: 47, file: "/home/builder/crash/Bank.swift",
        line: 13, column: 12))
    // An inlined call. Its code belongs to no line.
    expectEqual(
      frames[0].symbol,
      FrameSymbol(
        name: "specialized Array.subscript.getter", file: "//<compiler-generated>", line: 0,
        isInlined: true))
    expectEqual(frames[9].imageName, "libswift_Concurrency.so")
    expectTrue(
      frames[8].symbol?.name.hasSuffix("@callee_guaranteed @async () -> (@out A)") == true
        && frames[8].symbol?.file == nil)
  }

  @Test func threadsWithRegistersBeforeTheirFrames() throws {
    let report = try ParsedText(swiftFixture: "workers-full.log").report
    expectEqual(report.threads.map(\.number), [0, 1, 2])
    expectEqual(report.threads.map(\.name), ["workers", "worker", "worker"])
    expectEqual(report.crashedThread?.number, 1)
    expectEqual(report.threads.map(\.frames.count), [1, 6, 1])
    expectEqual(report.threads.map(\.omissions.count), [1, 1, 1])
    expectEqual(report.facts.exception.subtype, "Swift runtime failure: Division by zero")
    expectEqual(report.images.count, 14)
    expectEmpty(report.faults)
    let libc = report.image(containing: LoadAddress(0x7fff_f73d_bf16))
    expectEqual(libc?.name, "libc.so.6")
    // The end is exclusive.
    let workers = try require(report.images.first { $0.name == "workers" })
    let end = workers.loadAddress.value + workers.byteCount
    expectNil(report.image(containing: LoadAddress(end)))
    expectEqual(report.image(containing: LoadAddress(end - 1))?.name, "workers")
  }

  /// Escape sequences, a headline printed over another one, no addresses, and source code between
  /// the frames.
  @Test func inColoursForPeople() throws {
    let report = try ParsedText(swiftFixture: "bank-friendly.log").report
    expectEqual(report.facts.exception.signal, "SIGILL")
    expectEqual(report.facts.exception.subtype?.hasPrefix("Illegal instruction at 0x"), true)
    expectEmpty(report.images)
    expectTrue(report.omitsImages)
    let frames = try require(report.crashedThread).frames
    expectEqual(
      frames.map { "\($0.symbol?.name ?? "") \($0.symbol?.line ?? -1)" },
      [
        "entry(_:_:) 2", "total(_:upTo:) 5", "Account.balance(_:) 13", "transfer(_:) 19",
        "closure #1 in static Bank.main() 25",
      ])
    expectEqual(frames.map(\.imageName), [String?](repeating: "bank", count: 5))
    expectTrue(
      frames.allSatisfy { $0.address == nil && $0.symbol?.file?.hasSuffix("Bank.swift") == true })
    expectEqual(frames[0].symbol?.offset, 24)
  }

  @Test func inColoursWithAddresses() throws {
    let text = try ParsedText(swiftFixture: "ladder-colour.log")
    let plain = try ParsedText(swiftFixture: "ladder-off.log").report
    let report = try text.report
    expectEqual(report.facts.exception, plain.facts.exception)
    expectEqual(report.facts.system, plain.facts.system)
    let frames = try require(report.crashedThread).frames
    let expected = try require(plain.crashedThread).frames
    expectEqual(frames.map(\.index), expected.map(\.index))
    expectEqual(frames.map(\.address), expected.map(\.address))
    expectEqual(frames.map(\.addressKind), expected.map(\.addressKind))
    expectEqual(text.text(frames[1].values?.parts?.index), "1")
    expectEqual(text.text(frames[1].values?.parts?.address), "0x0000555555555e78")
    expectTrue(report.images.count == 14 && report.images[0].name == "ladder")
    expectEqual(report.images[0].identity, plain.images[0].identity)
  }

  /// Collectors of logs put a time or a name before each line.
  @Test(arguments: ["2026-11-21T22:37:52.2611220Z ", "bank-1  | ", "    ", "> "])
  func afterAPrefix(prefix: String) throws {
    let plain = try ParsedText(swiftFixture: "bank-full.log")
    let lines = String(decoding: plain.bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let text = try ParsedText(
      "\(prefix)Building\n" + lines.map { prefix + $0 }.joined(separator: "\n"))
    let (report, expected) = (try text.report, try plain.report)
    let (frames, expectedFrames) = (
      try require(report.crashedThread).frames, try require(expected.crashedThread).frames
    )
    expectEqual(frames.map(\.symbol), expectedFrames.map(\.symbol))
    expectEqual(frames.map(\.addressKind), expectedFrames.map(\.addressKind))
    expectEqual(
      frames.map { text.text($0.byteRange) }, expectedFrames.map { plain.text($0.byteRange) })
    expectEqual(report.images.map(\.path), expected.images.map(\.path))
    expectEqual(report.facts.exception, expected.facts.exception)
  }

  /// Output of the program that did not end its line is not a prefix.
  @Test func afterAnUnfinishedLine() throws {
    let text = try ParsedText(
      "50 % done*** Program crashed: Illegal instruction at 0x0000000000001000 ***\n\nThread 0 crashed:\n\n0 0x0000000000001000\n"
    )
    try expectEqual(text.report.crashedThread?.frames.count, 1)
  }

  @Test func severalInOneInput() throws {
    let first = try ParsedText(swiftFixture: "bank-off.log")
    let second = try ParsedText(swiftFixture: "workers-full.log")
    // The first one was cut: nothing closes it.
    let cut = Array(
      String(decoding: first.bytes, as: UTF8.self).prefix { $0 != "–" }.utf8)
    let lines = Array("test 1\n".utf8)
    let text = try ParsedText(
      bytes: lines + first.bytes + lines + cut + second.bytes + lines + second.bytes)
    expectEqual(text.reports.map(\.threads.count), [1, 1, 3, 3])
    expectEqual(text.reports.map(\.images.count), [2, 0, 14, 14])
    expectEqual(
      text.reports.map(\.facts.exception.signal), ["SIGILL", "SIGILL", "SIGILL", "SIGILL"])
  }

  /// An Apple report and a Swift backtrace, one after the other.
  @Test func besideAnotherKindOfReport() throws {
    let swift = try ParsedText(swiftFixture: "bank-off.log").bytes
    let apple = Array(
      "Process: A [1]\nPath: /A\n\nThread 0 Crashed:\n0   A 0x0000000000001010 0x1000 + 16\n".utf8)
    let reports = try CrashLogParser.parse(swift + apple)
    expectEqual(reports.map(\.format), [.swiftBacktrace, .crashText])
    expectEqual(reports.map(\.threads.count), [1, 1])
  }

  @Test func withCarriageReturns() throws {
    let plain = try ParsedText(swiftFixture: "bank-full.log")
    let text = try ParsedText(
      String(decoding: plain.bytes, as: UTF8.self).replacing("\n", with: "\r\n"))
    let frames = try require(text.report.crashedThread).frames
    expectEqual(
      frames.map(\.symbol), (try require(plain.report.crashedThread).frames).map(\.symbol))
    try expectEqual(text.report.images.map(\.path), plain.report.images.map(\.path))
  }

  /// Windows has exceptions instead of signals, and its paths begin with the letter of a drive.
  /// From a real report.
  @Test func ofWindows() throws {
    let text = try ParsedText(
      """
      *** Exception c0000005: Backtracing from 0x7ff715ac1464... done ***

      *** Program crashed: Access violation at 0x0000000000000006 ***

      Platform: x86_64 Windows 11.0 build 26200

      Thread 0 crashed:

      0               0x00007ff715ac1464 level4() + 388 in crashMe.exe at S:\\crash me\\crashMe.swift:16
      1 [ra] [system] 0x00007ffd5156c48c <unknown> in ntdll.dll

      Images (23 omitted):

      0x00007ff715ac0000–0x00007ff715ac2600 8a15f8d333aeebaa4c4c44205044422e01000000 crash me.exe S:\\crash me\\crash me.exe
      0x00007ffd514e0000–0x00007ffd51653000 <no build ID>                            ntdll.dll    C:\\windows\\ntdll.dll
      """)
    let report = try text.report
    let facts = report.facts
    expectTrue(facts.exception.signal == nil && facts.exception.codes == [0xc000_0005])
    expectEqual(facts.exception.subtype, "Access violation at 0x0000000000000006")
    expectEqual(facts.system.name, "Windows")
    expectEqual(facts.system.version, "11.0")
    expectEqual(facts.system.build, "26200")
    let frames = try require(report.crashedThread).frames
    expectEqual(
      frames[0].symbol,
      FrameSymbol(
        name: "level4()", offset: 388, file: "S:\\crash me\\crashMe.swift", line: 16))
    expectTrue(frames[1].symbol == nil && frames[1].imageName == "ntdll.dll")
    expectEqual(frames[1].values?.isSystem, true)
    expectEqual(report.images.map(\.name), ["crash me.exe", "ntdll.dll"])
    expectEqual(
      report.images.map(\.path), ["S:\\crash me\\crash me.exe", "C:\\windows\\ntdll.dll"])
    expectEqual(report.images.map { $0.identity == nil }, [false, true])
    expectEmpty(report.faults)
  }
}
