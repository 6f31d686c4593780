import AddressResolver
import BinaryInput
@testable import LearntNames
import ReportSymbolication
import SymbolIndex
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing
import Wording

/// `symbolicate index --learn`: what reports teach.
struct LearningTests {
  private let directory: TemporaryDirectory
  private static let system = "11111111-2222-3333-4444-555555555555"
  private static let app = "66666666-2222-3333-4444-555555555555"

  init() throws { directory = try TemporaryDirectory() }

  /// A frame of the image with that index.
  private static func frame(
    _ offset: UInt64, _ symbol: String?, _ location: UInt64?, image: Int = 0, more: String = ""
  ) -> String {
    let name = symbol.map { #","symbol":"\#($0)""# } ?? ""
    let distance = location.map { #","symbolLocation":\#($0)"# } ?? ""
    return #"{"imageOffset":\#(offset)\#(name)\#(distance),"imageIndex":\#(image)\#(more)}"#
  }

  private static func report(_ frames: [String], incident: String = "A") -> String {
    """
    {"bug_type":"309","incident_id":"\(incident)","os_version":"iPhone OS 17.5 (21F79)"}
    {"incident":"\(incident)","cpuType":"ARM-64","procName":"App","faultingThread":0,
    "usedImages":[
    {"source":"P","arch":"arm64e","base":6442450944,"size":1048576,"uuid":"\(system)",
    "path":"/System/Library/Frameworks/UIKitCore.framework/UIKitCore","name":"UIKitCore"},
    {"source":"P","arch":"arm64","base":4294967296,"size":1048576,"uuid":"\(app)",
    "path":"/private/var/containers/Bundle/Application/X/App.app/App","name":"App"}],
    "threads":[{"triggered":true,"id":1,"frames":[\(frames.joined(separator: ","))]}]}

    """
  }

  /// Learns from each text, in a run of its own, and returns what is kept about the system's image.
  @discardableResult
  private func learn(_ texts: String...) throws -> (names: [String], message: String) {
    var message = ""
    for text in texts {
      var run = try LearningRun(directory: directory.path)
      run.add(try Lesson(Array(text.utf8), path: "a.ips", options: SymbolicationOptions()))
      message = try run.finish { _ in true }.map(\.text).joined()
      expectEqual(run.problems, [])
    }
    return (try names(), message)
  }

  /// `start reach name votes …` of each function.
  private func names(of uuid: String = system) throws -> [String] {
    let name = "learnt/" + uuid.replacing("-", with: "").lowercased() + ".learnt"
    guard let bytes = try? directory.bytes(of: name) else { return [] }
    let file = try LearntFile(ByteRegion(copying: bytes), path: name)
    let image = try require(LearntImage(file))
    return image.functions.sorted { $0.key < $1.key }.map { start, function in
      let votes = function.votes.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }
      return "\(start) \(function.reach)\(votes.joined())"
    }
  }

  /// The first frame has the address of an instruction, the others return addresses, which belong
  /// to the byte before.
  @Test func startsAndReaches() throws {
    let frames = [
      Self.frame(0x1010, "first", 0x10), Self.frame(0x2020, "second", 0x20),
      Self.frame(0x3000, "third", 0),
    ]
    try expectEqual(
      learn(Self.report(frames)).names, ["4096 17 first 1", "8192 32 second 1", "12288 0 third 1"])
  }

  @Test func whatTeachesNothing() throws {
    let frames = [
      Self.frame(0x500, "app", 0x10, image: 1), Self.frame(0x1000, nil, nil),
      Self.frame(0x1100, "<redacted>", 4), Self.frame(0x1200, "0x1234", 4),
      Self.frame(0x1300, "noDistance", nil), Self.frame(0x10, "tooFar", 0x20),
      Self.frame(0x1400, "inlined", 4, more: #","inline":true"#),
      Self.frame(0x20, "_mh_dylib_header", 0x20),
    ]
    try expectEqual(learn(Self.report(frames)).names, [])
    try expectEqual(names(of: Self.app), [])
  }

  /// A report counts once, however often it is read; the counts survive.
  @Test func merges() throws {
    func report(_ name: String, _ incident: String, _ reach: UInt64 = 8) -> String {
      Self.report([Self.frame(0x1000 + reach, name, reach)], incident: incident)
    }
    try expectEqual(learn(report("b", "1"), report("b", "1")).names, ["4096 9 b 1"])
    try expectEqual(learn(report("a", "2", 40)).names, ["4096 41 a 1 b 1"])
    let (found, message) = try learn(report("b", "3") + report("b", "4"))
    expectEqual(found, ["4096 41 a 1 b 3"])
    expectContains(message, "1 function of 1 system image learnt from 2 reports")
    expectContains(message, "1 function with several names")
    let image = try ImageResolver(
      symbolFile: directory.path(
        "learnt/" + Self.system.replacing("-", with: "").lowercased() + ".learnt"))
    expectEqual(image.resolve(LinkAddress(0x1028))?.function.name, "b")
  }

  /// A copy of a report, cut or completed by a program, is known by its incident and has no vote.
  @Test func copiesHaveNoVote() throws {
    let incident = "DAB41DAD-9A48-42B0-9115-7AB25B8FC81F"
    let first = Self.frame(0x1008, "a", 8)
    try learn(Self.report([first], incident: incident))
    let more = [first, Self.frame(0x1010, "b", 16), Self.frame(0x2008, "c", 8)]
    let (names, message) = try learn(Self.report(more, incident: incident))
    expectEqual(names, ["4096 16 a 1", "8192 8 c 1"])
    expectContains(message, "0 reports")
  }

  /// A frame 16 KiB behind a name is probably in a function that the reporter did not know.
  @Test func whatIsFarTeachesNothing() throws {
    let frames = [
      Self.frame(0x4fff, "near", 0x3fff), Self.frame(0xa001, "far", 0x4001),
      Self.frame(0x30000, "farther", 0x20000),
    ]
    try expectEqual(learn(Self.report(frames)).names, ["4096 16384 near 1"])
  }

  /// Where reports contradict each other, the one name that fewer know is not given.
  @Test(arguments: [(reports: 1, name: "inner"), (reports: 2, name: nil)])
  func contradictions(reports: Int, name: String?) throws {
    try learn(Self.report([Self.frame(0x1010, "inner", 0xc)], incident: "0"))
    for number in 0..<reports {
      try learn(Self.report([Self.frame(0x1084, "outer", 0x84)], incident: "\(number + 1)"))
    }
    let image = try ImageResolver(
      symbolFile: directory.path(
        "learnt/" + Self.system.replacing("-", with: "").lowercased() + ".learnt"))
    expectEqual(image.resolve(LinkAddress(0x1008))?.function.name, name)
    expectEqual(image.resolve(LinkAddress(0x1004))?.function.name, name)
    expectEqual(image.resolve(LinkAddress(0x1000))?.function.name, "outer")
    expectNil(image.resolve(LinkAddress(0x1002))?.function.name)
  }

  /// A file with an intact checksum may still hold its functions in any order.
  @Test(arguments: [[0x1000, 0x1000], [0x2000, 0x1000], [UInt64.max, 0]])
  func functionsThatDoNotAscend(_ starts: [UInt64]) throws {
    let frames = [Self.frame(0x1010, "a", 0x10), Self.frame(0x2010, "b", 0x10)]
    try learn(Self.report(frames))
    let name = "learnt/" + Self.system.replacing("-", with: "").lowercased() + ".learnt"
    var bytes = try directory.bytes(of: name)
    for (index, start) in starts.enumerated() {
      var field: [UInt8] = []
      field.appendNumber(start)
      bytes.replaceSubrange((64 + index * 24)..<(72 + index * 24), with: field)
    }
    var checksum: [UInt8] = []
    checksum.appendNumber(LearntFile.checksum(of: ByteRegion(copying: bytes)))
    bytes.replaceSubrange(56..<64, with: checksum)
    let file = try LearntFile(ByteRegion(copying: bytes), path: name)
    let error = #expect(throws: SymbolFileProblem.self) { try file.checkContent(path: name) }
    let least = starts[0] == .max ? starts[0] : starts[0] + 1
    expectEqual(
      error?.kind,
      .malformed(
        structure: "start of a learnt function", value: starts[1], expected: .atLeast(least)))
    for start in starts {
      for address in [start &- 1, start, start &+ 1, start &+ 0x10] { _ = file.answer(at: address) }
    }
  }

  @Test func textsTeachNothing() throws {
    let text = try Fixtures.bytes(of: Fixtures.storyReport)
    try expectEqual(learn(String(decoding: text, as: UTF8.self)).names, [])
  }

  @Test func recordsOfAWorkerTeach() throws {
    let report = Self.report([Self.frame(0x1010, "first", 0x10)])
    let text = report.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    try expectEqual(
      learn("{\"id\":1,\"report\":\"\(text)\"}\n").names, ["4096 17 first 1"])
  }
}
