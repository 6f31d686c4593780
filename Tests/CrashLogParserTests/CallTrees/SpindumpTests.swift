import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Spindumps, hang reports and diagnostics as text. The lines have the forms of real reports.
struct SpindumpTests {
  static let text = """
    Date/Time:        2025-12-17 19:00:41.615 -0500
    End time:         2025-12-17 19:00:48.846 -0500
    OS Version:       macOS 12.7.6 (Build 21H1320)
    Architecture:     x86_64h
    Report Version:   35.1
    Incident Identifier: A98C24B4-1E32-4D66-B89B-69F59C6F98D7

    Data Source:      Stackshots

    Command:          App
    PID:              27952

    Event:            hang
    Duration:         7.23s
    Steps:            49 (100ms sampling interval)

    Hardware model:   MacBookPro12,1

    Heaviest stack for the main thread of the target process:
      49  start + 462 (dyld + 21806) [0x115b4652e]
      49  ??? (App + 17460019) [0x10772db33]
      1   ??? (App + 17460119) [0x10772db97]
     *1   hndl_alltraps + 223 (kernel + 39327) [0xffffff800021999f]


    Process:          App [27952]
    UUID:             70CFDCC9-8CE5-37C8-B428-9C01403E01D8
    Path:             /Users/USER/*/App
    Architecture:     x86_64
    Parent:           bash [27378]

      Thread 0x2ca9e    DispatchQueue "com.apple.main-thread"(1)    Thread name "Main  \\"one\\""    49 samples (1-49)    priority 47 (base 47)
      <process frontmost, thread QoS user interactive (requested user interactive), IO tier 0>
      49  start + 462 (dyld + 21806) [0x115b4652e] 1-49
        49  App_main + 9 (App.swift in App + 17460153) [0x10772dbb9] 1-49
          49  static App.main(of: X) + 35 (App.swift:31,1 in App + 17460019) [0x10772db33] 1-49
           *48  ??? (kernel + 1113914) [0xffffff800031ff3a] (running) 1-48
             *48  ??? [0xffffff80002e49e7] (blocked by turnstile waiting for App [1] thread 0x2) 1-48
            1   ??? (<09B91700-68FC-34BA-A747-2D5608FC3383> + 3638816) [0x103728620] 49

      Thread <multiple>    3 samples (2-4)
      3  <truncated backtrace>
        3  ??? (App + 4096) [0x106687000]
        3  ??? [0]

      Binary Images:
               0x106686000 -        0x107800fff  com.example.App 1.0 (14)  <70CFDCC9-8CE5-37C8-B428-9C01403E01D8>  /Users/USER/*/App
               0x115b41000 -                ???  dyld (1042.1)
       *0xffffff8000210000 - 0xffffff80009fffff  kernel (8020.240)  <3A2FCF31-D3D6-3FAC-8C8A-7AE1F5C4D9D5>  /System/Library/Kernels/kernel


    Process:          launchd [1]
    Path:             /sbin/launchd

      Thread 0x9e8    1000 samples (1-1000)
      1000  ??? (launchd + 16) [0x100000010]

      Binary Images:
               0x100000000 -        0x100000fff  launchd (1)  <82C7AC47-6AD4-393A-BF96-7B9D66F265D2>  /sbin/launchd

    Kextstat:
    Index Refs Address            Size       Wired      Name (Version) UUID <Linked Against>
        1  124 0                  0          0          com.apple.kpi.bsd (22.1.0) [0x10]

    """

  static let diagnostic = """
    {"app_name":"App","bug_type":"202","timestamp":"2020-10-18 02:55:57.00 +0100"}
    Date/Time:        2020-10-17 23:26:36.891 +0100
    OS Version:       iPhone OS 14.2 (Build 18B5072f)
    Architecture:     arm64e
    Data Source:      Microstackshots
    Command:          App
    PID:              124

    Event:            cpu usage
    CPU:              90 seconds cpu time over 105 seconds (85% cpu average)
    Duration:         105.5s


    Heaviest stack for the target process:
      6  ??? (App + 14340) [0x1db258804]


    Powerstats for:   App [124]
    UUID:             6192DA47-C99E-33F4-8FC5-CF071E4EE26B
    Path:             /private/var/App
    Num samples:      11 (9%)
      11  ??? (App + 14340) [0x1db258804]
        9   ??? (App + 14348) [0x1db25880c]
          1   <Non-Frontmost App, Suppressed>
        1   ??? (App + 14352) [0x1db258810]

      Binary Images:
               0x1db255000 -                ???  ???                      <6192DA47-C99E-33F4-8FC5-CF071E4EE26B>

    """

  /// The lines between it and the one that shows what it is stand above the report.
  @Test(arguments: ["```", "~~~", "{noformat}"])
  func firstLineBehindAFence(fence: String) throws {
    let names = try ParsedText(fence + Self.text + "\n```\n").reports.map {
      $0.facts.fields.map(\.name)
    }
    expectEqual(names, try ParsedText(Self.text).reports.map { $0.facts.fields.map(\.name) })
    expectEqual(names.first?.first, "Date/Time")
  }

  private static let wakeups = """
    Event:           wakeups
    Wakeups:         45001 wakeups over the last 50 seconds (900 wakeups per second average), \
    exceeding limit of 150 wakeups per second over 300 seconds
    Duration:        43.20s
    Steps:           24
    """

  /// The head alone, in code that begins on its first line.
  @Test(arguments: [
    "it seems\n\n`Date/Time:       2016-12-22 10:02:27 +0800\nOS Version:      iPhone OS 10.1\n",
    "``Date/Time:       2016-12-22 10:02:27 +0800\nOS Version:      iPhone OS 10.1\n", "`", "",
  ])
  func wakeupsInCode(start: String) throws {
    let facts = try ParsedText(
      "\(start)Command:         Board\nPID:             3577\n\n\(Self.wakeups)`\n"
    ).report.facts
    expectEqual(facts.process.name, "Board")
    expectEqual(facts.event, .wakeups)
    expectEqual(facts.eventExtent?.hasPrefix("45001 wakeups over the last 50 seconds"), true)
  }

  /// The part about one process, from which a page took the indentation.
  @Test func statisticsOfOneProcess() throws {
    let report = try ParsedText(
      """
      Example:
      Powerstats for: Game [13095] thread 0x9b152
      UUID: 35BE255F-F3B3-3188-B1E4-12E96CAAD397
      Parent: launchd
      Microstackshots: 55 samples (47%)
      55 start + 1 (libdyld.dylib) [0x7fff8bed55ad]
      55 main + 121 (Game) [0x108ee8d5f]
      52 NSApplicationMain + 1176 (AppKit) [0x7fff8ffed368]

      """
    ).report
    expectEqual(report.format, .microstackshots)
    expectEqual(report.facts.process.name, "Game")
    expectEqual(report.facts.process.identifier, 13095)
    expectEqual(report.allFrames.map(\.symbol?.name), ["start", "main", "NSApplicationMain"])
    expectEqual(report.allFrames.map(\.imageName), ["libdyld.dylib", "Game", "AppKit"])
    expectEqual(report.allFrames.map(\.sampleCount), [55, 55, 52])
  }

  @Test func everyProcessIsAReport() throws {
    let parsed = try ParsedText(Self.text)
    let reports = parsed.reports
    expectEqual(reports.map(\.format), [.spindump, .spindump])
    expectEqual(reports.map(\.facts.process.name), ["App", "launchd"])
    expectEqual(reports.map(\.facts.process.identifier), [27952, 1])
    expectEqual(reports.map(\.facts.event), [.hang, .hang])
    expectEqual(reports.map(\.facts.eventExtent), ["7.23s", "7.23s"])
    expectEqual(reports.map(\.facts.hardwareModel), ["MacBookPro12,1", "MacBookPro12,1"])
    expectEqual(reports.map(\.facts.system.version), ["12.7.6", "12.7.6"])
    expectEqual(reports.map(\.facts.architecture), [.x86_64, Architecture(name: "x86_64h")])
    expectEqual(reports.map(\.facts.fields.count), [18, 2])
    expectEqual(reports.map(\.faults.count), [0, 0])
    expectEqual(reports[0].byteRange.lowerBound, 0)
    // The last process has what follows, too.
    expectSuffix(parsed[reports[0].byteRange], "/System/Library/Kernels/kernel")
    expectSuffix(parsed[reports[1].byteRange], "(22.1.0) [0x10]")
    for report in reports { expectNesting(report, "spindump") }
  }

  @Test func threads() throws {
    let report = try require(ParsedText(Self.text).reports.first)
    let all = report.backtraces
    expectEqual(all.map(\.kind), [.digest, .thread, .thread])
    expectEqual(
      all.map(\.name),
      [
        "Heaviest stack for the main thread of the target process", "Main  \\\"one\\\"", nil,
      ])
    expectEqual(all.map(\.number), [nil, 0x2ca9e, nil])
    expectEqual(all.map(\.dispatchQueue), [nil, "com.apple.main-thread", nil])
    expectEqual(all.map(\.sampleCount), [nil, 49, 3])
    expectEqual(all.map { $0.frames.map(\.depth) }, [[0, 1, 2, 3], [0, 1, 2, 3, 4, 3], [0, 0]])
    expectEqual(
      all.map { $0.frames.map(\.sampleCount) },
      [
        [49, 49, 1, 1], [49, 49, 49, 48, 48, 1], [3, 3],
      ])
  }

  /// Where the kernel was entered, and at leaves, the address is where the thread was.
  @Test func kindsOfAddresses() throws {
    let report = try require(ParsedText(Self.text).reports.first)
    let (call, here) = (FrameAddressKind.returnAddress, FrameAddressKind.programCounter)
    expectEqual(
      report.backtraces.map { $0.frames.map(\.addressKind) },
      [
        [call, call, here, here], [call, call, here, call, here, here], [here, here],
      ])
  }

  @Test func frames() throws {
    let report = try require(ParsedText(Self.text).reports.first)
    let frames = report.backtraces[1].frames
    expectEqual(
      frames.map(\.symbol),
      [
        FrameSymbol(name: "start", offset: 462),
        FrameSymbol(name: "App_main", offset: 9, file: "App.swift", line: 0),
        FrameSymbol(
          name: "static App.main(of: X)", offset: 35, file: "App.swift", line: 31, column: 1),
        nil, nil, nil,
      ])
    expectEqual(frames.map(\.imageName), ["dyld", "App", "App", "kernel", nil, nil])
    expectEqual(
      frames.map { report.image(for: $0)?.identity?.description.prefix(8) },
      [
        nil, "70CFDCC9", "70CFDCC9", "3A2FCF31", "3A2FCF31", "09B91700",
      ])
    expectEqual(
      report.backtraces[2].frames.map(\.address), [LoadAddress(0x1_0668_7000), LoadAddress(0)])
  }

  /// An image that only a frame names, by its UUID, begins where the frame says.
  @Test func images() throws {
    let images = try require(ParsedText(Self.text).reports.first).images
    expectEqual(images.map(\.name), [nil, "com.example.App", "dyld", "kernel"])
    expectEqual(images.map(\.byteCount), [0, 0x117b000, 0, 0x7f0000])
    expectEqual(images.map(\.path?.last), [nil, "p", nil, "l"])
    expectEqual(images.first?.loadAddress, LoadAddress(0x1_0372_8620 - 3_638_816))
  }

  /// Mail and archives of it break lines anywhere; the rest begins with a blank, or is within a
  /// parenthesis. What is indented further, or has a key, is no rest.
  @Test(arguments: [
    ("(85% cpu\n average)", "(85% cpu average)"), ("(85% cpu\naverage)", "(85% cpu average)"),
    ("at 85%\n of a processor", "at 85% of a processor"), ("at 85%\n  of a core", "at 85%"),
    ("at 85%\n Note: none", "at 85%"), ("(85% cpu\n\n average)", "(85% cpu"),
    ("(85% cpu\nNote: none", "(85% cpu"),
  ])
  func valuesThatAreBroken(text: String, value: String) throws {
    let report = try ParsedText(
      "Command:         Board\nPID:             12\n\nEvent:           cpu usage\n"
        + "CPU:             90 s over 105 s \(text)\nDuration:        105.20s\nSteps:           24\n"
    ).report
    expectEqual(report.facts.eventExtent, "90 s over 105 s \(value)")
  }

  /// The fields of the head belong to what is below them, if the first of them were cut off. Those
  /// of a crash are another report.
  @Test(arguments: [
    (
      "OS Version:      iPhone OS 14.2 (Build 18B92)\nIncident Identifier: 1\nReport Version:  32\n",
      1
    ),
    ("Process:         Deck [7]\nOS Version:      iPhone OS 14.2\nException Type:  EXC_CRASH\n", 2),
  ])
  func headsThatAreCut(head: String, count: Int) throws {
    let reports = try ParsedText(
      "\(head)\nData Source:     Microstackshots\nShared Cache:    D949F5BB slid base\n address 0x1914\n\n"
        + "Command:         Board\nPID:             12\n\nEvent:           cpu usage\n"
        + "Action taken:    none\nCPU:             90 s\nSteps:           24\n\n"
        + "Heaviest stack for the target process:\n  18  ??? (Board + 14340) [0x1db258804]\n"
    ).reports
    expectEqual(reports.count, count)
    expectEqual(reports.last?.facts.event, .cpuUsage)
    expectEqual(reports.last?.facts.process.name, "Board")
    expectEqual(reports.last?.facts.system.build, count == 1 ? "18B92" : nil)
  }

  @Test func diagnosticBelowJson() throws {
    let parsed = try ParsedText(Self.diagnostic)
    let report = try parsed.report
    expectEqual(report.format, .microstackshots)
    expectEqual(report.byteRange.lowerBound, 0)
    expectEqual(report.header?.bugType, "202")
    expectEqual(report.facts.bugType, "202")
    expectEqual(report.facts.event, .cpuUsage)
    expectEqual(report.facts.eventExtent, "90 seconds cpu time over 105 seconds (85% cpu average)")
    expectEqual(report.facts.process.identifier, 124)
    expectEqual(report.backtraces.map(\.kind), [.digest, .thread])
    expectEqual(report.backtraces[1].frames.map(\.depth), [0, 1, 1])
    expectEqual(
      report.images.map(\.identity?.description), ["6192DA47-C99E-33F4-8FC5-CF071E4EE26B"])
    expectEqual(report.images.map(\.name), [nil])
    expectTrue(report.allFrames.allSatisfy { report.image(for: $0) != nil })
    expectEmpty(report.faults)
    expectNesting(report, "diagnostic")
  }

  /// The line of JSON belongs to the diagnostic below it, not to one that follows.
  @Test func aSecondDiagnosticHasNoHeader() throws {
    let body = Self.diagnostic.drop { $0 != "\n" }.dropFirst()
    let reports = try ParsedText(Self.diagnostic + "\n\n" + body).reports
    expectEqual(reports.map { $0.header != nil }, [true, false])
    let first = try require(reports.first?.byteRange)
    expectEqual(first.lowerBound, 0)
    expectTrue(
      reports.allSatisfy { $0.byteRange == first || $0.byteRange.lowerBound >= first.upperBound })
  }

  /// A process that goes on below its images, which only damaged text does.
  @Test func imagesStandInTheOrderOfTheText() throws {
    let text = Self.text.replacing(
      "\n\nProcess:          launchd",
      with: "\n  Thread 0x7\n  1  ??? (<E1B91700-68FC-34BA-A747-2D5608FC3383> + 16) [0x500010]\n"
        + "\n\nProcess:          launchd")
    let images = try require(ParsedText(text).reports.first).images
    expectEqual(images.map(\.name), [nil, "com.example.App", "dyld", "kernel", nil])
    expectEqual(images.last?.loadAddress, LoadAddress(0x500000))
  }

  /// The images of another process would give wrong names.
  @Test func theHeadIsAboutTheProcessThatItNames() throws {
    let text = Self.text.replacing("PID:              27952", with: "PID:              7")
    let reports = try ParsedText(text).reports
    expectEqual(reports.map(\.facts.process.identifier), [7, 27952, 1])
    expectEqual(reports.map(\.backtraces.count), [1, 2, 1])
    expectEqual(reports.map(\.images.count), [0, 4, 1])
    expectEqual(reports.map(\.facts.fields.count), [13, 5, 2])
    for report in reports { expectNesting(report, "target") }
  }

  @Test(arguments: [
    ("disk writes", ReportEvent.diskWrites), ("wakeups", .wakeups), ("cpu usage", .cpuUsage),
    ("shutdown stall", .sample), ("powerstats", .sample), ("spin", .hang),
    ("app launch", .launch), ("high memory", .memory),
  ])
  func events(name: String, event: ReportEvent) throws {
    let text = Self.text.replacing("Event:            hang", with: "Event:            \(name)")
    try expectEqual(ParsedText(text).reports.map(\.facts.event), [event, event])
  }

  /// spindump's note about a process, whatever the event is.
  @Test func unresponsiveProcess() throws {
    let text = Self.text.replacing(
      "Event:            hang", with: "Event:            shutdown stall")
    let parent = "Parent:           bash [27378]\n"
    let noted = text.replacing(parent, with: parent + "Note:             Unresponsive\n")
    try expectEqual(ParsedText(noted).reports.map(\.facts.event), [.hang, .sample])
    try expectEqual(ParsedText(text).reports.map(\.facts.event), [.sample, .sample])
  }

  /// The part about one process alone, above its stacks. Programs of the system have the identifier
  /// of a beta too.
  @Test(arguments: [("Yes", nil), ("No", ReportFacts.Distribution.testFlight)])
  func processAlone(isFirstParty: String, distribution: ReportFacts.Distribution?) throws {
    let facts = try ParsedText(
      """
      Process:          Game [812]
      Path:             /Applications/Game.app/Contents/MacOS/Game
      Identifier:       com.example.game
      Version:          15.0 (15.0)
      Is First Party:   \(isFirstParty)
      Beta Identifier:  93EE4DBB-DE7E-517E-B319-3454FC40D5E2
      Parent:           launchd [1]
      Num samples:      1001 (1-1001)
      Note:             Unresponsive
      Num threads:      5
      Note:             1 idle work queue thread omitted

      """
    ).report.facts
    expectEqual(facts.event, .hang)
    expectEqual(facts.distribution, distribution)
  }

  @Test func damageIsKept() throws {
    let text = Self.text.replacing("48  ??? (kernel + 1113914) [0x", with: "48  ??? (kernel) [zx")
      .replacing("0x115b41000 -", with: "0x115b41000 =")
    let report = try require(ParsedText(text).reports.first)
    expectEqual(report.faults.map(\.kind), [.unreadableFrame, .unreadableImage])
    expectEqual(report.backtraces[1].frames.count, 5)
  }

  @Test(arguments: [text, diagnostic])
  func damageEverywhere(text: String) {
    let bytes = Array(text.utf8)
    for end in 0...bytes.count { expectSoundTrees(Array(bytes[..<end]), "cut at \(end)") }
    for place in bytes.indices {
      var changed = bytes
      changed[place] = [0x20, 0x0a, 0x5b, 0x29][place % 4]
      expectSoundTrees(changed, "changed at \(place)")
    }
  }
}
