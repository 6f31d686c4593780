import Foundation
import ReportSymbolication
import TestSupport
import Testing

/// The output of `--format json`, decoded with Foundation. A missing key that is not optional makes
/// decoding fail; `JsonSchemaTests` checks that all keys are there.
struct JsonDocument: Decodable {
  var schema: String
  var version: Int
  var input: String
  var reports: [JsonReport]
  var counts: Counts

  struct Counts: Decodable, Equatable {
    var frames = 0
    var named = 0
    var completed = 0
    var resolved = 0
    var unresolved = 0
  }
}

struct JsonReport: Decodable {
  struct ProcessReference: Decodable, Equatable {
    var name: String?
    var pid: Int?
  }
  struct Process: Decodable {
    var name, path, identifier, version, shortVersion, bundleVersion, role: String?
    var pid: Int?
  }
  struct System: Decodable {
    var name, version, build: String?
  }
  struct CrashException: Decodable {
    var type, signal, subtype, message, note, name, reason: String?
    var codes: [String]
  }
  struct Termination: Decodable {
    var namespace, code, indicator: String?
    var process: ProcessReference
    var details: [String]
  }
  struct Crash: Decodable {
    var reason, reasonFrom, kind, confidence, library: String?
    var evidence: [Evidence]
    var backtrace: Int?
    var frame: Frame?
  }
  struct Evidence: Decodable, Equatable {
    var from: String
    var name: String?
    var text: String
    var offset, length: Int?
  }
  struct Signature: Decodable, Equatable {
    var version: Int
    var text, hash: String
    var frames: [String]
  }
  struct Backtrace: Decodable, Equatable {
    var kind: String
    var number: Int?
    var name, queue: String?
    var crashed: Bool
    var frames: [Frame]
  }
  struct Frame: Decodable, Equatable {
    var index: Int
    var inlined: Bool
    var address: String?
    var image: Int?
    var imageName: String?
    var imageOffset: Int?
    var function, rawName: String?
    var offset: Int?
    var file, path: String?
    var line, column: Int?
    var origin: String?
    var source: Source?
    var explanation: Explanation?
  }
  struct Source: Decodable, Equatable {
    var firstLine: Int
    var lines: [String]
  }
  struct Explanation: Decodable, Equatable {
    struct Refusal: Decodable, Equatable {
      var kind, what, why: String
    }
    var reason, addressKind, lookupAddress, symbolFile, matchedBy, answeringFile, index,
      mangling, demanglingLimit: String?
    var functionStart: String?
    var refused: [Refusal] = []
  }
  struct Image: Decodable {
    var name, path, uuid, architecture, loadAddress, lastAddress: String?
    var system, listed: Bool
    var symbolFile, matchedBy: String?
  }
  struct MissingSymbols: Decodable {
    struct OtherBuild: Decodable, Equatable {
      var path: String
      var uuid: String?
      var architecture: String
    }
    var image: Int?
    var name, uuid, architecture, path: String?
    var system: Bool
    var frames: Int
    var otherBuilds: [OtherBuild]
  }
  struct Contradiction: Decodable, Equatable {
    var kind: String
    var image: Int?
    var frames: Int
    var address, base: String
    var offset: UInt64?
  }
  struct Field: Decodable {
    var name, value: String
  }
  struct Fault: Decodable, Equatable {
    var kind: String
    var offset, length: Int
  }

  var format: String
  var incident, bugType, date, launchDate, hardwareModel, crashReporterKey: String?
  var process: Process
  var parentProcess: ProcessReference
  var os: System
  var architecture, codeType: String?
  var translated: Bool?
  var exception: CrashException
  var termination: Termination
  var applicationSpecificInformation: [String]
  var crashedThread: Int?
  var crash: Crash
  var signature: Signature?
  var backtraces: [Backtrace]
  var images: [Image]
  var missingSymbols: [MissingSymbols]
  var contradictions: [Contradiction]
  var counts: JsonDocument.Counts
  var fields: [Field]
  var faults: [Fault]
}

/// Inputs, and their output as JSON and as a summary.
enum JsonFixture {
  static func output(
    _ input: some Sequence<UInt8>, as form: OutputForm = .json,
    with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) -> String {
    var job = ReportJob(symbolPaths: symbols, options: options, form: form)
    let result = job.symbolicate(Array(input), shownPath: "report")
    expectTrue(result.hasReport)
    return String(decoding: result.output, as: UTF8.self)
  }

  static func document(
    _ input: some Sequence<UInt8>, with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> JsonDocument {
    try JSONDecoder().decode(
      JsonDocument.self, from: Data(output(input, with: symbols, options).utf8))
  }

  /// The only report of a text.
  static func report(
    _ text: String, with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> JsonReport {
    let reports = try document(text.utf8, with: symbols, options).reports
    expectEqual(reports.count, 1)
    return try require(reports.first)
  }

  static var story: [UInt8] { get throws { try Fixtures.bytes(of: Fixtures.storyReport) } }

  /// The report of the example as iOS 15 and later would have written it: the same process, frames
  /// and images, with the keys and spelling of Apple's writer.
  static let ips = #"""
    {"app_name":"Letter Shuffle","timestamp":"2019-07-31 11:32:24.00 -0700","app_version":"1.3","build_version":"6","bug_type":"309","os_version":"iPhone OS 12.4 (16G77)","incident_id":"DAB41DAD-9A48-42B0-9115-7AB25B8FC81F"}
    {
      "procRole" : "Non UI",
      "modelCode" : "xxx",
      "osVersion" : {"isEmbedded" : true, "train" : "iPhone OS 12.4", "build" : "16G77"},
      "captureTime" : "2019-07-31 11:32:24.3585 -0700",
      "procLaunch" : "2019-07-31 11:32:24.1648 -0700",
      "incident" : "DAB41DAD-9A48-42B0-9115-7AB25B8FC81F",
      "pid" : 57833,
      "translated" : false,
      "cpuType" : "ARM-64",
      "procName" : "Letter Shuffle",
      "procPath" : "\/private\/var\/containers\/Bundle\/Application\/98F17500-4B54-4D89-8E2A-8B4F4A6B7D163\/Letter Shuffle.app\/Letter Shuffle",
      "bundleInfo" : {"CFBundleShortVersionString":"1.3","CFBundleVersion":"6","CFBundleIdentifier":"com.taubler.lettershuffle"},
      "parentProc" : "launchd",
      "parentPid" : 1,
      "crashReporterKey" : "2b4341567d2bf6ee1c2ada8d72b26769dd6a74ff",
      "exception" : {"codes":"0x0000000000000001, 0x000000010024f19c","rawCodes":[1,4297388444],"type":"EXC_BREAKPOINT","signal":"SIGTRAP"},
      "termination" : {"flags":0,"code":5,"namespace":"SIGNAL","indicator":"Trace\/BPT trap: 5","byProc":"exc handler","byPid":57833},
      "faultingThread" : 0,
      "threads" : [{"triggered":true,"id":1234,"queue":"com.apple.main-thread","frames":[{"imageOffset":160156,"imageIndex":0},{"imageOffset":128224,"imageIndex":0},{"imageOffset":395220,"imageIndex":1},{"imageOffset":16056,"imageIndex":1},{"imageOffset":2780736,"imageIndex":2},{"imageOffset":120728,"imageIndex":0},{"imageOffset":120380,"imageIndex":0},{"imageOffset":119796,"imageIndex":0},{"imageOffset":120096,"imageIndex":0},{"imageOffset":3224100,"imageIndex":3},{"imageOffset":3225128,"imageIndex":3}]}],
      "usedImages" : [
        {"source":"P","arch":"arm64","base":4297228288,"size":278528,"uuid":"a4b1de49-70b3-301d-a644-58d6bc22f513","path":"\/var\/containers\/Bundle\/Application\/96F17500-2B52-4D89-8E2A-B4F4A6B7D76E\/Letter Shuffle.app\/Letter Shuffle","name":"Letter Shuffle"},
        {"source":"P","arch":"arm64","base":7621492736,"size":524288,"uuid":"11111111-1111-1111-1111-111111111111","path":"\/usr\/lib\/system\/libdispatch.dylib","name":"libdispatch.dylib"},
        {"source":"P","arch":"arm64","base":8390758400,"size":4194304,"uuid":"22222222-2222-2222-2222-222222222222","path":"\/usr\/lib\/swift\/libswiftCore.dylib","name":"libswiftCore.dylib"},
        {"source":"P","arch":"arm64","base":8363507712,"size":16777216,"uuid":"33333333-3333-3333-3333-333333333333","path":"\/System\/Library\/PrivateFrameworks\/UIKitCore.framework\/UIKitCore","name":"UIKitCore"},
        {"source":"A","base":0,"size":0,"uuid":"00000000-0000-0000-0000-000000000000"}
      ]
    }
    """#
}
