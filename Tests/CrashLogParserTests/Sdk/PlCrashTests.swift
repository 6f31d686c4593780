import SymbolicationModel
import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportModel
@testable import SdkReports

/// Binary reports of PLCrashReporter, put together by hand.
struct PlCrashTests {
  private static func report(_ bytes: [UInt8]) throws -> Report {
    let reports = try CrashLogParser.parse(bytes)
    try #require(reports.count == 1)
    return reports[0]
  }

  @Test func isRead() throws {
    let report = try Self.report(ProtobufMessage.plCrash())
    expectNesting(report, "plcrash")
    #expect(report.format == .plCrashReporterBinary)
    #expect(report.faults.isEmpty)
    let facts = report.facts
    #expect(facts.incident == "01020304-0506-0708-090A-0B0C0D0E0F10")
    #expect(facts.date == "2019-07-31 18:33:20 +0000")
    #expect(facts.hardwareModel == "iPhone10,4")
    #expect(facts.process.name == "Letter Shuffle" && facts.process.identifier == 4242)
    #expect(facts.process.path == "/var/1/Letter Shuffle.app/Letter Shuffle")
    #expect(facts.process.bundleIdentifier == "org.example.LetterShuffle")
    #expect(facts.process.version == "1.3 (6)")
    #expect(facts.parent.name == "launchd" && facts.parent.identifier == 1)
    #expect(facts.system.name == "iPhone OS")
    #expect(facts.system.version == "12.4" && facts.system.build == "16G77")
    #expect(facts.architecture == .arm64 && facts.isTranslated == false)
    #expect(facts.exception.type == "EXC_BREAKPOINT" && facts.exception.signal == "SIGTRAP")
    #expect(facts.exception.codes == [1, 0x1_0024_f19c])
    #expect(facts.crashedThread == 2)
    #expect(report.threads.map(\.number) == [0, 2])
    let frames = try #require(report.crashedThread).frames
    #expect(frames.map(\.address?.value) == [0x1_0024_f19c, 0x1_0024_53f4, 0x10])
    #expect(frames.map(\.imageName) == ["Letter Shuffle", "Letter Shuffle", "???"])
    #expect(frames.map(\.symbol?.name) == [nil, "stated", nil])
    #expect(frames[1].symbol?.offset == 0x28)
    #expect(frames[0].imageRelativeAddress?.base.value == 0x1_0022_8000)
    #expect(report.crashRegisters.programCounter == 0x1_0024_f19c)
    #expect(report.crashRegisters.stackPointer == 0x1_6fd2_1030)
    let image = try #require(report.images.first)
    #expect(image.loadAddress.value == 0x1_0022_8000 && image.byteCount == 0x44000)
    #expect(image.identity?.description == "A4B1DE49-70B3-301D-A644-58D6BC22F513")
    #expect(image.architecture == .arm64)
    #expect(report.wrapping?.isTranslation == true)
  }

  @Test func badAccessAndException() throws {
    let report = try Self.report(
      ProtobufMessage.plCrash { report in
        report.message(6) { signal in
          signal.text(1, "SIGSEGV")
          signal.text(2, "SEGV_MAPERR")
          signal.number(3, 0x18)
          signal.message(4) { mach in
            mach.number(1, 1)
            // Both codes without tags of their own.
            mach.data(2, [1, 0x18])
          }
        }
        report.message(5) { exception in
          exception.text(1, "NSRangeException")
          exception.text(2, "out of\nThread 9:\nbounds")
          exception.message(3) { $0.number(3, 0x1_0024_53f4) }
        }
      })
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
    #expect(report.facts.exception.codes == [1, 0x18])
    #expect(report.facts.exception.subtype == "KERN_INVALID_ADDRESS at 0x0000000000000018")
    #expect(report.facts.exception.name == "NSRangeException")
    #expect(report.facts.exception.reason == "out of Thread 9: bounds")
    #expect(report.lastExceptionBacktrace?.frames.map(\.address?.value) == [0x1_0024_53f4])
    #expect(report.threads.map(\.number) == [0, 2])
  }

  /// Fields that the schema does not have are passed over, whatever their type.
  @Test func unknownFields() throws {
    let report = try Self.report(
      ProtobufMessage.plCrash { report in
        report.number(99, 5)
        report.data(100, [1, 2, 3])
        report.raw([0xd9, 0x06, 1, 2, 3, 4, 5, 6, 7, 8])  // Field 107, 8 bytes.
        report.raw([0xe5, 0x06, 1, 2, 3, 4])  // Field 108, 4 bytes.
      })
    #expect(report.faults.isEmpty && report.threads.count == 2)
  }

  /// Groups, with another group, a message and numbers in them.
  @Test func groups() throws {
    let inner: [UInt8] = [0x0b, 0x08, 0x05, 0x0c, 0x12, 0x02, 1, 2, 0x19] + Array(1...8)
    let group: [UInt8] = [0xdb, 0x06] + inner + [0x25, 1, 2, 3, 4, 0xdc, 0x06]
    let report = try Self.report(ProtobufMessage.plCrash { $0.raw(group) })
    #expect(report.faults.isEmpty && report.threads.count == 2)
    var fields = ProtobufFields(group + [0x08, 0x07] + group, in: 0..<2 * group.count + 2)
    #expect(fields.next()?.value.number == 7)
    #expect(fields.next() == nil && fields.damage == nil)
    for end in 1..<group.count {
      var fields = ProtobufFields(group, in: 0..<end)
      #expect(fields.next() == nil && fields.damage == 0)
    }
  }

  /// Whatever is cut off, nothing traps; what is left is read, and the damage has its place.
  @Test func cutAtEveryByte() throws {
    let whole = ProtobufMessage.plCrash()
    var readable = 0
    for count in 0..<whole.count {
      let bytes = Array(whole[..<count])
      guard let reports = try? CrashLogParser.parse(bytes) else { continue }
      readable += 1
      for report in reports {
        expectNesting(report, "cut at \(count)")
        #expect(report.allFrames.count <= 4)
        for fault in report.faults where fault.kind == .damagedBinary {
          // A field whose head is cut is damaged from its start on.
          let place = report.wrapping?.inputRange(of: fault.byteRange)
          #expect(place.map { $0.isEmpty && (count - 12...count).contains($0.lowerBound) } == true)
        }
      }
    }
    #expect(readable > whole.count / 2)
    // A cut inside an image and one in the middle of a thread.
    let cut = try Self.report(Array(whole[..<(whole.count - 60)]))
    #expect(cut.faults.map(\.kind) == [.damagedBinary])
  }

  @Test func everyByteChanged() {
    let whole = ProtobufMessage.plCrash()
    for index in whole.indices {
      for value: UInt8 in [0x80, 0xff] {
        var bytes = whole
        bytes[index] = value
        for report in (try? CrashLogParser.parse(bytes)) ?? [] {
          expectNesting(report, "byte \(index) is \(value)")
        }
      }
    }
  }

  @Test func limits() throws {
    var limits = ResourceLimits()
    limits.frames = 2
    let reports = try CrashLogParser.parse(ProtobufMessage.plCrash(), limits: limits)
    #expect(reports.first?.allFrames.count == 2)
    #expect(reports.first?.faults.contains { $0.kind == .tooManyFrames } == true)
  }

  @Test(arguments: [[UInt8]("plcrash\u{2}\u{8}".utf8), [UInt8]("plcrash".utf8)])
  func otherVersions(_ bytes: [UInt8]) {
    #expect(throws: CrashLogParseError.noReportFound(.plCrashReporterBinary)) {
      try CrashLogParser.parse(bytes)
    }
  }

  // MARK: The wire format

  @Test func numbers() {
    // The example of protobuf.dev: 150 in field 1; then the greatest number.
    var fields = ProtobufFields(
      [0x08, 0x96, 0x01, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      in: 0..<14)
    #expect(fields.next()?.value.number == 150)
    #expect(fields.next()?.value.number == .max)
    #expect(fields.next() == nil && fields.damage == nil)
  }

  @Test(arguments: [
    ([0x08], 0), ([0x08, 0x80], 0), ([0x00, 0x01], 0), ([0x0b], 0), ([0x09, 1, 2], 0),
    ([0x08, 1, 0x0d, 1], 2), ([0x0a], 0), ([0x0c], 0),
    ([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 0),
  ])
  func damage(_ bytes: [UInt8], _ offset: Int) {
    var fields = ProtobufFields(bytes, in: 0..<bytes.count)
    while fields.next() != nil {}
    #expect(fields.damage == offset)
  }

  @Test func cutMessage() {
    var fields = ProtobufFields([0x0a, 0x05, 0x08, 0x01], in: 0..<4)
    let field = fields.next()
    #expect(field?.value.message == 2..<4 && field?.value.whole == nil)
    #expect(fields.damage == 4 && fields.next() == nil)
  }
}

/// Moments against those that `date -u -d @N` prints.
struct UtcDateTests {
  @Test(arguments: [
    (0, "1970-01-01 00:00:00 +0000"), (951_782_400, "2000-02-29 00:00:00 +0000"),
    (1_564_598_000, "2019-07-31 18:33:20 +0000"), (-1, "1969-12-31 23:59:59 +0000"),
    (4_107_542_399, "2100-02-28 23:59:59 +0000"), (4_107_542_400, "2100-03-01 00:00:00 +0000"),
    (Int64.max, "9999-12-31 23:59:59 +0000"), (Int64.min, "0001-01-01 00:00:00 +0000"),
  ])
  func description(_ seconds: Int64, _ expected: String) {
    #expect(UtcDate(secondsSince1970: seconds).description == expected)
  }
}
