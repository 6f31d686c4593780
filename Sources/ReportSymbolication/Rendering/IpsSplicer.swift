import CrashLogParser
import SymbolicationModel

/// Puts what was found out into the JSON of a report: members into the frames' objects, and objects of
/// inlined frames before them, as bytes. Everything else, spelling and white space included, stays.
enum IpsSplicer {
  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {
    for backtrace in report.backtraces {
      if case .applicationSpecific(let index) = backtrace.kind, case .ips(let ips) = report.source {
        splice(backtrace, ips.applicationSpecificBacktraces[index], of: bytes, into: &edits)
        continue
      }
      var removalStart: Int?
      for frame in backtrace.frames {
        guard case .json(let object) = frame.origin else { continue }
        if frame.isSuperseded {
          removalStart = removalStart ?? object.byteRange.lowerBound
          continue
        }
        // Objects of inlined frames that were there go, with what separates them from this one.
        if let start = removalStart { edits.remove(start..<object.byteRange.lowerBound) }
        removalStart = nil
        guard let answer = frame.answer else { continue }
        for inlined in answer.inlined { insert(inlined, before: object, into: &edits) }
        splice(answer, stated: frame.stated, into: object, &edits)
      }
    }
  }

  /// Replaces a string whose text has frames that were resolved, if it can be written as it was: what
  /// is spelt in another way than Apple's writer does is left alone.
  private static func splice(
    _ backtrace: SymbolicatedBacktrace, _ string: IpsTextBacktrace, of bytes: [UInt8],
    into edits: inout ByteEdits
  ) {
    guard backtrace.frames.contains(where: { $0.answer != nil }) else { return }
    guard let escapesSlashes = string.slashEscaping(in: bytes) else { return }
    let embedded = EmbeddedBacktrace(string)
    let text = EmbeddedBacktrace.text(
      of: TextSplicer.spliced(backtrace, in: embedded.bytes))
    edits.replace(
      string.byteRange, with: JsonText.quoted(text, escapesSlashes: escapesSlashes))
  }

  private static func splice(
    _ answer: FrameAnswer, stated: FrameSymbol?, into object: IpsFrame, _ edits: inout ByteEdits
  ) {
    guard let points = object.insertionPoints else { return }
    var values = members(of: answer.function, isInlined: false)
    var replaced = Set(IpsFrame.Key.allCases)
    if answer.keepsStatedName {
      values[.symbol] = nil
      values[.symbolLocation] = nil
      replaced = [.sourceFile, .sourceLine]
    }
    let order = IpsFrame.keyOrder(of: Set(values.keys))
    let spelling = object.spelling
    for (keys, place) in [
      (order.afterImageOffset, points.afterImageOffset),
      (order.afterImageIndex, points.afterImageIndex),
    ] {
      let text = keys.flatMap { key in
        spelling.memberSeparator + member(key, values[key] ?? "", spelling)
      }
      if !text.isEmpty { edits.insert(text, at: place) }
    }
    for range in object.removalRanges(of: replaced) { edits.remove(range) }
  }

  private static func insert(
    _ inlined: FrameAnswer.FrameText, before object: IpsFrame, into edits: inout ByteEdits
  ) {
    guard let offset = object.imageOffset, let index = object.imageIndex else { return }
    let values = members(of: inlined, isInlined: true)
    let order = IpsFrame.keyOrder(of: Set(values.keys))
    let spelling = object.spelling
    var members = [Array("\"imageOffset\"".utf8) + spelling.keySeparator + Array("\(offset)".utf8)]
    members += order.afterImageOffset.map { member($0, values[$0] ?? "", spelling) }
    members.append(Array("\"imageIndex\"".utf8) + spelling.keySeparator + Array("\(index)".utf8))
    members += order.afterImageIndex.map { member($0, values[$0] ?? "", spelling) }
    edits.insert(
      [UInt8(ascii: "{")] + spelling.afterOpeningBrace
        + members.joined(separator: spelling.memberSeparator) + spelling.beforeClosingBrace
        + [UInt8(ascii: "}")] + spelling.frameSeparator,
      at: object.byteRange.lowerBound)
  }

  /// The members as Apple's ReportCrash writes them: no line for code that belongs to none, and no
  /// `inline` for a function that is not.
  private static func members(
    of text: FrameAnswer.FrameText, isInlined: Bool
  ) -> [IpsFrame.Key: String] {
    var values: [IpsFrame.Key: String] = [
      .symbol: JsonText.quoted(text.name), .symbolLocation: String(text.offset),
    ]
    if let location = text.location, let file = text.shownFile {
      values[.sourceFile] = JsonText.quoted(file)
      if location.line > 0 { values[.sourceLine] = String(location.line) }
    }
    if isInlined { values[.inline] = "true" }
    return values
  }

  private static func member(
    _ key: IpsFrame.Key, _ value: String, _ spelling: IpsFrame.Spelling
  ) -> [UInt8] {
    Array("\"\(key.rawValue)\"".utf8) + spelling.keySeparator + Array(value.utf8)
  }
}

extension IpsTextBacktrace {
  /// Whether slashes are escaped; nil where the string is spelt in neither of the two ways in which it
  /// could be written again.
  fileprivate func slashEscaping(in bytes: [UInt8]) -> Bool? {
    [true, false].first {
      bytes[byteRange].elementsEqual(JsonText.quoted(text, escapesSlashes: $0).utf8)
    }
  }
}
