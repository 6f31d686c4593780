import CrashLogParser
import TestSupport
import Testing

/// Where members and frames are inserted, replaced and removed. The expected texts are symbolicated
/// frames as the writers of real reports spell them.
struct IpsFrameEditingTests {
  /// The frame with members inserted after `imageOffset` and `imageIndex`, in the order and
  /// spelling that the frame asks for.
  private func inserting(
    _ values: [IpsKey: String], into frame: IpsFrame, of text: ParsedText
  ) throws -> String {
    let points = try require(frame.insertionPoints)
    let spelling = frame.spelling
    let order = IpsFrame.keyOrder(of: Set(values.keys))
    func members(_ keys: [IpsKey]) -> String {
      keys.map {
        String(decoding: spelling.memberSeparator, as: UTF8.self) + "\"\($0.rawValue)\""
          + String(decoding: spelling.keySeparator, as: UTF8.self) + (values[$0] ?? "?")
      }.joined()
    }
    return [
      text[frame.byteRange.lowerBound..<points.afterImageOffset],
      members(order.afterImageOffset),
      text[points.afterImageOffset..<points.afterImageIndex],
      members(order.afterImageIndex),
      text[points.afterImageIndex..<frame.byteRange.upperBound],
    ].joined()
  }

  @Test func membersIntoApplesSpelling() throws {
    let text = try ParsedText(IpsText.apple)
    let frame = try require(text.report.threads[1].frames[1].object)
    try expectEqual(
      inserting([.symbol: #""g()""#, .symbolLocation: "12"], into: frame, of: text),
      #"{"imageOffset":9007199254740993,"symbol":"g()","symbolLocation":12,"imageIndex":1}"#)
    try expectEqual(
      inserting(
        [.symbol: #""g()""#, .symbolLocation: "12", .sourceFile: #""a.c""#, .sourceLine: "3"],
        into: frame, of: text),
      #"{"imageOffset":9007199254740993,"sourceLine":3,"sourceFile":"a.c","symbol":"g()","imageIndex":1,"symbolLocation":12}"#
    )
  }

  @Test func membersIntoAnotherSpelling() throws {
    let text = try ParsedText(IpsText.prettyBody)
    let frame = try require(text.report.threads[0].frames[0].object)
    try expectEqual(
      inserting(
        [.symbol: #""g()""#, .symbolLocation: "12", .sourceFile: #""a.c""#, .sourceLine: "3"],
        into: frame, of: text),
      """
      {
                "imageOffset": 1277216,
                "sourceLine": 3,
                "sourceFile": "a.c",
                "symbol": "g()",
                "imageIndex": 0,
                "symbolLocation": 12
              }
      """)
  }

  /// The orders of keys in real reports.
  @Test(
    arguments: [
      ([.symbol, .symbolLocation], "imageOffset symbol symbolLocation imageIndex"),
      (
        [.symbol, .symbolLocation, .sourceFile],
        "imageOffset sourceFile symbol symbolLocation imageIndex"
      ),
      (
        [.symbol, .symbolLocation, .sourceFile, .sourceLine],
        "imageOffset sourceLine sourceFile symbol imageIndex symbolLocation"
      ),
      (
        [.symbol, .symbolLocation, .sourceFile, .inline],
        "imageOffset sourceFile symbol imageIndex symbolLocation inline"
      ), ([], "imageOffset imageIndex"),
    ] as [(Set<IpsKey>, String)])
  func keyOrder(keys: Set<IpsKey>, expected: String) {
    let order = IpsFrame.keyOrder(of: keys)
    let all =
      ["imageOffset"] + order.afterImageOffset.map(\.rawValue) + ["imageIndex"]
      + order.afterImageIndex.map(\.rawValue)
    expectEqual(all.joined(separator: " "), expected)
  }

  @Test func spelling() throws {
    func strings(_ frame: IpsFrame) -> [String] {
      let spelling = frame.spelling
      return [
        spelling.afterOpeningBrace, spelling.keySeparator, spelling.memberSeparator,
        spelling.beforeClosingBrace, frame.frameSeparator,
      ].map { String(decoding: $0, as: UTF8.self) }
    }
    let apple = try ParsedText(IpsText.apple).report
    for frame in apple.allFrames.compactMap(\.object) {
      expectEqual(strings(frame), ["", ":", ",", "", ","])
    }
    let pretty = try ParsedText(IpsText.prettyBody).report
    let line = "\n        "
    for frame in pretty.threads[0].frames.compactMap(\.object) {
      expectEqual(
        strings(frame),
        [
          line + "  ", ": ", "," + line + "  ", line, "," + line,
        ])
    }
    // The only frame of its list: the separator is a comma and what precedes the frame.
    let alone = try require(pretty.lastExceptionBacktrace?.frames.first?.object)
    expectEqual(strings(alone), ["\n      ", ": ", ",\n      ", "\n    ", ",\n    "])
    // CRLF, one member, no members.
    let crlf = try ParsedText(IpsText.prettyBody.replacing("\n", with: "\r\n")).report
    let second = try require(crlf.threads[0].frames[1].object)
    expectEqual(strings(second).last, ",\r\n        ")
    let odd = try ParsedText(IpsText.body(frames: #"{ "imageIndex" :0} , {}"#)).report
    expectEqual(
      odd.allFrames.compactMap(\.object).map { strings($0) },
      [
        [" ", " :", ",", "", " , "], ["", ":", ",", "", " , "],
      ])
  }

  @Test func rangesOfValues() throws {
    let text = try ParsedText(IpsText.apple)
    let frame = try require(text.report.threads[1].frames[3].object)
    let ranges = IpsFrame.addedKeys.map { text.text(frame.value[$0]?.byteRange) }
    expectEqual(ranges, [#""a\nb""#, "0", #""vector""#, nil, "true"])
  }

  @Test(arguments: [
    (
      #"{"imageOffset":1,"symbol":"f","symbolLocation":2,"imageIndex":0}"#,
      #"{"imageOffset":1,"imageIndex":0}"#
    ),
    (#"{"symbol":"f","imageOffset":1,"imageIndex":0}"#, #"{"imageOffset":1,"imageIndex":0}"#),
    (#"{"symbol":"f","symbolLocation":2,"imageOffset":1}"#, #"{"imageOffset":1}"#),
    (#"{"imageOffset":1,"symbol":"f"}"#, #"{"imageOffset":1}"#),
    (#"{"imageOffset":1 , "symbol" : "f" }"#, #"{"imageOffset":1 }"#),
    (#"{ "symbol":"f" , "inline":true }"#, "{  }"),
    (
      #"{"symbol":"f","x":{"symbol":"g"},"symbol":["h"],"imageIndex":0}"#,
      #"{"x":{"symbol":"g"},"imageIndex":0}"#
    ),
    (#"{"imageOffset":1,"imageIndex":0}"#, #"{"imageOffset":1,"imageIndex":0}"#), ("{}", "{}"),
    (
      #"{"imageOffset":1,"symbol":"f","imageIndex":0,"symbolLocation":2,"sourceLine":3,"sourceFile":"a","y":0}"#,
      #"{"imageOffset":1,"imageIndex":0,"y":0}"#
    ),
  ])
  func removal(frame: String, expected: String) throws {
    let text = try ParsedText(IpsText.body(frames: frame))
    let found = try require(text.report.allFrames.first?.object)
    var result = ""
    var place = found.byteRange.lowerBound
    for range in found.removalRanges(of: Set(IpsFrame.addedKeys)) {
      #expect(range.lowerBound >= place)
      result += text[place..<range.lowerBound]
      place = range.upperBound
    }
    expectEqual(result + text[place..<found.byteRange.upperBound], expected)
  }

  @Test func onlySomeKeysAreRemoved() throws {
    let text = try ParsedText(IpsText.apple)
    let frame = try require(text.report.threads[1].frames[2].object)
    expectEqual(
      frame.removalRanges(of: [.symbol, .sourceLine]).map { text[$0] },
      [
        #","sourceLine":10"#, #","symbol":"f(_:)""#,
      ])
    expectEmpty(frame.removalRanges(of: [.inline]))
  }
}
