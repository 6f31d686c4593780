import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// MetricKit's diagnostics in all dialects. Expected values are those that
/// `Fixtures/MetricKit/make.py` has.
struct MetricKitReportTests {
  static func parsed(_ name: String) throws -> ParsedText {
    try ParsedText(bytes: Fixtures.bytes(of: Fixtures.path("MetricKit/\(name)")))
  }

  private static let appBase: UInt64 = 0x1_0022_8000
  private static let app = ImageIdentity(hexadecimal: "a4b1de4970b3301da64458d6bc22f513".utf8)
  /// Image and offset of each frame of the stack, innermost first.
  private static let stack: [(String, UInt64)] = [
    ("Letter Shuffle", 160156), ("Letter Shuffle", 128224), ("libdispatch.dylib", 395220),
    ("Letter Shuffle", 120728), ("Letter Shuffle", 120380), ("Letter Shuffle", 119796),
    ("Letter Shuffle", 120096), ("UIKitCore", 3224100), ("dyld", 257800),
  ]
  /// Depth, samples, image and offset of each frame of the tree, callers first.
  private static let tree: [(Int, Int, String, UInt64)] = [
    (0, 20, "dyld", 257800), (1, 20, "UIKitCore", 3224100), (2, 20, "Letter Shuffle", 120096),
    (3, 19, "Letter Shuffle", 119796), (4, 12, "Letter Shuffle", 120380),
    (5, 7, "Letter Shuffle", 160156), (5, 4, "Letter Shuffle", 36868),
    (4, 7, "Letter Shuffle", 40964),
  ]

  private func expectStack(_ report: Report, hasAddresses: Bool = true) throws {
    let thread = try require(report.threads.first)
    expectEqual(thread.isCrashed, report.facts.event == .crash)
    expectTrue(thread.number == 0 && !thread.isCallTree && thread.sampleCount == nil)
    expectEqual(thread.frames.map(\.index), Array(0..<9))
    expectEqual(thread.frames.map { report.image(for: $0)?.name }, Self.stack.map(\.0))
    expectEqual(thread.frames.map(\.imageOffset), Self.stack.map(\.1))
    expectEqual(thread.frames.map(\.depth), Array(repeating: nil, count: 9))
    expectEqual(report.images.map(\.name).prefix(2), ["Letter Shuffle", "libdispatch.dylib"])
    expectTrue(report.images.count == 4 && report.images[0].identity == Self.app)
    let base = hasAddresses ? Self.appBase : 0
    expectEqual(report.images[0].loadAddress, LoadAddress(base))
    expectEqual(thread.frames.first?.address, LoadAddress(base + 160156))
    expectEmpty(report.faults)
  }

  private func expectTree(_ report: Report) throws {
    let tree = try require(report.backtraces.first)
    expectTrue(tree.isCallTree)
    expectEqual(tree.sampleCount, 20)
    expectEqual(tree.frames.map(\.depth), Self.tree.map(\.0))
    expectEqual(tree.frames.map(\.sampleCount), Self.tree.map(\.1))
    expectEqual(tree.frames.map { report.image(for: $0)?.name }, Self.tree.map(\.2))
    expectEqual(tree.frames.map(\.imageOffset), Self.tree.map(\.3))
    let leaves = [false, false, false, false, false, true, true, true]
    expectEqual(tree.frames.map { $0.addressKind == .programCounter }, leaves)
    expectEqual(tree.frames.map { $0.addressKind == .returnAddress }, leaves.map { !$0 })
    expectEqual(report.images.count, 3)
    expectEmpty(report.faults)
  }

  @Test func payload() throws {
    let reports = try Self.parsed("payload.json").reports
    expectEqual(reports.map(\.facts.event), [.crash, .hang, .cpuUsage, .diskWrites, .launch])
    expectTrue(reports.allSatisfy { $0.format == .metricKit && $0.faults.isEmpty })
    for report in reports { expectNesting(report, "payload") }
    try expectStack(reports[0])
    for report in reports.dropFirst() { try expectTree(report) }
    // The second thread has no frames.
    expectEqual(reports[0].threads.map(\.frames.count), [9, 0])
    expectEqual(reports[0].threads.map(\.isCrashed), [true, false])
    expectTrue(reports[2].threads.map(\.number) == [nil] && reports[2].crashedThread == nil)
    // A hang is attributed to a thread, too.
    expectTrue(reports[1].threads.map(\.number) == [0, 1] && reports[1].crashedThread == nil)

    let facts = reports[0].facts
    expectEqual(facts.process.bundleIdentifier, "com.taubler.lettershuffle")
    expectEqual(facts.process.version, "1.3 (6)")
    expectEqual(facts.process.identifier, 1683)
    expectEqual(facts.system.name, "iPhone OS")
    expectEqual(facts.system.version, "17.4")
    expectEqual(facts.system.build, "21E219")
    expectEqual(facts.hardwareModel, "iPhone14,7")
    expectEqual(facts.architecture, .arm64e)
    expectEqual(facts.date, "2024-03-05 10:59:30")
    expectEqual(facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(facts.exception.signal, "SIGTRAP")
    expectEqual(facts.exception.codes, [1])
    expectEqual(facts.termination.namespace, "SIGNAL")
    expectEqual(facts.termination.code, 5)
    expectTrue(facts.crashedThread == 0 && facts.eventExtent == nil)
    expectTrue(facts.fields.contains { $0.name == "regionFormat" && $0.value == "GB" })
    expectTrue(facts.fields.contains { $0.name == "isTestFlightApp" && $0.value == "false" })
    expectEqual(
      reports.dropFirst().map(\.facts.eventExtent),
      ["9 sec", "20 secs in 31 secs", "2,000 byte", "20000 ms"])
  }

  @Test func ofIos14() throws {
    let report = try Self.parsed("payload-ios14.json").report
    try expectStack(report)
    expectNesting(report, "iOS 14")
    // The payload is of a day.
    expectNil(report.facts.date)
    expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000010")
    expectEqual(report.facts.memoryRegion.count, 5)
    expectTrue(report.facts.process.version == "1.3 (6)" && report.facts.process.identifier == nil)
  }

  @Test func severalPayloads() throws {
    let events: [ReportEvent] = [.crash, .cpuUsage, .diskWrites, .launch]
    let lines = try Self.parsed("payloads.ndjson").reports
    expectEqual(lines.map(\.facts.event), events + events)
    let array = try Self.parsed("payloads-array.json").reports
    expectEqual(array.map(\.facts.event), [.crash, .hang, .cpuUsage, .diskWrites, .launch, .crash])
    for report in lines + array { expectNesting(report, "several") }
  }

  @Test func treeAlone() throws {
    let report = try Self.parsed("tree.json").report
    try expectStack(report)
    expectEqual(report.facts.event, .crash)
    expectEmpty(report.facts.fields)
    expectNesting(report, "tree")
  }

  @Test func ofIos27() throws {
    let reports = try Self.parsed("codable.json").reports
    expectEqual(reports.map(\.facts.event), [.crash, .hang, .memory])
    try expectStack(reports[0])
    try expectTree(reports[1])
    try expectTree(reports[2])
    for report in reports { expectNesting(report, "iOS 27") }
    let facts = reports[0].facts
    expectEqual(facts.process.version, "1.3 (6)")
    expectEqual(facts.process.identifier, 1683)
    expectEqual(facts.system.name, "iPhone OS")
    expectEqual(facts.system.version, "27.0")
    expectEqual(facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(facts.termination.namespace, "SIGNAL")
    expectEqual(reports.map(\.facts.eventExtent), [nil, "9.5 s", nil])
  }

  @Test func ofAppStoreConnect() throws {
    let report = try Self.parsed("store-logs.json").report
    try expectTree(report)
    expectNesting(report, "App Store Connect")
    let facts = report.facts
    expectEqual(facts.event, .hang)
    expectEqual(facts.process.bundleIdentifier, "com.taubler.lettershuffle")
    expectTrue(facts.process.version == "1.3 (6)" && facts.eventExtent == nil)
    expectEqual(facts.system.name, "iOS")
    expectEqual(facts.architecture, .arm64)
    expectEqual(
      report.backtraces[0].frames[1].symbol,
      FrameSymbol(name: "-[UIViewController loadViewIfRequired]", offset: 936))
  }

  /// The attributes of a log record become the meta data of a diagnostic.
  @Test func ofOpenTelemetry() throws {
    let reports = try Self.parsed("telemetry.json").reports
    expectEqual(reports.map(\.facts.event), [.crash, .hang])
    try expectStack(reports[0])
    expectEqual(reports[0].facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(reports[0].facts.exception.signal, "SIGTRAP")
    expectEqual(reports[0].facts.termination.code, 5)
    // A flat list has no addresses, so the images begin at 0.
    try expectStack(reports[1], hasAddresses: false)
    expectEqual(reports[1].facts.eventExtent, "56.5 s")
    for report in reports {
      expectTrue(report.wrapping != nil)
      expectNesting(report, "OpenTelemetry")
    }
  }

  /// Attributes as the members of an object. Stack traces of other kinds stay what they are.
  @Test func attributesOfAnObject() throws {
    let tree = Self.tree(Self.stack(Self.frame(1))).replacing("\"", with: "\\\"")
    let key = "metrickit.diagnostic.disk_write_exception"
    let text =
      #"{"spans":[{"\#(key).total_writes_caused":55000000,"\#(key).exception.stacktrace_json":"\#(tree)","\#(key).exception.objc.name":"N"},{"exception.stacktrace":"at \"f\"\nat \"g\"\n"}]}"#
    let report = try ParsedText(text).report
    expectEqual(report.facts.event, .diskWrites)
    expectEqual(report.facts.eventExtent, "55000000 bytes")
    expectEqual(report.facts.exception.name, "N")
    expectEqual(report.allFrames.count, 1)
    expectNesting(report, "attributes")
    let place = try require(report.wrapping?.inputRange(of: report.allFrames[0].byteRange ?? 0..<0))
    expectEqual(Array(text.utf8)[place.lowerBound], UInt8(ascii: "{"))
  }

  // MARK: Shapes

  private static func tree(_ stacks: String, perThread: String = "true") -> String {
    "{\"callStacks\":[\(stacks)],\"callStackPerThread\":\(perThread)}"
  }

  private static func stack(_ frames: String) -> String {
    "{\"threadAttributed\":true,\"callStackRootFrames\":[\(frames)]}"
  }

  /// A frame of the app, 16 bytes in, with something after its samples.
  private static func frame(_ samples: Int, _ name: String = "App", _ rest: String = "") -> String {
    "{\"binaryUUID\":\"9E8D8DE6-EEC1-3199-8720-9ED68EE3F967\",\"binaryName\":\"\(name)\",\"address\":4294971408,\"offsetIntoBinaryTextSegment\":16,\"sampleCount\":\(samples)\(rest)}"
  }

  private static func sub(_ frames: String) -> String { ",\"subFrames\":[\(frames)]" }

  /// Frames hold their callers in crashes, and what they called in samples.
  @Test(arguments: [
    (frame(1, "App", sub(frame(1, "App"))), "true", false),
    (frame(1, "App", sub(frame(1, "App"))), "false", true),
    (frame(20, "App", sub(frame(20, "App"))), "true", true),
    (frame(20, "dyld", sub(frame(20, "App"))), "true", true),
    (frame(20, "App", sub(frame(20, "dyld"))), "true", false),
    (frame(1, "App", sub(frame(1) + "," + frame(1))), "true", true),
    (frame(1) + "," + frame(1), "true", true),
  ])
  func direction(root: String, perThread: String, isTree: Bool) throws {
    let report = try ParsedText(Self.tree(Self.stack(root), perThread: perThread)).report
    expectEqual(report.backtraces.map(\.isCallTree), [isTree])
    expectEqual(report.facts.event, isTree ? .sample : .crash)
  }

  /// In a crash, frames hold their callers whatever the counts are, as in Xcode's simulated ones.
  @Test func crashIsNoTree() throws {
    let frames = Self.frame(20, "App", Self.sub(Self.frame(20)))
    let text = "{\"crashDiagnostics\":[{\"callStackTree\":\(Self.tree(Self.stack(frames)))}]}"
    try expectEqual(ParsedText(text).report.backtraces.map(\.isCallTree), [false])
  }

  /// Address and offset, and what follows for the start of the image.
  @Test(
    arguments: [
      // iOS 15 and later.
      (4_310_988_076, 46380, 4_310_941_696, 46380, nil),
      // iOS 14: the start itself.
      (6_859_715_584, 6_859_616_256, 6_859_616_256, 99328, nil),
      // Sampled, from a real hang: the offset is one less than the address.
      (7_489_183_496, 257799, 7_488_925_696, 257800, .returnAddress),
      // Xcode's simulated payloads.
      (74565, 123, 74442, 123, nil),
      // An address before the image.
      (1, 64, 0, 64, nil),
      (0, 0, 0, 0, nil),
    ] as [(UInt64, UInt64, UInt64, UInt64, FrameAddressKind?)])
  func place(
    address: UInt64, offset: UInt64, base: UInt64, expected: UInt64, kind: FrameAddressKind?
  ) throws {
    let frame =
      "{\"binaryUUID\":\"9E8D8DE6-EEC1-3199-8720-9ED68EE3F967\",\"address\":\(address),\"offsetIntoBinaryTextSegment\":\(offset)}"
    let report = try ParsedText(Self.tree(Self.stack(frame))).report
    let found = try require(report.allFrames.first)
    expectEqual(report.images.map(\.loadAddress), [LoadAddress(base)])
    expectEqual(found.imageOffset, expected)
    expectEqual(found.addressKind, kind)
    expectEqual(found.address, LoadAddress(base + expected))
    expectEqual(report.faults.map(\.kind), address < offset ? [.unexpectedJsonValue] : [])
  }

  /// A payload in a log, and one in a string of JSON.
  @Test func inOtherText() throws {
    let tree = Self.tree(Self.stack(Self.frame(1)))
    let payload = "{\"hangDiagnostics\":[{\"callStackTree\":\(tree)}]}"
    let log = try ParsedText("didReceive:\n\(payload)\nmore\n\(payload)\n")
    expectEqual(log.reports.map(\.facts.event), [.hang, .hang])
    expectEqual(log.reports.first?.byteRange.lowerBound, 12 + 20)
    let escaped = payload.replacing("\"", with: "\\\"")
    let string = try ParsedText("{\"id\":7,\"body\":\"\(escaped)\"}")
    expectEqual(string.reports.map(\.facts.event), [.hang])
    expectTrue(string.reports.first?.wrapping != nil)
  }

  /// Values of the wrong kind count as missing, and are named.
  @Test func unexpectedValues() throws {
    let frame =
      "{\"binaryUUID\":7,\"address\":\"x\",\"offsetIntoBinaryTextSegment\":-1,\"sampleCount\":1.5,\"subFrames\":{},\"binaryName\":[]}"
    let text = Self.tree("3," + Self.stack("[],\(frame),\(Self.frame(1))"))
    let report = try ParsedText(text).report
    expectEqual(report.faults.count, 8)
    expectTrue(report.faults.allSatisfy { $0.kind == .unexpectedJsonValue })
    expectEqual(report.allFrames.map(\.address), [nil, LoadAddress(4_294_971_408)])
    expectNesting(report, "unexpected")
    // Null and empty strings are missing values.
    let empty = try ParsedText(
      Self.tree(Self.stack("{\"binaryUUID\":null,\"address\":\"\",\"symbolName\":\"\"}"))
    ).report
    expectEmpty(empty.faults)
    expectEqual(empty.allFrames.count, 1)
  }

  /// A cut inside a word or a run of spaces leaves the values that a cut beside it leaves, so most
  /// of those are left out. `JsonDamageTests` cuts JSON at every byte.
  @Test func cutAnywhere() throws {
    for name in ["payload.json", "payload-ios14.json", "codable.json", "store-logs.json"] {
      let bytes = try Fixtures.bytes(of: Fixtures.path("MetricKit/\(name)"))
      let kinds = bytes.map(Self.kind)
      let step = name == "payload.json" ? 5 : 1
      for length in stride(from: 1, to: bytes.count - 1, by: step)
      where kinds[length - 1] != kinds[length] || kinds[length] == 2 || length % 7 == 0 {
        guard let reports = try? CrashLogParser.parse(Array(bytes.prefix(length))) else { continue }
        for report in reports { expectNesting(report, "\(name), \(length) bytes") }
        expectEqual(reports.last?.faults.last?.kind, .damagedJson, "\(name), \(length) bytes")
      }
    }
  }

  /// 0 for a space, 1 for a byte of a word, 2 for others, which mean something each.
  private static func kind(_ byte: UInt8) -> Int {
    switch byte {
    case 0x20: 0
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: 1
    default: 2
    }
  }

  @Test func limits() throws {
    var limits = ResourceLimits()
    limits.frames = 12
    limits.images = 3
    let bytes = try Fixtures.bytes(of: Fixtures.path("MetricKit/payload.json"))
    let reports = try CrashLogParser.parse(bytes, limits: limits)
    expectEqual(reports.map(\.allFrames.count), [9, 3, 0, 0, 0])
    expectEqual(
      Set(reports.flatMap { $0.faults.map(\.kind) }), [.tooManyImages, .tooManyFrames])
  }

  /// Neither the reader nor what follows it recurses.
  @Test func deepNesting() throws {
    let depth = 20_000
    let head = Self.frame(1, "App", ",\"subFrames\":[").dropLast()
    let text = Self.tree(
      Self.stack(
        String(repeating: String(head), count: depth) + Self.frame(1)
          + String(repeating: "]}", count: depth)))
    try expectEqual(ParsedText(text).report.allFrames.count, depth + 1)
  }
}
