import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// `.ips` reports that are cut, damaged or odd.
struct IpsDamageTests {
  @Test(arguments: [
    (#""threads":{}"#, "{}"), (#""threads":[7]"#, "7"), (#""threads":[{"frames":7}]"#, "7"),
    (#""threads":[{"frames":[7]}]"#, "7"), (#""threads":[{"id":"7"}]"#, "\"7\""),
    (#""threads":[{"queue":7}]"#, "7"), (#""threads":[{"triggered":"yes"}]"#, "\"yes\""),
    (#""threads":[{"frames":[{"imageOffset":-1,"imageIndex":0}]}]"#, "-1"),
    (#""threads":[{"frames":[{"imageOffset":"0x10","imageIndex":0}]}]"#, "\"0x10\""),
    (#""threads":[{"frames":[{"imageOffset":1.5,"imageIndex":0}]}]"#, "1.5"),
    (
      #""threads":[{"frames":[{"imageOffset":18446744073709551616,"imageIndex":0}]}]"#,
      "18446744073709551616"
    ),
    (#""threads":[{"frames":[{"imageOffset":1,"imageIndex":"0"}]}]"#, "\"0\""),
    (#""threads":[{"frames":[{"imageOffset":1,"imageIndex":0,"symbol":[1]}]}]"#, "[1]"),
    (#""threads":[{"frames":[{"symbolLocation":-3}]}]"#, "-3"),
    (#""lastExceptionBacktrace":"x""#, "\"x\""), (#""asiBacktraces":[8]"#, "8"),
    (#""usedImages":[8]"#, "8"), (#""usedImages":[{"base":"0x1000"}]"#, "\"0x1000\""),
    (#""usedImages":[{"uuid":1}]"#, "1"), (#""procName":{}"#, "{}"),
  ])
  func aValueOfTheWrongKind(member: String, value: String) throws {
    let text = try ParsedText(
      #"{"bug_type":"309"}"# + "\n{" + member
        + #","threads":[{"frames":[]}],"usedImages":[{"base":4096,"size":16}]}"#)
    let report = try text.report
    let faults = report.faults.filter { $0.kind != .imageIndexOutOfRange }
    expectEqual(faults.map(\.kind), [.unexpectedJsonValue])
    expectEqual(faults.map { text[$0.byteRange] }, [value])
    expectNesting(report, member)
  }

  @Test func framesKeepTheirOrderAmongFaults() throws {
    let text = try ParsedText(
      IpsText.body(
        frames:
          #"{"imageOffset":1,"imageIndex":0},null,{"imageOffset":2,"imageIndex":5},{"imageOffset":"3","imageIndex":0},{"imageOffset":4,"imageIndex":0}"#
      ))
    let report = try text.report
    expectEqual(report.allFrames.map(\.address?.value), [4097, nil, nil, 4100])
    expectEqual(
      report.faults.map(\.kind),
      [
        .unexpectedJsonValue, .imageIndexOutOfRange, .unexpectedJsonValue,
      ])
    expectEqual(report.faults.map { text[$0.byteRange] }, ["null", "5", "\"3\""])
    expectNil(report.image(for: report.allFrames[1]))
  }

  @Test func imagesKeepTheirNumbersAmongFaults() throws {
    let text = try ParsedText(
      #"{"threads":[{"frames":[{"imageOffset":1,"imageIndex":0},{"imageOffset":1,"imageIndex":1},{"imageOffset":1,"imageIndex":2}]}],"usedImages":[null,{"base":true,"size":16},{"base":4096,"size":16,"uuid":"12"}]}"#
    )
    let report = try text.report
    expectEqual(report.allFrames.map(\.address?.value), [nil, nil, 4097])
    expectEqual(report.image(containing: LoadAddress(4097))?.loadAddress.value, 4096)
    expectEqual(
      report.faults.map(\.kind),
      [
        .unexpectedJsonValue, .unexpectedJsonValue, .unreadableImageIdentity,
      ])
    expectEqual(report.faults.map { text[$0.byteRange] }, ["null", "true", "\"12\""])
  }

  /// The parts that are complete at a cut are those that end before it in the whole report.
  @Test(arguments: [IpsText.apple, IpsText.header + "\n" + IpsText.prettyBody])
  func cutAtEveryByte(whole: String) throws {
    let text = try ParsedText(whole)
    let full = try text.report
    let fullFrames = full.allFrames.compactMap(\.object)
    let body = try require(full.bodyRange)
    let bytes = text.bytes
    for length in (body.lowerBound + 1)..<body.upperBound {
      let reports = try CrashLogParser.parse(Array(bytes[..<length]))
      guard reports.count == 1, let report = reports.first, report.format == .ipsCrash else {
        Issue.record("cut at \(length)")
        continue
      }
      let completeThreads = full.threads.filter { $0.byteRange.upperBound <= length }
      let completeFrames = fullFrames.filter { $0.byteRange.upperBound <= length }
      let completeImages = full.images.filter { $0.byteRange.upperBound <= length }
      expectEqual(
        report.threads.filter { $0.json?.isComplete == true }.map(\.byteRange),
        completeThreads.map(\.byteRange), "cut at \(length)")
      expectEqual(
        report.allFrames.compactMap(\.object).map(\.byteRange), completeFrames.map(\.byteRange),
        "cut at \(length)")
      expectEqual(
        report.images.map(\.byteRange), completeImages.map(\.byteRange), "cut at \(length)")
      let damage = report.faults.filter { $0.kind == .damagedJson }
      expectEqual(damage.map(\.byteRange), [length..<length], "cut at \(length)")
      expectTrue(
        report.faults.allSatisfy { $0.kind == .damagedJson || $0.kind == .imageIndexOutOfRange })
      expectNesting(report, "cut at \(length)")
    }
  }

  @Test func theReportAfterACutOneIsFound() throws {
    let next = IpsText.header + "\n" + IpsText.prettyBody
    let first = try ParsedText(IpsText.apple)
    let body = try require(first.report.bodyRange)
    for length in stride(from: body.lowerBound + 2, to: body.upperBound, by: 7) {
      let cut = String(decoding: first.bytes[..<length], as: UTF8.self)
      let text = try ParsedText(cut + "\n" + next)
      expectEqual(text.ipsReports.count, 2, "cut at \(length)")
      expectEqual(text.ipsReports.last.map { text[$0.byteRange] }, next, "cut at \(length)")
      expectEqual(text.ipsReports.last?.faults.isEmpty, true, "cut at \(length)")
      expectEqual(text.ipsReports.first?.faults.contains { $0.kind == .damagedJson }, true)
      for report in text.ipsReports { expectNesting(report, "cut at \(length)") }
    }
  }

  @Test func aDamagedHeaderDoesNotHideTheBody() throws {
    let text = try ParsedText(
      "{\"app_name\":“App”,\"bug_type\":\"309\"}\n" + IpsText.appleBody)
    let report = try text.report
    expectNil(report.header)
    expectEqual(text[report.byteRange], IpsText.appleBody)
  }

  @Test func aDamagedByteEndsTheReport() throws {
    let body = IpsText.appleBody.replacing("\"uuid\" : \"82d1", with: "\"uuid\" : 82d1")
    let text = try ParsedText(IpsText.header + "\n" + body + "\n")
    let report = try text.report
    expectEqual(report.threads.map(\.frames.count), [0, 4])
    expectEqual(report.images.count, 1)
    let damage = report.faults.filter { $0.kind == .damagedJson }
    expectEqual(
      damage.map(\.byteRange), [report.byteRange.upperBound..<report.byteRange.upperBound])
    expectSuffix(text[0..<report.byteRange.upperBound], "\"uuid\" : 82")
    expectEqual(report.allFrames.compactMap(\.object).count, 5)
    expectEqual(report.threads[1].frames.compactMap(\.address).count, 1)
  }

  @Test func bytesReplaced() {
    let whole = Array((IpsText.apple + IpsText.header + "\n" + IpsText.prettyBody).utf8)
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func random(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let special = Array("{}[]\",:\\ \n0-e".utf8) + [0, 0xFF]
    for round in 0..<1500 {
      var damaged = whole
      for _ in 0...random(3) {
        damaged[random(damaged.count)] =
          random(2) == 0 ? special[random(special.count)] : UInt8(random(256))
      }
      guard let reports = try? CrashLogParser.parse(damaged) else { continue }
      var end = 0
      for report in reports {
        let range = report.byteRange
        if range.lowerBound < end || range.upperBound > damaged.count {
          Issue.record("round \(round): \(range) after \(end)")
        }
        end = range.upperBound
        expectNesting(report, "round \(round)")
      }
    }
  }

  /// Depth, repetition and lines that look like headers cost no more than their bytes. Recursion
  /// would overflow the stack of a thread, which is 512 KB.
  @Test func hostileShapes() {
    let depth = 20_000
    let count = 5_000
    for text in [
      IpsText.header + "\n{\"threads\":" + String(repeating: "[", count: depth),
      String(repeating: "{\"a\":\n", count: depth),
      String(repeating: "{\"bug_type\":1,\"a\":[{}\n,\n", count: count),
      String(repeating: "{\"bug_type\":\"309\"}\n{\n", count: count),
    ] {
      let reports = (try? CrashLogParser.parse(Array(text.utf8))) ?? []
      #expect(reports.count <= count)
    }
  }
}
