import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// What is over a limit is left out, with one fault at the first of it, in every format.
struct ReportLimitTests {
  private static let ips =
    IpsText.header + "\n" + #"""
      {"procName":"App","threads":[
      {"id":1,"frames":[{"imageOffset":1,"imageIndex":0},{"imageOffset":2,"imageIndex":1}]},
      {"id":2,"frames":[{"imageOffset":3,"imageIndex":0}]}],
      "usedImages":[{"source":"P","base":4096,"size":4096},{"source":"P","base":8192,"size":4096}]}
      """#

  private static let text = """
    Process: App [1]
    Thread 0:
    0   A\t0x0000000000001001 0x1000 + 1
    1   B\t0x0000000000002002 0x2000 + 2

    Thread 1:
    0   A\t0x0000000000001003 0x1000 + 3

    Binary Images:
    0x1000 - 0x1fff A arm64  <11111111111111111111111111111111> /A
    0x2000 - 0x2fff B arm64  <22222222222222222222222222222222> /B

    """

  private static let swiftText = """
    *** Program crashed: Bad pointer dereference at 0x0000000000000008 ***

    Thread 0 crashed:

    0      0x0000000000001001
    1 [ra] 0x0000000000002002

    Thread 1:

    0      0x0000000000001003


    Images:

    0x0000000000001000–0x0000000000002000 11111111111111111111111111111111 a /a
    0x0000000000002000–0x0000000000003000 22222222222222222222222222222222 b /b

    """

  private static let swiftJson = """
    {"kind":"crashReport","threads":[{"frames":[{"kind":"programCounter","address":"0x1001"},
    {"kind":"returnAddress","address":"0x2002"}]},
    {"frames":[{"kind":"programCounter","address":"0x1003"}]}],
    "images":[{"name":"a","baseAddress":"0x1000","endOfText":"0x2000"},
    {"name":"b","baseAddress":"0x2000","endOfText":"0x3000"}]}
    """

  private static let inputs = [ips, text, swiftText, swiftJson]

  private func report(_ input: String, _ limits: ResourceLimits) throws -> Report {
    let reports = try CrashLogParser.parse(Array(input.utf8), limits: limits)
    expectEqual(reports.count, 1)
    return try require(reports.first)
  }

  @Test(arguments: inputs)
  func exactlyAsMany(input: String) throws {
    var limits = ResourceLimits()
    (limits.threads, limits.frames, limits.images) = (2, 3, 2)
    let report = try report(input, limits)
    expectEqual(report.threads.count, 2)
    expectEqual(report.allFrames.count, 3)
    expectEqual(report.images.count, 2)
    expectEmpty(report.faults)
  }

  @Test(arguments: inputs)
  func threads(input: String) throws {
    var limits = ResourceLimits()
    limits.threads = 1
    let report = try report(input, limits)
    expectEqual(report.threads.map(\.number), [0])
    expectEqual(report.allFrames.map(\.address?.value), [0x1001, 0x2002])
    expectEqual(report.images.count, 2)
    expectEqual(report.faults.map(\.kind), [.tooManyThreads])
  }

  @Test(arguments: inputs)
  func frames(input: String) throws {
    var limits = ResourceLimits()
    limits.frames = 1
    let report = try report(input, limits)
    expectEqual(report.threads.count, 2)
    expectEqual(report.allFrames.map(\.address?.value), [0x1001])
    expectEqual(report.faults.map(\.kind), [.tooManyFrames])
  }

  @Test(arguments: inputs)
  func images(input: String) throws {
    var limits = ResourceLimits()
    limits.images = 1
    let report = try report(input, limits)
    expectEqual(report.images.map(\.loadAddress.value), [0x1000])
    expectEqual(report.allFrames.count, 3)
    expectEqual(report.faults.map(\.kind), [.tooManyImages])
  }

  /// Several reports in one input share the limit.
  @Test func countsTheWholeInput() throws {
    var limits = ResourceLimits()
    limits.frames = 4
    let reports = try CrashLogParser.parse(
      Array((Self.ips + "\n" + Self.ips).utf8), limits: limits)
    expectEqual(reports.map(\.allFrames.count), [3, 1])
    expectEqual(reports.map { $0.faults.map(\.kind) }, [[], [.tooManyFrames]])
  }

  /// The place of the fault is the first one that was left out.
  @Test func faultsHavePlaces() throws {
    var limits = ResourceLimits()
    limits.frames = 2
    let report = try report(Self.ips, limits)
    let range = try require(report.faults.first).byteRange
    let bytes = Array(Self.ips.utf8)[range]
    expectEqual(String(decoding: bytes, as: UTF8.self), #"{"imageOffset":3,"imageIndex":0}"#)
  }
}
