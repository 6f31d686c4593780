import CrashLogParser
import SymbolicationModel

/// Puts answers into an `.ips`: members into the objects of frames, and objects of inlined calls
/// before them. All other bytes, spelling and white space included, stay as they are.
enum IpsSplicer: ReportSplicer {
  static let showsColumns = false
  static let hasPlaceForSourceLines = false
  static let appleText = AppleTextOrigin.translation

  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {
    for backtrace in report.backtraces {
      if let text = backtrace.source.embeddedText {
        splice(backtrace, text, of: bytes, into: &edits)
      } else {
        splice(backtrace, into: &edits)
      }
    }
  }

  private static func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    var removalStart: Int?
    for row in backtrace.rows {
      guard let object = backtrace.frames[row.frame].source.object else { continue }
      if row.content == .superseded {
        removalStart = removalStart ?? object.byteRange.lowerBound
        continue
      }
      // Remove the objects of earlier inlined calls and the separators after them.
      if let start = removalStart { edits.remove(start..<object.byteRange.lowerBound) }
      removalStart = nil
      guard let text = backtrace.answerText(of: row) else { continue }
      if case .inlined = row.content {
        insert(text, before: object, into: &edits)
      } else {
        let keepsName = backtrace.frames[row.frame].answer?.keepsStatedName == true
        splice(text, keepsName: keepsName, into: object, &edits)
      }
    }
  }

  /// Replaces a string whose frames were resolved. A string that is not spelt as Apple's writer
  /// does it is left alone, because it could not be written in the same way.
  private static func splice(
    _ backtrace: SymbolicatedBacktrace, _ text: [UInt8], of bytes: [UInt8],
    into edits: inout ByteEdits
  ) {
    guard backtrace.frames.contains(where: { $0.answer != nil }) else { return }
    let range = backtrace.source.byteRange
    let original = String(decoding: text, as: UTF8.self)
    let escapesSlashes = [true, false].first {
      bytes[range].elementsEqual(JsonText.quoted(original, escapesSlashes: $0).utf8)
    }
    guard let escapesSlashes else { return }
    let spliced = String(decoding: TextSplicer.spliced(backtrace, in: text), as: UTF8.self)
    edits.replace(range, with: JsonText.quoted(spliced, escapesSlashes: escapesSlashes))
  }

  private static func splice(
    _ text: FrameAnswer.FrameText, keepsName: Bool, into object: IpsFrame,
    _ edits: inout ByteEdits
  ) {
    guard let points = object.insertionPoints else { return }
    var values = members(of: text, isInlined: false)
    var replaced = Set(IpsFrame.addedKeys)
    if keepsName {
      values[.symbol] = nil
      values[.symbolLocation] = nil
      replaced = [.sourceFile, .sourceLine]
    }
    let order = IpsFrame.keyOrder(of: Set(values.keys))
    let spelling = object.spelling
    for (keys, offset) in [
      (order.afterImageOffset, points.afterImageOffset),
      (order.afterImageIndex, points.afterImageIndex),
    ] {
      let text = keys.flatMap { key in
        spelling.memberSeparator + member(key, values[key] ?? "", spelling)
      }
      if !text.isEmpty { edits.insert(text, at: offset) }
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
    var members = [member(.imageOffset, String(offset), spelling)]
    members += order.afterImageOffset.map { member($0, values[$0] ?? "", spelling) }
    members.append(member(.imageIndex, String(index), spelling))
    members += order.afterImageIndex.map { member($0, values[$0] ?? "", spelling) }
    edits.insert(
      [UInt8(ascii: "{")] + spelling.afterOpeningBrace
        + members.joined(separator: spelling.memberSeparator) + spelling.beforeClosingBrace
        + [UInt8(ascii: "}")] + spelling.frameSeparator,
      at: object.byteRange.lowerBound)
  }

  /// The members as Apple's ReportCrash writes them: no line for code without one, and no `inline`
  /// for a function with code of its own.
  private static func members(
    of text: FrameAnswer.FrameText, isInlined: Bool
  ) -> [IpsKey: String] {
    var values: [IpsKey: String] = [
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
    _ key: IpsKey, _ value: String, _ spelling: IpsFrame.Spelling
  ) -> [UInt8] {
    Array("\"\(key.rawValue)\"".utf8) + spelling.keySeparator + Array(value.utf8)
  }
}
