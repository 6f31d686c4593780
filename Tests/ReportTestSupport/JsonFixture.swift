import Foundation
import ReportRuns
package import ReportSymbolication
import TestSupport
package import Testing

/// The output of `--format json`, decoded with Foundation. A missing key that is not optional makes
/// decoding fail; `JsonSchemaTests` checks that all keys are there.
package struct JsonDocument: Decodable {
  package var schema: String
  package var version: Int
  package var input: String
  package var reports: [JsonReport]
  package var counts: Counts

  package struct Counts: Decodable, Equatable {
    package var frames = 0
    package var named = 0
    package var completed = 0
    package var resolved = 0
    package var unresolved = 0

    package init(
      frames: Int = 0, named: Int = 0, completed: Int = 0, resolved: Int = 0, unresolved: Int = 0
    ) {
      self.frames = frames
      self.named = named
      self.completed = completed
      self.resolved = resolved
      self.unresolved = unresolved
    }
  }
}

package struct JsonReport: Decodable {
  package struct ProcessReference: Decodable, Equatable {
    package var name: String?
    package var pid: Int?

    package init(
      name: String? = nil, pid: Int? = nil
    ) {
      self.name = name
      self.pid = pid
    }
  }
  package struct Process: Decodable {
    package var name, path, identifier, version, shortVersion, bundleVersion, role: String?
    package var pid: Int?
  }
  package struct System: Decodable {
    package var name, version, build: String?
  }
  package struct CrashException: Decodable {
    package var type, signal, subtype, message, note, name, reason: String?
    package var codes: [String]
  }
  package struct Termination: Decodable {
    package var namespace, code, indicator: String?
    package var process: ProcessReference
    package var details: [String]
  }
  package struct Crash: Decodable {
    package var reason, reasonFrom, kind, confidence, library, activity: String?
    package var evidence: [Evidence]
    package var contradicts: [Evidence]
    package var backtrace: Int?
    package var frame, systemFrame: Frame?
  }
  package struct Evidence: Decodable, Equatable {
    package var from: String
    package var name: String?
    package var text: String
    package var offset, length: Int?

    package init(
      from: String, name: String? = nil, text: String, offset: Int? = nil, length: Int? = nil
    ) {
      self.from = from
      self.name = name
      self.text = text
      self.offset = offset
      self.length = length
    }
  }
  package struct Signature: Decodable, Equatable {
    package var version: Int
    package var text, hash: String
    package var frames: [String]
  }
  package struct Backtrace: Decodable, Equatable {
    package var kind: String
    package var number: Int?
    package var name, queue: String?
    package var crashed: Bool
    package var frames: [Frame]

    package init(
      kind: String, number: Int? = nil, name: String? = nil, queue: String? = nil, crashed: Bool,
      frames: [Frame]
    ) {
      self.kind = kind
      self.number = number
      self.name = name
      self.queue = queue
      self.crashed = crashed
      self.frames = frames
    }
  }
  package struct Frame: Decodable, Equatable {
    package var index: Int
    package var inlined: Bool
    package var address: String?
    package var image: Int?
    package var imageName: String?
    package var imageOffset: Int?
    package var function, rawName: String?
    package var offset: Int?
    package var file, path: String?
    package var line, column: Int?
    package var origin: String?
    package var source: Source?
    package var explanation: Explanation?

    package init(
      index: Int, inlined: Bool, address: String? = nil, image: Int? = nil,
      imageName: String? = nil, imageOffset: Int? = nil, function: String? = nil,
      rawName: String? = nil, offset: Int? = nil, file: String? = nil, path: String? = nil,
      line: Int? = nil, column: Int? = nil, origin: String? = nil, source: Source? = nil,
      explanation: Explanation? = nil
    ) {
      self.index = index
      self.inlined = inlined
      self.address = address
      self.image = image
      self.imageName = imageName
      self.imageOffset = imageOffset
      self.function = function
      self.rawName = rawName
      self.offset = offset
      self.file = file
      self.path = path
      self.line = line
      self.column = column
      self.origin = origin
      self.source = source
      self.explanation = explanation
    }
  }
  package struct Source: Decodable, Equatable {
    package var firstLine: Int
    package var lines: [String]

    package init(
      firstLine: Int, lines: [String]
    ) {
      self.firstLine = firstLine
      self.lines = lines
    }
  }
  package struct Explanation: Decodable, Equatable {
    package struct Refusal: Decodable, Equatable {
      package var kind, what, why: String

      package init(
        kind: String, what: String, why: String
      ) {
        self.kind = kind
        self.what = what
        self.why = why
      }
    }
    package var reason, addressKind, lookupAddress, symbolFile, matchedBy, answeringFile, index,
      mangling, demanglingLimit: String?
    package var functionStart: String?
    package var refused: [Refusal] = []

    package init(
      reason: String? = nil, addressKind: String? = nil, lookupAddress: String? = nil,
      symbolFile: String? = nil, matchedBy: String? = nil, answeringFile: String? = nil,
      index: String? = nil, mangling: String? = nil, demanglingLimit: String? = nil,
      functionStart: String? = nil, refused: [Refusal] = []
    ) {
      self.reason = reason
      self.addressKind = addressKind
      self.lookupAddress = lookupAddress
      self.symbolFile = symbolFile
      self.matchedBy = matchedBy
      self.answeringFile = answeringFile
      self.index = index
      self.mangling = mangling
      self.demanglingLimit = demanglingLimit
      self.functionStart = functionStart
      self.refused = refused
    }
  }
  package struct Image: Decodable {
    package var name, path, uuid, architecture, loadAddress, lastAddress: String?
    package var system, listed: Bool
    package var symbolFile, matchedBy: String?
  }
  package struct MissingSymbols: Decodable {
    package struct OtherBuild: Decodable, Equatable {
      package var path: String
      package var uuid: String?
      package var architecture: String

      package init(
        path: String, uuid: String? = nil, architecture: String
      ) {
        self.path = path
        self.uuid = uuid
        self.architecture = architecture
      }
    }
    package var image: Int?
    package var name, uuid, architecture, path: String?
    package var system: Bool
    package var reason: String
    package var frames: Int
    package var otherBuilds: [OtherBuild]
  }
  package struct Contradiction: Decodable, Equatable {
    package var kind: String
    package var image: Int?
    package var frames: Int
    package var address, base: String
    package var offset: UInt64?

    package init(
      kind: String, image: Int? = nil, frames: Int, address: String, base: String,
      offset: UInt64? = nil
    ) {
      self.kind = kind
      self.image = image
      self.frames = frames
      self.address = address
      self.base = base
      self.offset = offset
    }
  }
  package struct Field: Decodable {
    package var name, value: String
  }
  package struct Fault: Decodable, Equatable {
    package var kind: String
    package var offset, length: Int

    package init(
      kind: String, offset: Int, length: Int
    ) {
      self.kind = kind
      self.offset = offset
      self.length = length
    }
  }

  package var format: String
  package var incident, bugType, date, launchDate, hardwareModel, crashReporterKey: String?
  package var process: Process
  package var parentProcess: ProcessReference
  package var os: System
  package var architecture, codeType: String?
  package var translated: Bool?
  package var exception: CrashException
  package var termination: Termination
  package var applicationSpecificInformation: [String]
  package var crashedThread: Int?
  package var crash: Crash
  package var signature: Signature?
  package var backtraces: [Backtrace]
  package var images: [Image]
  package var missingSymbols: [MissingSymbols]
  package var contradictions: [Contradiction]
  package var counts: JsonDocument.Counts
  package var fields: [Field]
  package var faults: [Fault]
}

/// Inputs, and their output as JSON and as a summary.
package enum JsonFixture {
  package static func output(
    _ input: some Sequence<UInt8>, as form: OutputForm = .json,
    with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) -> String {
    var job = ReportJob(symbolPaths: symbols, options: options, form: form)
    let result = job.symbolicate(Array(input), shownPath: "report")
    expectTrue(result.hasReport)
    return String(decoding: result.output, as: UTF8.self)
  }

  /// The line of a summary with the place and the reason; empty if there is none.
  package static func headline(_ text: String, with symbols: [String] = []) -> String {
    let lines = output(text.utf8, as: .summary, with: symbols).split(separator: "\n")
    return lines.count > 1 ? String(lines[1]) : ""
  }

  package static func document(
    _ input: some Sequence<UInt8>, with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> JsonDocument {
    try JSONDecoder().decode(
      JsonDocument.self, from: Data(output(input, with: symbols, options).utf8))
  }

  /// The only report of a text.
  package static func report(
    _ text: String, with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> JsonReport {
    let reports = try document(text.utf8, with: symbols, options).reports
    expectEqual(reports.count, 1)
    return try require(reports.first)
  }

  package static var story: [UInt8] { get throws { try Fixtures.bytes(of: Fixtures.storyReport) } }

  /// The report of the example as iOS 15 and later would have written it: the same process, frames
  /// and images, with the keys and spelling of Apple's writer.
  package static let ips = #"""
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

/// Expects why a text without symbol files says that it crashed, and in which function.
package func expectReason(
  _ text: String, _ reason: String?, in function: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let crash = try JsonFixture.report(text, with: []).crash
  expectEqual(crash.reason, reason, sourceLocation: sourceLocation)
  expectEqual(crash.frame?.function, function, sourceLocation: sourceLocation)
}

/// Expects that nothing in a text is taken for a report.
package func expectNoReport(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  var job = ReportJob(symbolPaths: [], options: SymbolicationOptions(), form: .json)
  let result = job.symbolicate(Array(text.utf8), shownPath: "report")
  #expect(!result.hasReport, sourceLocation: sourceLocation)
}
