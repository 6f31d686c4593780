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
    try require(reports.count == 1)
    return reports[0]
  }

  @Test func isRead() throws {
    let report = try Self.report(ProtobufMessage.plCrash())
    expectNesting(report, "plcrash")
    expectEqual(report.format, .plCrashReporterBinary)
    expectEmpty(report.faults)
    let facts = report.facts
    expectEqual(facts.incident, "01020304-0506-0708-090A-0B0C0D0E0F10")
    expectEqual(facts.date, "2019-07-31 18:33:20 +0000")
    expectEqual(facts.hardwareModel, "iPhone10,4")
    expectEqual(facts.process.name, "Letter Shuffle")
    expectEqual(facts.process.identifier, 4242)
    expectEqual(facts.process.path, "/var/1/Letter Shuffle.app/Letter Shuffle")
    expectEqual(facts.process.bundleIdentifier, "org.example.LetterShuffle")
    expectEqual(facts.process.version, "1.3 (6)")
    expectEqual(facts.parent.name, "launchd")
    expectEqual(facts.parent.identifier, 1)
    expectEqual(facts.system.name, "iPhone OS")
    expectEqual(facts.system.version, "12.4")
    expectEqual(facts.system.build, "16G77")
    expectEqual(facts.architecture, .arm64)
    expectEqual(facts.isTranslated, false)
    expectEqual(facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(facts.exception.signal, "SIGTRAP")
    expectEqual(facts.exception.codes, [1, 0x1_0024_f19c])
    expectEqual(facts.crashedThread, 2)
    expectEqual(report.threads.map(\.number), [0, 2])
    let frames = try require(report.crashedThread).frames
    expectEqual(frames.map(\.address?.value), [0x1_0024_f19c, 0x1_0024_53f4, 0x10])
    expectEqual(frames.map(\.imageName), ["Letter Shuffle", "Letter Shuffle", "???"])
    expectEqual(frames.map(\.symbol?.name), [nil, "stated", nil])
    expectEqual(frames[1].symbol?.offset, 0x28)
    expectEqual(frames[0].imageRelativeAddress?.base.value, 0x1_0022_8000)
    expectEqual(report.crashRegisters.programCounter, 0x1_0024_f19c)
    expectEqual(report.crashRegisters.stackPointer, 0x1_6fd2_1030)
    let image = try require(report.images.first)
    expectEqual(image.loadAddress.value, 0x1_0022_8000)
    expectEqual(image.byteCount, 0x44000)
    expectEqual(image.identity?.description, "A4B1DE49-70B3-301D-A644-58D6BC22F513")
    expectEqual(image.architecture, .arm64)
    expectEqual(report.wrapping?.isTranslation, true)
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
    expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.facts.exception.codes, [1, 0x18])
    expectEqual(report.facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000018")
    expectEqual(report.facts.exception.name, "NSRangeException")
    expectEqual(report.facts.exception.reason, "out of Thread 9: bounds")
    expectEqual(report.lastExceptionBacktrace?.frames.map(\.address?.value), [0x1_0024_53f4])
    expectEqual(report.threads.map(\.number), [0, 2])
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
    expectEmpty(report.faults)
    expectEqual(report.threads.count, 2)
  }

  /// Groups, with another group, a message and numbers in them.
  @Test func groups() throws {
    let inner: [UInt8] = [0x0b, 0x08, 0x05, 0x0c, 0x12, 0x02, 1, 2, 0x19] + Array(1...8)
    let group: [UInt8] = [0xdb, 0x06] + inner + [0x25, 1, 2, 3, 4, 0xdc, 0x06]
    let report = try Self.report(ProtobufMessage.plCrash { $0.raw(group) })
    expectEmpty(report.faults)
    expectEqual(report.threads.count, 2)
    var fields = ProtobufFields(group + [0x08, 0x07] + group, in: 0..<2 * group.count + 2)
    expectEqual(fields.next()?.value.number, 7)
    expectTrue(fields.next() == nil && fields.damage == nil)
    for end in 1..<group.count {
      var fields = ProtobufFields(group, in: 0..<end)
      expectTrue(fields.next() == nil && fields.damage == 0)
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
          expectEqual(
            place.map { $0.isEmpty && (count - 12...count).contains($0.lowerBound) }, true)
        }
      }
    }
    #expect(readable > whole.count / 2)
    // A cut inside an image and one in the middle of a thread.
    let cut = try Self.report(Array(whole[..<(whole.count - 60)]))
    expectEqual(cut.faults.map(\.kind), [.damagedBinary])
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
    expectEqual(reports.first?.allFrames.count, 2)
    expectEqual(reports.first?.faults.contains { $0.kind == .tooManyFrames }, true)
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
    expectEqual(fields.next()?.value.number, 150)
    expectEqual(fields.next()?.value.number, .max)
    expectTrue(fields.next() == nil && fields.damage == nil)
  }

  @Test(arguments: [
    ([0x08], 0), ([0x08, 0x80], 0), ([0x00, 0x01], 0), ([0x0b], 0), ([0x09, 1, 2], 0),
    ([0x08, 1, 0x0d, 1], 2), ([0x0a], 0), ([0x0c], 0),
    ([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 0),
  ])
  func damage(_ bytes: [UInt8], _ offset: Int) {
    var fields = ProtobufFields(bytes, in: 0..<bytes.count)
    while fields.next() != nil {}
    expectEqual(fields.damage, offset)
  }

  @Test func cutMessage() {
    var fields = ProtobufFields([0x0a, 0x05, 0x08, 0x01], in: 0..<4)
    let field = fields.next()
    expectTrue(field?.value.message == 2..<4 && field?.value.whole == nil)
    expectTrue(fields.damage == 4 && fields.next() == nil)
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
    expectEqual(UtcDate(secondsSince1970: seconds).description, expected)
  }
}
