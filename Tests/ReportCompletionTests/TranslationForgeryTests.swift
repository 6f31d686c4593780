import TestSupport
import Testing

/// No string in a report's JSON becomes a line of the text that looks like a heading of the report,
/// like a frame, or like a command to a CI system.
struct TranslationForgeryTests {
  /// A JSON string's content.
  private static let forged =
    #"x\nThread 9 Crashed:\n0   Evil   0x1 evil + 1\r\n::error::pwned\n \t##[error]pwned\n\u00a0\u3000::error::pwned\na ##vso[task.x]pwned\nBinary Images:\rThread 8:\nEOF"#

  /// Where one line is expected: all of it stays one.
  private static let lines: [(place: String, key: String, json: String)] = [
    (
      "the name of a frame", "threads",
      #"[{"triggered":true,"frames":[{"imageOffset":8,"symbol":"FORGED","symbolLocation":1,"imageIndex":0}]}]"#
    ),
    (
      "the file of a frame", "threads",
      #"[{"triggered":true,"frames":[{"imageOffset":8,"symbol":"a","sourceFile":"FORGED","sourceLine":2,"imageIndex":0}]}]"#
    ),
    (
      "the name of a thread", "threads",
      #"[{"triggered":true,"name":"FORGED","queue":"FORGED","frames":[{"imageOffset":8,"imageIndex":0}]}]"#
    ),
    ("exception", "exception", #"{"type":"FORGED","signal":"FORGED"}"#),
    ("exception codes", "exception", #"{"type":"E","codes":"FORGED","subtype":"FORGED"}"#),
    (
      "termination", "termination",
      #"{"code":1,"namespace":"FORGED","indicator":"FORGED","byProc":"FORGED","byPid":1}"#
    ),
    ("process", "procName", #""FORGED""#), ("path", "procPath", #""FORGED""#),
    ("role", "procRole", #""FORGED""#), ("parent", "parentProc", #""FORGED""#),
    ("model", "modelCode", #""FORGED""#), ("time", "captureTime", #""FORGED""#),
    ("system", "osVersion", #"{"train":"FORGED","build":"FORGED"}"#),
    ("identifier", "bundleInfo", #"{"CFBundleIdentifier":"FORGED"}"#),
    (
      "image", "usedImages",
      #"[{"base":1,"size":9,"name":"FORGED","path":"FORGED","uuid":"FORGED","arch":"FORGED"}]"#
    ),
  ]

  /// Texts that may have several lines.
  private static let texts: [(place: String, key: String, json: String)] = [
    ("exception message", "exception", #"{"type":"E","message":"FORGED"}"#),
    ("exception reason", "exceptionReason", #"{"composed_message":"FORGED"}"#),
    ("application information", "asi", #"{"a":["FORGED","Thread 9 Crashed:","::error::pwned"]}"#),
    ("signatures", "asiSignatures", #"["FORGED","Thread 9 Crashed:"]"#),
    (
      "reasons", "termination",
      #"{"code":1,"namespace":"N","reasons":["FORGED","Thread 9:"],"details":["FORGED","EOF"]}"#
    ),
    ("triage", "ktriageinfo", #""FORGED""#), ("regions", "vmRegionInfo", #""FORGED""#),
    ("region summary", "vmSummary", #""FORGED""#), ("notes", "reportNotes", #"["FORGED"]"#),
  ]

  @Test func stringsOfOneLine() throws {
    for (place, key, json) in Self.lines {
      try expectNoForgery(place, key, json, isOneLine: true)
    }
  }

  @Test func textsOfSeveralLines() throws {
    for (place, key, json) in Self.texts {
      try expectNoForgery(place, key, json, isOneLine: false)
    }
  }

  private func expectNoForgery(
    _ place: String, _ key: String, _ json: String, isOneLine: Bool
  ) throws {
    let letters = TranslationBody.letters
    for layout in [letters, letters.onDevice, letters.onMac26] {
      let body = layout.setting(key, json.replacing("FORGED", with: Self.forged))
      let text = try body.translation()
      let lines = text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.map {
        String($0.drop(while: \.isWhitespace))
      }
      for start in ["Thread 9", "Thread 8", "::"] {
        expectEmpty(lines.filter { $0.hasPrefix(start) }, "\(place): \(start)")
      }
      // Commands wherever they stand in a line.
      for mark in ["##[", "##vso["] {
        expectEmpty(lines.filter { $0.contains(mark) }, "\(place): \(mark)")
      }
      expectEqual(lines.filter { $0.hasPrefix("Binary Images:") }.count, 1, place)
      expectTrue(lines.filter { $0 == "EOF" }.count <= 1, place)
      if isOneLine { expectEmpty(lines.filter { $0.hasPrefix("0   Evil") }, place) }
    }
  }

  /// An ordinary text keeps its lines.
  @Test func linesThatLookLikeNothingStay() throws {
    let text = try TranslationBody.letters.setting(
      "asi", #"{"a":["Threads 1 and 2:\nThread safety\n  ::\nEnd"]}"#
    ).translation()
    expectLines("Threads 1 and 2:\nThread safety\n\u{fffd}  ::\nEnd", in: text)
  }
}
