import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// What reports say about the process, the system and the crash. Expected values are read off the
/// texts.
struct ReportFactsTests {
  /// A text report with these lines in its head.
  private func facts(_ lines: String...) throws -> ReportFacts { try facts(lines) }

  private func facts(_ lines: [String]) throws -> ReportFacts {
    try ParsedText(
      "Incident Identifier: I\nProcess: App [1]\n" + lines.joined(separator: "\n")
        + "\n\nThread 0:\n0   App 0x10 f + 1\n"
    ).report.facts
  }

  // MARK: Text

  @Test func circumstances() throws {
    let facts = try facts(
      "Responsible:         Terminal [82]", "Time Awake Since Boot: 14000 seconds", "",
      "Kernel Triage:", "VM - pmap_enter failed with resource shortage",
      "VM - Fault hit memory shortage",
      "", "Triggered by Thread:  0")
    expectEqual(facts.responsible.name, "Terminal")
    expectEqual(facts.responsible.identifier, 82)
    expectEqual(facts.timeAwake, 14000)
    expectEqual(
      facts.kernelTriage,
      ["VM - pmap_enter failed with resource shortage", "VM - Fault hit memory shortage"])
    expectNil(facts.distribution)
    let ips = try ParsedText(
      #"""
      {"bug_type":"309","is_beta":1}
      {"pid":5,"uptime":480000,"responsibleProc":"Terminal","responsiblePid":82,
       "ktriageinfo":"VM - a\nVM - b\n","threads":[{"frames":[]}]}
      """#
    ).report.facts
    expectEqual(ips.responsible.name, "Terminal")
    expectEqual(ips.responsible.identifier, 82)
    expectEqual(ips.timeAwake, 480000)
    expectEqual(ips.kernelTriage, ["VM - a", "VM - b"])
    expectEqual(ips.distribution, .beta)
  }

  @Test func distributions() throws {
    for (line, expected) in [
      ("Beta Identifier: 0E0B6B5C", ReportFacts.Distribution.testFlight),
      ("Distributor ID: com.apple.TestFlight", .testFlight), ("Beta: YES", .beta),
      ("Distributor ID: com.apple.AppStore", .appStore),
    ] {
      expectEqual(try facts(line).distribution, expected, "\(line)")
    }
    expectNil(try facts("AppStoreTools: 13E500a").distribution)
    for (store, expected) in [
      (#"{"distributorID":"com.apple.TestFlight"}"#, ReportFacts.Distribution.testFlight),
      (#"{"itemID":"1","entitledBeta":true}"#, .testFlight), (#"{"itemID":"1"}"#, .appStore),
    ] {
      let text = #"{"bug_type":"309"}\#n{"pid":5,"storeInfo":\#(store),"threads":[{"frames":[]}]}"#
      expectEqual(try ParsedText(text).report.facts.distribution, expected, "\(store)")
    }
  }

  /// From Series 4 on, watches have 64-bit processors and 32-bit pointers.
  @Test func watches() throws {
    for (lines, expected) in [
      (["Hardware Model: Watch6,7", "OS Version: Watch OS 8.3 (19S55)"], Architecture.arm64_32),
      (["Hardware Model: Watch3,4", "OS Version: Watch OS 8.3 (19S55)"], .armv7k),
      (["OS Version: Watch OS 9.0 (20R362)"], .arm64_32),
      (["OS Version: Watch OS 8.3 (19S55)"], nil),
      (["Hardware Model: iPhone4,1", "OS Version: iPhone OS 6.1 (10B142)"], .armv7),
    ] {
      let facts = try facts("Code Type: ARM (Native)", lines.joined(separator: "\n"))
      expectEqual(facts.architecture, expected, "\(lines)")
      expectEqual(facts.codeType, "ARM")
    }
    let image = "0x23000000 - 0x23003fff App arm64_32  <00112233445566778899aabbccddeeff> /App"
    let report = try ParsedText(
      "Process: App [1]\nCode Type: ARM (Native)\nThread 0:\n0   App 0x23000010 f + 1\n\nBinary Images:\n\(image)\n"
    ).report
    expectEqual(report.facts.architecture, .arm64_32)
  }

  /// KSCrash writes numbers for what it has no names of (exception_types.h, signal.h).
  @Test func numberedExceptions() throws {
    for (text, type, signal) in [
      ("8 (6)", "EXC_MACH_SYSCALL", "SIGABRT"), ("13 (SIGABRT)", "EXC_CORPSE_NOTIFY", "SIGABRT"),
      ("9 (0)", "EXC_RPC_ALERT", nil), ("0 (0)", "0 (0)", nil), ("00000020", "00000020", nil),
      ("14 (0)", "14 (0)", nil),
    ] {
      let exception = try facts("Exception Type: \(text)").exception
      expectEqual(exception.type, type)
      expectEqual(exception.signal, signal)
    }
  }

  @Test func ofIos() throws {
    let report = try ParsedText(
      """
      {"app_name":"App","bug_type":"109","app_version":"1.3","build_version":"6"}
      Incident Identifier: 6156848E-344E-4D9E-84E0-87AFD0D0AE7B
      CrashReporter Key:   76f2fb60060d6a7f814973377cbdc866fffd521f
      Hardware Model:      iPhone8,1
      Process:             TouchCanvas [1052]
      Path:                /private/var/containers/TouchCanvas.app/TouchCanvas
      Identifier:          com.example.apple-samplecode.TouchCanvas
      Version:             6 (1.3)
      Code Type:           ARM-64 (Native)
      Role:                Foreground
      Parent Process:      launchd [1]

      Date/Time:           2020-03-27 18:06:51.4969 -0700
      Launch Time:         2020-03-27 18:06:31.7593 -0700
      OS Version:          iPhone OS 13.3.1 (17D50)
      Report Version:      104

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000000
      Exception Codes: 0x0000000000000001, 0x0000000000000010
      Exception Note:  EXC_CORPSE_NOTIFY
      Termination Signal: Segmentation fault: 11
      Termination Reason: Namespace SIGNAL, Code 0xb
      Terminating Process: exc handler [1052]
      Triggered by Thread:  3

      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3 beyond bounds'
      terminating with uncaught exception

      Thread 3 Crashed:
      0   TouchCanvas  0x0000000102afb3d0 0x102ae4000 + 95184
      """
    ).report
    let facts = report.facts
    expectEqual(facts.incident, "6156848E-344E-4D9E-84E0-87AFD0D0AE7B")
    expectEqual(facts.bugType, "109")
    expectEqual(facts.crashReporterKey, "76f2fb60060d6a7f814973377cbdc866fffd521f")
    expectEqual(facts.hardwareModel, "iPhone8,1")
    expectEqual(facts.date, "2020-03-27 18:06:51.4969 -0700")
    expectEqual(facts.launchDate, "2020-03-27 18:06:31.7593 -0700")
    expectEqual(facts.process.name, "TouchCanvas")
    expectEqual(facts.process.identifier, 1052)
    expectEqual(facts.process.path, "/private/var/containers/TouchCanvas.app/TouchCanvas")
    expectEqual(facts.process.bundleIdentifier, "com.example.apple-samplecode.TouchCanvas")
    expectEqual(facts.process.version, "6 (1.3)")
    // The header says which of the two is which.
    expectEqual(facts.process.shortVersion, "1.3")
    expectEqual(facts.process.bundleVersion, "6")
    expectEqual(facts.process.role, "Foreground")
    expectEqual(facts.parent.name, "launchd")
    expectEqual(facts.parent.identifier, 1)
    expectEqual(facts.system.name, "iPhone OS")
    expectEqual(facts.system.version, "13.3.1")
    expectEqual(facts.system.build, "17D50")
    expectEqual(facts.codeType, "ARM-64")
    expectEqual(facts.architecture, .arm64)
    expectEqual(facts.isTranslated, false)
    expectEqual(facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.codes, [1, 16])
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000000")
    expectEqual(facts.exception.note, "EXC_CORPSE_NOTIFY")
    expectEqual(facts.exception.name, "NSRangeException")
    expectEqual(facts.exception.reason, "index 3 beyond bounds")
    expectEqual(facts.termination.namespace, "SIGNAL")
    expectEqual(facts.termination.code, 11)
    expectEqual(facts.termination.indicator, "Segmentation fault: 11")
    expectEqual(facts.termination.process.name, "exc handler")
    expectEqual(facts.termination.process.identifier, 1052)
    expectEqual(
      facts.applicationInformation,
      [
        "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3 beyond bounds'",
        "terminating with uncaught exception",
      ])
    expectEqual(facts.crashedThread, 3)
  }

  /// Writers put question marks for what they do not know.
  @Test func unknownValuesAreMissing() throws {
    let facts = try facts(
      "Path: ???", "Identifier: ??? (???)", "Version: ", "Parent Process: ??? [1]",
      "Hardware Model: ?", "OS Version: ??? (???)", "Role: ???")
    expectEqual(facts.process.name, "App")
    expectNil(facts.process.path)
    expectNil(facts.process.bundleIdentifier)
    expectNil(facts.process.version)
    expectNil(facts.parent.name)
    expectEqual(facts.parent.identifier, 1)
    expectNil(facts.hardwareModel)
    expectNil(facts.system.name)
    expectNil(facts.system.build)
    expectNil(facts.process.role)
    // The fields keep the writer's words.
    expectEqual(facts.fields.first { $0.name == "Path" }?.value, "???")
  }

  @Test(
    arguments: [
      ("EXC_CRASH (SIGABRT)", "EXC_CRASH", "SIGABRT"), ("SIGTRAP", nil, "SIGTRAP"),
      ("EXC_GUARD", "EXC_GUARD", nil), ("00000020", "00000020", nil),
      ("EXC_RESOURCE (fatal)", "EXC_RESOURCE (fatal)", nil),
    ] as [(String, String?, String?)])
  func exceptionType(text: String, type: String?, signal: String?) throws {
    let exception = try facts("Exception Type: \(text)").exception
    expectEqual(exception.type, type)
    expectEqual(exception.signal, signal)
  }

  /// macOS 11 and earlier, and PLCrashReporter, write words among the codes.
  @Test func exceptionCodes() throws {
    let words = try facts("Exception Codes: SEGV_ACCERR at 0x8").exception
    expectEmpty(words.codes)
    expectEqual(words.subtype, "SEGV_ACCERR at 0x8")
    let both = try facts(
      "Exception Subtype: S", "Exception Codes: 0x1, 0xffffffffffffffff",
      "Exception Codes: 0x2", "Exception Codes: words"
    ).exception
    expectEqual(both.codes, [1, .max])
    expectEqual(both.subtype, "S")
    let tooLarge = try facts("Exception Codes: 0x1, 0x10000000000000000").exception
    expectEmpty(tooLarge.codes)
  }

  @Test(
    arguments: [
      ("SIGNAL 5 Trace/BPT trap: 5", "SIGNAL", 5, "Trace/BPT trap: 5"),
      ("SIGNAL 5", "SIGNAL", 5, nil), ("Namespace SIGNAL, Code 0xb", "SIGNAL", 11, nil),
      ("Namespace DYLD, Code 1 Library missing", "DYLD", 1, "Library missing"),
      ("FRONTBOARD 2343432205", "FRONTBOARD", 2_343_432_205, nil),
      ("because I say so", nil, nil, "because I say so"),
    ] as [(String, String?, UInt64?, String?)])
  func terminationReason(text: String, namespace: String?, code: UInt64?, indicator: String?) throws
  {
    let termination = try facts("Termination Reason: \(text)").termination
    expectEqual(termination.namespace, namespace)
    expectEqual(termination.code, code)
    expectEqual(termination.indicator, indicator)
  }

  /// The heading of what the kernel logged is no detail of the termination above it.
  @Test func headingBelowTheTermination() throws {
    let facts = try facts(
      "Termination Reason: Namespace CODESIGNING, Code 0x2", "kernel messages:",
      "External Modification Warnings:", "Process used task_for_pid().")
    expectEqual(facts.termination.details, [])
    expectEqual(facts.termination.code, 2)
  }

  @Test func detailsOfTheTermination() throws {
    let facts = try facts(
      "Termination Reason: DYLD 1 Library missing", "Library not loaded: @rpath/A",
      "Referenced from: /App", "Terminating Process: App [1]",
      "Termination Description: DYLD, it is not there")
    expectEqual(
      facts.termination.details,
      [
        "DYLD, it is not there", "Library not loaded: @rpath/A", "Referenced from: /App",
      ])
  }

  /// Somebody broke the line behind a comma, or behind the name of the field.
  @Test(arguments: [
    ["Termination Description: SPRINGBOARD,", " insecure drawing"],
    ["Termination Description:", " SPRINGBOARD,", "  insecure drawing"],
  ])
  func brokenDescription(lines: [String]) throws {
    let facts = try facts(["Termination Reason: Namespace SPRINGBOARD, Code 0x1"] + lines)
    expectEqual(facts.termination.details, ["SPRINGBOARD, insecure drawing"])
  }

  /// `Translated` is an x86_64 program under Rosetta.
  @Test(
    arguments: [
      ("X86-64 (Native)", "X86-64", .x86_64, false),
      ("X86-64 (Translated)", "X86-64", .x86_64, true), ("ARM (Native)", "ARM", .armv7, false),
      ("ARM-64", "ARM-64", .arm64, nil), ("PPC", "PPC", nil, nil),
    ] as [(String, String, Architecture?, Bool?)])
  func codeType(text: String, name: String, architecture: Architecture?, isTranslated: Bool?) throws
  {
    let facts = try facts("Code Type: \(text)")
    expectEqual(facts.codeType, name)
    expectEqual(facts.architecture, architecture)
    expectEqual(facts.isTranslated, isTranslated)
  }

  @Test(
    arguments: [
      ("iPhone OS 12.4 (16G77)", "iPhone OS", "12.4", "16G77"),
      ("Mac OS X 10.14.5 (Build 18F132)", "Mac OS X", "10.14.5", "18F132"),
      ("macOS 13.0", "macOS", "13.0", nil), ("Linux", "Linux", nil, nil),
      ("10.4.11 (Build 8S2167)", "Mac OS X", "10.4.11", "8S2167"),
      ("10.x", "10.x", nil, nil),
    ] as [(String, String?, String?, String?)])
  func system(text: String, name: String?, version: String?, build: String?) throws {
    let system = try facts("OS Version: \(text)").system
    expectEqual(system.name, name)
    expectEqual(system.version, version)
    expectEqual(system.build, build)
  }

  /// Mac OS X 10.4 and earlier.
  ///
  /// Source: Technical Note TN2123, "CrashReporter".
  @Test(
    arguments: [
      (
        "EXC_BAD_ACCESS (0x0001)", "KERN_PROTECTION_FAILURE (0x0002) at 0x00000012",
        "EXC_BAD_ACCESS", "KERN_PROTECTION_FAILURE at 0x00000012"
      ),
      ("EXC_BREAKPOINT (0x0006)", "", "EXC_BREAKPOINT", nil),
      ("EXC_BAD_ACCESS (0x0001)", "KERN_INVALID_ADDRESS (0x0001", "EXC_BAD_ACCESS", nil),
      ("Something (else)", "", nil, nil), ("EXC_BAD_ACCESS", "", nil, nil),
    ] as [(String, String, String?, String?)])
  func earlyHeads(exception: String, codes: String, type: String?, subtype: String?) throws {
    let facts = try ParsedText(
      """
      Date/Time:      2006-05-10 15:05:48.546 +0200
      OS Version:     10.4.6 (Build 8I127)
      Report Version: 4

      Command: Board
      Path:    /Applications/Board.app/Contents/MacOS/Board
      Parent:  WindowServer [60]

      Version: 2.0 (2D16)

      PID:    10556
      Thread: 0

      Exception:  \(exception)
      Codes:      \(codes)

      Thread 0 Crashed:
      0   libobjc.A.dylib                \t0x90a4fca0 objc_msgSend + 16

      """
    ).report.facts
    expectEqual(facts.exception.type, type)
    expectEqual(facts.exception.subtype, subtype)
    expectNil(facts.exception.signal)
    expectEqual(facts.process.name, "Board")
    expectEqual(facts.process.identifier, 10556)
    expectEqual(facts.parent.name, "WindowServer")
    expectEqual(facts.parent.identifier, 60)
  }

  /// The lines after the end of a report are not the application's.
  @Test func informationEndsWithTheReport() throws {
    let text = try ParsedText(
      """
      Incident Identifier: I
      Process: App [1]
      Path: /App

      Application Specific Information:
      abort() called

      Full Report
      Application Specific Information:
      not of this report
      """)
    try expectEqual(text.report.facts.applicationInformation, ["abort() called"])
  }

  // MARK: .ips

  /// An `.ips` report with these members in its body.
  private func ipsFacts(_ members: String) throws -> ReportFacts {
    try ParsedText("{\(members),\"threads\":[],\"usedImages\":[]}").report.facts
  }

  @Test func ofTheExceptionThatWasThrown() throws {
    let stated = try ipsFacts(
      #""exceptionReason":{"name":"E","composed_message":"no \"such\" key"},"asi":{"CoreFoundation":["*** Terminating app due to uncaught exception 'F', reason: 'R'"]}"#
    )
    expectEqual(stated.exception.name, "E")
    expectEqual(stated.exception.reason, "no \"such\" key")
    let printed = try ipsFacts(
      #""asi":{"CoreFoundation":["*** Terminating app due to uncaught exception 'F', reason: 'it's late'"],"libsystem_c.dylib":["abort() called\n\n","x"]}"#
    )
    expectEqual(printed.exception.name, "F")
    expectEqual(printed.exception.reason, "it's late")
    expectEqual(
      printed.applicationInformation,
      [
        "*** Terminating app due to uncaught exception 'F', reason: 'it's late'",
        "abort() called", "x",
      ])
  }

  @Test(
    arguments: [
      (#"{"rawCodes":[1,-1,18446744073709551615],"codes":"0x7"}"#, [1, .max, .max]),
      (#"{"rawCodes":[18446744073709551616,2]}"#, [2]),
      (#"{"codes":"0x0000000000000001, 0x000000010024f19c"}"#, [1, 0x1_0024_f19c]),
      (#"{"codes":"EXC_ARM"}"#, []), ("{}", []), ("7", []),
    ] as [(String, [UInt64])])
  func exceptionCodesOfIps(exception: String, codes: [UInt64]) throws {
    try expectEqual(ipsFacts(#""exception":\#(exception)"#).exception.codes, codes)
  }

  @Test func terminationOfIps() throws {
    let termination = try ipsFacts(
      #""termination":{"namespace":"DYLD","code":1,"indicator":"Library missing","byProc":"App","byPid":7,"reasons":["a\nb"],"details":["c"]}"#
    ).termination
    expectEqual(termination.namespace, "DYLD")
    expectEqual(termination.code, 1)
    expectEqual(termination.indicator, "Library missing")
    expectEqual(termination.process.name, "App")
    expectEqual(termination.process.identifier, 7)
    expectEqual(termination.details, ["a", "b", "c"])
  }

  @Test func scalarsOfTheBodyAreFields() throws {
    let text = try ParsedText(
      #"{"uptime":3e2,"a":"\u0062","yes":true,"no":null,"list":[1],"a":"c","threads":[],"usedImages":[]}"#
    )
    let fields = try text.report.facts.fields
    expectEqual(fields.map(\.name), ["uptime", "a", "yes", "a"])
    expectEqual(fields.map(\.value), ["3e2", "b", "true", "c"])
    expectEqual(
      fields.map { text.text($0.byteRange) },
      [
        #""uptime":3e2"#, #""a":"\u0062""#, #""yes":true"#, #""a":"c""#,
      ])
  }

  // MARK: Swift

  @Test(
    arguments: [
      (3, "Linux (x)", "SIGQUIT"), (4, "Linux (x)", "SIGILL"), (5, "Linux (x)", "SIGTRAP"),
      (6, "Linux (x)", "SIGABRT"), (7, "Linux (x)", "SIGBUS"), (8, "Linux (x)", "SIGFPE"),
      (11, "Linux (x)", "SIGSEGV"), (10, "macOS 26.1 (25B64)", "SIGBUS"),
      // 7 is SIGEMT on macOS, and 10 is SIGUSR1 on Linux: Swift's runtime handles neither.
      (7, "macOS 26.1 (25B64)", "signal 7"), (10, "Linux (x)", "signal 10"),
      (64, "Linux (x)", "signal 64"),
    ])
  func signals(number: Int, platform: String, name: String) throws {
    let report = try ParsedText(
      """
      *** Signal \(number): Backtracing from 0x1000... done ***

      *** Program crashed: It broke at 0x0000000000001000 ***

      Platform: arm64 \(platform)

      Thread 0 crashed:

      0 0x0000000000001000
      """
    ).report
    expectEqual(report.facts.exception.signal, name)
    expectNil(report.facts.exception.type)
    expectEqual(report.facts.exception.subtype, "It broke at 0x0000000000001000")
    expectEqual(report.facts.architecture, .arm64)
    expectEqual(report.fields("Program crashed"), ["It broke at 0x0000000000001000"])
  }

  /// The two fixtures are one program that crashed twice, the same way.
  @Test func swiftJsonSaysTheSameAsText() throws {
    let text = try ParsedText(swiftFixture: "bank-off.log").report.facts
    let report = try ParsedText(swiftFixture: "bank-off.json").report
    expectEqual(report.format, .swiftBacktraceJson)
    expectEqual(report.facts.date, "2026-11-21T22:57:08.909346Z")
    expectNil(text.date)
    expectEqual(report.facts.exception.subtype, text.exception.subtype)
    expectEqual(report.facts.system, text.system)
    expectEqual(report.facts.system.name, "Linux")
    expectEqual(report.facts.architecture, .x86_64)
    // The line with the signal is not part of the JSON, and its threads have no numbers if some are
    // left out.
    expectEqual(text.exception.signal, "SIGILL")
    expectEqual(text.crashedThread, 2)
    expectNil(report.facts.exception.signal)
    expectNil(report.facts.crashedThread)
  }

  @Test func theMainThreadNamesTheProcess() throws {
    let report = try ParsedText(
      """
      *** Program crashed: Aborted at 0x0 ***

      Thread 0 "a-very-long-nam":

      0 0x0000000000001000

      Thread 1 "worker" crashed:

      0 0x0000000000001004

      Images:

      0x0000000000001000–0x0000000000002000 aabb a-very            /x/a-very
      0x0000000000002000–0x0000000000003000 aabb a-very-long-named /x/a-very-long-named
      """
    ).report
    expectEqual(report.facts.process.name, "a-very-long-named")
    expectEqual(report.facts.process.path, "/x/a-very-long-named")
    expectNil(report.facts.process.identifier)
    expectEqual(report.facts.crashedThread, 1)
    expectNil(report.facts.exception.signal)
  }
}
