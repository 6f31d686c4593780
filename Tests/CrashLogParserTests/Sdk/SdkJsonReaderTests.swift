import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Reports of SDKs as JSON, written by hand from the formats' own samples and documents.
struct SdkJsonReaderTests {
  private static func report(_ text: String) throws -> Report {
    let reports = try CrashLogParser.parse(Array(text.utf8))
    try require(reports.count == 1)
    expectNesting(reports[0], text)
    return reports[0]
  }

  // MARK: KSCrash

  static let ksCrashText = #"""
    {"report":{"id":"AB-1","version":"3.7.0","timestamp":1564598000,"type":"standard","process_name":"App"},
     "system":{"process_name":"App","process_id":77,"CFBundleExecutablePath":"/a/App.app/App",
      "CFBundleIdentifier":"org.example.App","CFBundleShortVersionString":"1.2","CFBundleVersion":"34",
      "machine":"iPhone12,1","system_name":"iOS","system_version":"17.1","os_version":"21B74",
      "cpu_arch":"arm64e","binary_arch":"arm64","parent_process_name":"launchd","parent_process_id":1,
      "app_start_time":"2019-07-31T18:00:00Z","jailbroken":false},
     "binary_images":[
      {"image_addr":4294967296,"image_size":65536,"name":"/a/App.app/App","cpu_type":16777228,"cpu_subtype":0,
       "uuid":"00112233-4455-6677-8899-AABBCCDDEEFF"},
      {"image_addr":"0x180000000","image_size":"0x1000","name":"/usr/lib/libx.dylib","uuid":null,
       "crash_info_message":"Fatal error: no\nmore\n"}],
     "crash":{"error":{"type":"mach","address":24,"mach":{"exception":1,"exception_name":"EXC_BAD_ACCESS",
       "code":1,"code_name":"KERN_INVALID_ADDRESS","subcode":0},"signal":{"signal":11,"name":"SIGSEGV"}},
      "threads":[
       {"index":0,"crashed":false,"current_thread":false,"backtrace":{"contents":[
         {"instruction_addr":"0x180000010","object_addr":"0x180000000","object_name":"libx.dylib",
          "symbol_addr":"0x180000008","symbol_name":"f"},
         {"instruction_addr":4294967312}],"skipped":0}},
       {"index":1,"name":"worker","dispatch_queue":"q","crashed":true,"current_thread":false,
        "registers":{"basic":{"pc":4294967300,"sp":-16},"exception":{"esr":2449473606,"far":24}},
        "backtrace":{"contents":[
         {"instruction_addr":4294967300,"object_addr":4294967296,"symbol_addr":4294967296,
          "symbol_name":"_mh_execute_header"},
         {"instruction_addr":4294967320,"symbol_name":"<redacted>"}]}}]},
     "user":{"frames":[1,{"x":"{"}]}}
    """#

  @Test func ksCrash() throws {
    let report = try Self.report(Self.ksCrashText)
    expectEqual(report.format, .ksCrashJson)
    expectEmpty(report.faults)
    let facts = report.facts
    expectEqual(facts.event, .crash)
    expectEqual(facts.incident, "AB-1")
    expectEqual(facts.date, "2019-07-31 18:33:20 +0000")
    expectEqual(facts.launchDate, "2019-07-31T18:00:00Z")
    expectEqual(facts.process.name, "App")
    expectEqual(facts.process.identifier, 77)
    expectEqual(facts.process.path, "/a/App.app/App")
    expectEqual(facts.process.version, "1.2 (34)")
    expectEqual(facts.process.bundleIdentifier, "org.example.App")
    expectEqual(facts.parent.name, "launchd")
    expectEqual(facts.parent.identifier, 1)
    expectEqual(facts.hardwareModel, "iPhone12,1")
    expectEqual(facts.architecture, .arm64)
    expectEqual(facts.system.name, "iOS")
    expectEqual(facts.system.version, "17.1")
    expectEqual(facts.system.build, "21B74")
    expectEqual(facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.codes, [1, 24])
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000018")
    expectEqual(facts.applicationInformation, ["Fatal error: no", "more"])
    expectEqual(facts.crashedThread, 1)
    expectTrue(facts.fields.contains { $0.name == "jailbroken" && $0.value == "false" })
    expectEqual(report.images.map(\.loadAddress.value), [0x1_0000_0000, 0x1_8000_0000])
    expectEqual(report.images.map(\.byteCount), [65536, 4096])
    expectEqual(report.images.map(\.name), ["App", "libx.dylib"])
    expectEqual(report.images[0].identity?.description, "00112233-4455-6677-8899-AABBCCDDEEFF")
    expectTrue(report.images[0].architecture == .arm64 && report.images[1].identity == nil)
    expectEqual(report.threads.map(\.number), [0, 1])
    expectEqual(report.threads.map(\.isCrashed), [false, true])
    expectTrue(report.threads[1].name == "worker" && report.threads[1].dispatchQueue == "q")
    let first = report.threads[0].frames
    expectEqual(first.map(\.address?.value), [0x1_8000_0010, 0x1_0000_0010])
    expectTrue(first[0].symbol?.name == "f" && first[0].symbol?.offset == 8)
    expectEqual(first[0].imageName, "libx.dylib")
    expectEqual(first.map(\.addressKind), [.programCounter, .returnAddress])
    expectEqual(report.threads[1].frames.map(\.symbol?.name), [nil, nil])
    expectEqual(report.crashRegisters.programCounter, 4_294_967_300)
    expectEqual(report.crashRegisters.stackPointer, UInt64(bitPattern: -16))
    // An exception class of 0x24 with the bit for writes.
    expectEqual(report.crashRegisters.dataAccess, .write)
  }

  /// An exception's stack has return addresses only; so has a stack whose first frames are left
  /// out.
  @Test(arguments: [
    (#""type":"nsexception""#, "", FrameAddressKind.returnAddress),
    (#""type":"signal""#, "", .programCounter),
    (#""type":"signal""#, #","registers":{"basic":{"rip":16}}"#, .programCounter),
    (#""type":"signal""#, #","registers":{"basic":{"rip":17}}"#, .returnAddress),
  ])
  func firstAddress(_ type: String, _ registers: String, _ kind: FrameAddressKind) throws {
    let report = try Self.report(
      #"{"report":{"id":"1","process_name":"A"},"crash":{"error":{\#(type)},"threads":[{"index":0,"crashed":true,"current_thread":false\#(registers),"backtrace":{"skipped":3,"contents":[{"instruction_addr":16},{"instruction_addr":32}]}}]}}"#
    )
    expectEqual(report.allFrames.map(\.addressKind), [kind, .returnAddress])
  }

  /// Of two reports in one, the one about the first crash counts, whichever is inside.
  @Test func recrash() throws {
    let first =
      #""report":{"type":"standard","id":"1"},"crash":{"error":{"mach":{"exception":1,"code":1}},"threads":[{"index":0,"crashed":true,"backtrace":{"contents":[{"instruction_addr":16}]}}]}"#
    let second =
      #""report":{"type":"minimal","id":"1"},"crash":{"error":{"mach":{"exception":6,"code":1}},"crashed_thread":{"index":7,"name":"handler","crashed":true,"backtrace":{"contents":[{"instruction_addr":32}]}}}"#
    let images =
      #""binary_images":[{"image_addr":16,"image_size":64,"name":"/A","uuid":"00112233-4455-6677-8899-AABBCCDDEEFF"}]"#
    // The threads have the order of the text, whichever crash came first.
    for (text, numbers) in [
      ("{\(first),\(images),\"recrash_report\":{\(second)}}", [0, 7]),
      ("{\"recrash_report\":{\(second)},\(first),\(images)}", [7, 0]),
      ("{\(second),\(images),\"recrash_report\":{\(first),\(images)}}", [7, 0]),
      ("{\(second),\"recrash_report\":{\(first),\(images)}}", [7, 0]),
    ] {
      let report = try Self.report(text)
      expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
      expectEqual(report.threads.map(\.number), numbers)
      expectEqual(report.crashedThread?.number, 0)
      expectEqual(report.facts.crashedThread, 0)
      expectEqual(report.threads.first { $0.number == 7 }?.name, "handler")
      expectEqual(report.images.count, 1)
    }
    let alone = try Self.report("{\(second),\(images)}")
    expectEqual(alone.threads.map(\.isCrashed), [true])
    expectEqual(alone.facts.exception.type, "EXC_BREAKPOINT")
  }

  @Test(arguments: [
    ("hang", ReportEvent.hang), ("deadlock", .hang), ("memory_termination", .memory),
    ("profile", .sample), ("cpp_exception", .crash), ("user", .crash),
  ])
  func events(_ type: String, _ event: ReportEvent) throws {
    let report = try Self.report(
      #"{"report":{"id":"1"},"binary_images":[],"crash":{"threads":[{"index":0,"backtrace":{"contents":[]}}],"error":{"type":"\#(type)","hang":{"hang_start_nanos":897133713870375,"hang_end_nanos":897141715985666}}}}"#
    )
    expectEqual(report.facts.event, event)
    // Of other events the times of a hang are not those of the event.
    expectEqual(report.facts.eventExtent, event == .hang ? "8.0 s" : nil)
  }

  /// In what apps and servers put around reports.
  @Test(arguments: [
    "{\"report\":REPORT}", "{\"data\":[{\"a\":{\"crash_report\":REPORT}},3,null]}", "[[REPORT]]",
    "{\"events\":[],\"x\":REPORT}", "{\"crash\":{\"x\":REPORT}}",
  ])
  func ksCrashInOtherObjects(_ text: String) throws {
    let plain = try Self.report(Self.ksCrashText)
    let input = text.replacing("REPORT", with: Self.ksCrashText)
    let report = try Self.report(input)
    expectEqual(report.format, .ksCrashJson)
    expectEqual(report.facts.incident, plain.facts.incident)
    expectEqual(report.allFrames.map(\.address), plain.allFrames.map(\.address))
    expectEqual(report.byteRange.count, plain.byteRange.count)
    let both = try CrashLogParser.parse(Array("[\(input),\(input)]".utf8))
    expectEqual(both.count, 2)
  }

  @Test func ksExceptions() throws {
    func exception(_ error: String) throws -> ReportFacts.CrashException {
      try Self.report(
        #"{"report":{"id":"1","process_name":"A"},"crash":{"threads":[{"index":0,"backtrace":{"contents":[]}}],"error":{\#(error)}}}"#
      ).facts.exception
    }
    let thrown = try exception(#""nsexception":{"name":"N","reason":"R"},"reason":"other""#)
    expectEqual(thrown.name, "N")
    expectEqual(thrown.reason, "R")
    let cpp = try exception(#""cpp_exception":{"name":"11MyException"},"reason":"bad""#)
    expectEqual(cpp.name, "11MyException")
    expectEqual(cpp.reason, "bad")
    // 3.2 writes the codes in the wrong order, and half of the address.
    let swapped = try exception(
      #""address":4333142016,"mach":{"exception":1,"exception_name":"EXC_BAD_ACCESS","code":38174720,"subcode":2}"#
    )
    expectEqual(swapped.codes, [2, 4_333_142_016])
    expectEqual(swapped.subtype, "KERN_PROTECTION_FAILURE at 0x0000000102468000")
    let texts = try exception(
      #""mach":{"exception":1,"code":"0x1","subcode":"0x10"},"signal":{"signal":10}"#)
    expectTrue(
      texts.type == "EXC_BAD_ACCESS" && texts.codes == [1, 16] && texts.signal == "SIGBUS")
  }

  // MARK: Sentry

  static let sentryText = #"""
    {"event_id":"e1","timestamp":1564598000.25,"platform":"native","release":"app@1.0+2",
     "contexts":{"app":{"app_name":"App","app_identifier":"org.example.App","app_version":"1.0","app_build":"2"},
      "os":{"name":"iOS","version":"17.1","build":"21B74"},"device":{"model":"iPhone12,1"}},
     "debug_meta":{"images":[
      {"type":"elf","code_file":"/usr/lib/libc.so.6","code_id":"0102030405060708090a0b0c0d0e0f1011121314",
       "debug_id":"04030201-0605-0807-090a-0b0c0d0e0f10","image_addr":"0x1000","image_size":4096},
      {"type":"apple","name":"/a/App","uuid":"00112233445566778899aabbccddeeff","image_addr":"0x8000",
       "image_size":256,"arch":"x86_64"}]},
     "exception":{"values":[
      {"type":"NSRangeException","value":"inner","stacktrace":{"frames":[{"instruction_addr":"0x8010"}]}},
      {"type":"EXC_BAD_ACCESS","value":"text","mechanism":{"type":"mach","meta":{"signal":{"number":11,"name":"SIGSEGV"},
        "mach_exception":{"name":"EXC_BAD_ACCESS","exception":1,"code":1,"subcode":8}}},"thread_id":4,
       "stacktrace":{"registers":{"rip":"0x8030"},"frames":[{"instruction_addr":"0x8020"},
        {"addr_mode":"rel:1","instruction_addr":"0x30","function":"f","filename":"f.c","lineno":3}]}}]},
     "threads":{"values":[{"id":4,"crashed":true,"current":true,"name":"main","stacktrace":null},
      {"id":5,"crashed":false,"stacktrace":{"frames":[{"instruction_addr":"0x8040","image_addr":"0x8000"}]}}]}}
    """#

  @Test func sentry() throws {
    let report = try Self.report(Self.sentryText)
    expectEqual(report.format, .sentryEvent)
    expectEmpty(report.faults)
    let facts = report.facts
    expectEqual(facts.incident, "e1")
    expectEqual(facts.process.name, "App")
    expectEqual(facts.process.version, "1.0 (2)")
    expectEqual(facts.system.build, "21B74")
    expectEqual(facts.hardwareModel, "iPhone12,1")
    expectEqual(facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.codes, [1, 8])
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000008")
    expectTrue(facts.exception.name == nil && facts.exception.message == "text")
    expectEqual(
      report.images.map(\.identity?.description),
      [
        "0102030405060708090a0b0c0d0e0f1011121314", "00112233-4455-6677-8899-AABBCCDDEEFF",
      ])
    expectEqual(report.backtraces.map(\.kind), [.applicationSpecific, .thread, .thread])
    expectEqual(report.backtraces.map(\.isOutermostFirst), [true, true, true])
    let crashed = try require(report.crashedThread)
    expectEqual(crashed.number, 4)
    expectEqual(crashed.name, "main")
    // Innermost first, and the address that is counted from the second image.
    expectEqual(crashed.frames.map(\.address?.value), [0x8030, 0x8020])
    expectEqual(crashed.frames.map(\.addressKind), [.programCounter, .returnAddress])
    expectTrue(crashed.frames[0].symbol?.file == "f.c" && crashed.frames[0].symbol?.line == 3)
    expectEqual(report.crashRegisters.programCounter, 0x8030)
  }

  @Test(arguments: [
    ("", [FrameAddressKind.programCounter, .returnAddress]),
    (#""instruction_addr_adjustment":"all","#, [.returnAddress, .returnAddress]),
    (#""instruction_addr_adjustment":"none","#, [.programCounter, .programCounter]),
    (#""instruction_addr_adjustment":"all_but_first","#, [.programCounter, .returnAddress]),
    (#""registers":{"pc":"0x9"},"#, [.returnAddress, .returnAddress]),
    (
      #""registers":{"pc":"0x9"},"instruction_addr_adjustment":"all_but_first","#,
      [.programCounter, .returnAddress]
    ),
  ])
  func sentryAddresses(_ member: String, _ kinds: [FrameAddressKind]) throws {
    let report = try Self.report(
      #"{"stacktrace":{\#(member)"frames":[{"instruction_addr":"0x20"},{"instruction_addr":"0x10"}]}}"#
    )
    expectEqual(report.allFrames.map(\.address?.value), [0x10, 0x20])
    expectEqual(report.allFrames.map(\.addressKind), kinds)
  }

  // MARK: Bugsnag and Measure

  @Test func bugsnag() throws {
    let report = try Self.report(
      #"""
      {"events":[{"exceptions":[{"errorClass":"NSGenericException","message":"m","stacktrace":[
        {"frameAddress":"0x1010","machoLoadAddress":"0x1000","machoFile":"/a/App","machoUUID":"00112233-4455-6677-8899-AABBCCDDEEFF","method":"f","symbolAddress":"0x1008"},
        {"frameAddress":"0x1020","machoLoadAddress":"0x1000"}]}],
       "threads":[{"id":"0","errorReportingThread":true,"stacktrace":[{"frameAddress":"0x1010"}]},
        {"id":"1","stacktrace":[{"frameAddress":"0x1030"}]}],
       "app":{"id":"org.example.App","version":"1","binaryArch":"arm64"},"device":{"osName":"iOS","osVersion":"18.4"}}]}
      """#)
    expectEqual(report.format, .bugsnagEvent)
    expectEqual(report.facts.exception.name, "NSGenericException")
    expectEqual(report.facts.exception.reason, "m")
    expectEqual(report.facts.architecture, .arm64)
    expectEqual(report.facts.system.version, "18.4")
    expectEqual(report.images.map(\.loadAddress.value), [0x1000])
    // To the last address that a frame has in it.
    expectEqual(report.images.map(\.lastAddress.value), [0x1020])
    expectEqual(report.images.map(\.name), ["App"])
    expectEqual(report.backtraces.map(\.kind), [.lastException, .thread, .thread])
    expectEqual(report.threads.map(\.isCrashed), [true, false])
    expectEqual(
      report.allFrames.map(\.addressKind),
      [
        .returnAddress, .returnAddress, .returnAddress, .programCounter,
      ])
    expectEqual(report.allFrames[0].symbol?.offset, 8)
  }

  @Test func measure() throws {
    let report = try Self.report(
      #"""
      {"exceptions":[{"type":"NSRangeException","message":"m","signal":"SIGABRT","thread_sequence":1,
        "thread_name":"Thread 1 Crashed","os_build_number":"23F79","frames":[
         {"symbol_address":"0000000000001010","binary_address":"1000","binary_name":"App","method_name":"f","file_name":"a.m","line_num":7}]}],
       "threads":[{"sequence":0,"name":"Thread 0","frames":[{"symbol_address":"1020","method_name":""}]}],
       "binary_images":[{"start_addr":"1000","end_addr":"1fff","uuid":"00112233445566778899aabbccddeeff","name":"App","arch":"x86_64"}]}
      """#)
    expectEqual(report.format, .measureException)
    expectEqual(report.facts.exception.name, "NSRangeException")
    expectEqual(report.facts.exception.signal, "SIGABRT")
    expectEqual(report.facts.architecture, .x86_64)
    expectEqual(report.images.map(\.byteCount), [0x1000])
    expectEqual(report.threads.map(\.number), [1, 0])
    expectEqual(report.threads.map(\.isCrashed), [true, false])
    expectEqual(report.allFrames.map(\.address?.value), [0x1010, 0x1020])
    expectEqual(report.allFrames.map(\.addressKind), [.returnAddress, .programCounter])
    expectEqual(report.allFrames.map(\.symbol?.line), [7, nil])
  }

  // MARK: Damage

  @Test(arguments: [ksCrashText, sentryText])
  func cutAtEveryByte(_ text: String) throws {
    let bytes = Array(text.utf8)
    var readable = 0
    for count in 0..<(bytes.count - 1) {
      guard let reports = try? CrashLogParser.parse(Array(bytes[..<count])) else { continue }
      readable += 1
      for report in reports {
        expectNesting(report, "cut at \(count)")
        expectTrue(report.faults.contains { $0.kind == .damagedJson }, "cut at \(count)")
      }
    }
    #expect(readable > bytes.count / 4)
  }

  @Test func everyByteChanged() {
    let bytes = Array(Self.ksCrashText.utf8)
    for index in stride(from: 0, to: bytes.count, by: 5) {
      for value in [UInt8(ascii: "\""), UInt8(ascii: "}")] {
        var changed = bytes
        changed[index] = value
        for report in (try? CrashLogParser.parse(changed)) ?? [] {
          expectNesting(report, "byte \(index)")
        }
      }
    }
  }

  @Test func wrongTypes() throws {
    let report = try Self.report(
      #"{"report":{},"binary_images":[5,{"name":"x"},{"image_addr":18446744073709551615,"image_size":18446744073709551615}],"crash":{"error":{"type":"mach"},"threads":[7,{"index":99999999999999999999,"crashed":true,"backtrace":{"contents":[null,{"instruction_addr":true},{"instruction_addr":-1}]}}]}}"#
    )
    expectEqual(report.images.count, 1)
    expectEqual(report.allFrames.map(\.address?.value), [nil, .max])
    expectEqual(
      report.faults.map(\.kind),
      [
        .unexpectedJsonValue, .unreadableImage, .unexpectedJsonValue, .unexpectedJsonValue,
      ])
  }

  @Test func limits() throws {
    var limits = ResourceLimits()
    limits.frames = 1
    limits.threads = 1
    limits.images = 1
    let reports = try CrashLogParser.parse(Array(Self.ksCrashText.utf8), limits: limits)
    expectTrue(reports.map(\.allFrames.count) == [1] && reports[0].images.count == 1)
    expectEqual(
      Set(reports[0].faults.map(\.kind)), [.tooManyFrames, .tooManyThreads, .tooManyImages])
  }
}
