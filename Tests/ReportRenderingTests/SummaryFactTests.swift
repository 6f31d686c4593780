import ReportTestSupport
import TestSupport
import Testing

/// The facts in summaries: what else the report says, and which symbols would help most.
struct SummaryFactTests {
  /// A report of a Mac with these lines in its head, and below it.
  private static func mac(_ lines: String..., body: String = "") -> String {
    """
    Process: App [41]
    Identifier: com.example.App
    Date/Time: 2026-05-01 11:00:00.7819 -0400
    Launch Time: 2026-05-01 10:59:44.0241 -0400
    Exception Type: EXC_BAD_ACCESS (SIGSEGV)
    \(lines.joined(separator: "\n"))

    \(body)
    Thread 0 Crashed:
    0   App   0x0000000100001000 main + 8

    """
  }

  /// Each fact once, in the order of docs/cli.md.
  @Test func circumstances() {
    let text = Self.mac(
      "Code Type: X86-64 (Translated)", "Hardware Model: Mac16,12",
      "Incident Identifier: D45B85C7-5FB9-456A-99C4-372C53C6B026", "Role: Background",
      "Parent Process: launchd [1]", "Responsible: Terminal [82]", "Beta Identifier: 1F",
      "Time Awake Since Boot: 14000 seconds",
      "Termination Reason: SIGNAL 11 Segmentation fault: 11",
      "Terminating Process: exc handler [41]",
      body: """
        VM Region Info: 0x10 is not in any region.  Bytes before following region: 4343201776
              REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
              UNUSED SPACE AT START
        --->
              __TEXT                 102e00000-102e04000   [   16K] r-x/r-x SM=COW  /App

        Kernel Triage:
        VM - pmap_enter failed with resource shortage
        VM - pmap_enter failed with resource shortage

        Application Specific Information:
        abort() called
        CoreSimulator 1010 - Device: iPhone
        the app was asked to stop

        """)
    let lines = summary(text)
    expectEqual(lines[0], "App, pid 41, x86_64, 2026-05-01 11:00:00.7819 -0400")
    expectEqual(
      lines.filter { $0 != lines[1] }.dropFirst().prefix { !$0.hasPrefix("thread") },
      [
        "EXC_BAD_ACCESS (SIGSEGV)", "memory region: 0x10 is not in any region",
        "kernel triage: VM - pmap_enter failed with resource shortage",
        "Mac16,12, incident D45B85C7-5FB9-456A-99C4-372C53C6B026, 16.757 s after launch, system awake for 14000 s, Background, parent launchd [1], responsible Terminal [82], translated (Rosetta), TestFlight",
      ])
    expectSuffix(lines[1], "the app was asked to stop")
  }

  /// Texts with several lines are indented, and none of their lines looks like one of a report or
  /// of the summary.
  @Test func linesOfTexts() {
    let text = JsonFixture.ips.replacing(
      "\"faultingThread\"",
      with:
        #""asi":{"lib":["first words\nThread 9 Crashed:\n0   Fake   0x0000000000000001 evil + 1\n"]},"faultingThread""#
    )
    expectTrue(text.contains("asi"))
    let lines = summary(text)
    let expected = [
      // The first is in the headline.
      "    \u{fffd}Thread 9 Crashed:",
      "    \u{fffd}0   Fake   0x0000000000000001 evil + 1",
    ]
    for line in expected { expectContains(lines, line) }
  }

  /// A value that is a line of its own is none of those either.
  @Test(arguments: [
    "Thread 9 Crashed:", "thread 9 crashed (main):", "0   Fake   0x1 evil + 1", "last exception:",
    "frames:", "signature 0123456789abcdef: evil", "Binary Images:", "::error::evil",
  ])
  func valuesThatLookLikeHeadings(value: String) {
    for text in [
      Self.mac("Termination Reason: \(value)").replacing("Process: App", with: "Process: \(value)"),
      JsonFixture.ips.replacing("\"EXC_BREAKPOINT\"", with: "\"\(value)\""),
    ] {
      for line in summary(text) {
        expectFalse(line.hasPrefix(value), line)
      }
    }
  }

  @Test func whoEndedIt() {
    func termination(_ lines: String...) -> String? {
      summary(Self.mac(lines.joined(separator: "\n"))).first { $0.hasPrefix("terminated") }
    }
    expectNil(termination("Termination Reason: SIGNAL 11 Segmentation fault: 11"))
    expectNil(termination("Termination Signal: Segmentation fault: 11"))
    expectNil(
      termination("Termination Reason: SIGNAL 11 x", "Terminating Process: exc handler [41]"))
    expectNil(termination("Termination Reason: SIGNAL 11 x", "Terminating Process: App [41]"))
    expectEqual(
      termination("Termination Reason: SIGNAL 9 Killed: 9", "Terminating Process: kill [7]"),
      "terminated by kill [7]")
  }

  @Test func memoryRegions() {
    for (body, expected) in [
      (
        "VM Region Info: 0x16f0ac000 is in 0x16b8a8000-0x16f0ac000;  bytes after start: 1\n      REGION TYPE\n--->  STACK GUARD              16b8a8000-16f0ac000   [ 56.0M] ---/rwx SM=NUL  stack guard for thread 0\n",
        "memory region: STACK GUARD 16b8a8000-16f0ac000 [ 56.0M] ---/rwx SM=NUL stack guard for thread 0"
      ),
      (
        "VM Regions Near 0x7fc148e8fb8:\n    VM_ALLOCATE   1b0563000-1bd1fb000 [204.6M] rw-/rwx SM=PRV\n-->\n    JS JIT   59d9c0c00000-59d9c8c00000 [128.0M] rwx/rwx SM=COW\n",
        "memory region: 0x7fc148e8fb8 is not in any region"
      ),
      (
        "VM Region Info: 0x33bb40320 is not in any region.  Bytes after previous region: 261\n      REGION TYPE\n--->  GAP OF 0xd20000000 BYTES\n",
        "memory region: 0x33bb40320 is not in any region"
      ),
    ] {
      expectContains(summary(Self.mac(body: body)), expected)
    }
  }

  /// A report whose head is cut off may still have the name of its process.
  @Test func namesOfProcesses() {
    let crashed = "Exception Type: EXC_BAD_ACCESS (SIGSEGV)\nCrashed Thread: 0\n"
    let path = "Path: /Applications/Board.app/Contents/MacOS/Board\n"
    let frames = """

      Thread 0 Crashed:
      0   libBoard.dylib   0x0000000100245798 f + 8
      1   org.example.board   0x0000000100245798 main + 483
      2   libdyld.dylib   0x00007fff70169cc9 start + 1

      """
    expectEqual(
      summary(crashed + "Terminating Process: exc handler [363]\n" + frames, with: [])[0],
      "org.example.board, pid 363")
    expectEqual(summary(crashed + path + frames, with: [])[0], "Board")
    expectEqual(
      summary(crashed + frames + "\nBinary Images:\n\(ReportFixture.storyLine)\n", with: [])[0],
      "Letter Shuffle")
  }

  /// Of the images without symbols, the one with the most frames of the crash, then the nearest.
  @Test func symbolsThatHelpMost() {
    let system =
      "0x180000000 - 0x18000ffff libSystem arm64  <00112233445566778899aabbccddeeff> /usr/lib/libSystem"
    let images = (1...3).map {
      "0x\($0)00000000 - 0x\($0)0000ffff A\($0) arm64  <0000000000000000000000000000000\($0)> /private/var/A\($0)"
    }
    func wanted(_ order: [Int]) -> String? {
      let frames = order.enumerated().map { index, image in
        image == 0
          ? ReportFixture.frame(index, 0x1_8000_1000, image: "libSystem", base: 0x1_8000_0000)
          : ReportFixture.frame(
            index, UInt64(image) << 32 | UInt64(0x1000 + index), image: "A\(image)",
            base: UInt64(image) << 32)
      }
      return summary(ReportFixture.report(frames: frames, images: images + [system]), with: [])
        .first { $0.hasPrefix("symbols") }
    }
    let start = "symbols that would help most: "
    expectEqual(
      wanted([0, 0, 0, 1, 2, 2, 3]),
      start + "A2 (UUID 00000000-0000-0000-0000-000000000002, arm64), 2 frames of the crash")
    expectEqual(
      wanted([3, 1, 2]),
      start + "A3 (UUID 00000000-0000-0000-0000-000000000003, arm64), 1 frame of the crash")
    // The last line names it.
    expectNil(wanted([0, 1]))
    expectEqual(
      wanted([0, 0]),
      start
        + "libSystem (UUID 00112233-4455-6677-8899-AABBCCDDEEFF, arm64), 2 frames of the crash (a system library)"
    )
  }
}
