import CrashLogParser
import SymbolicationModel

/// Puts answers into an `.ips`: members into the objects of frames, and objects of inlined calls
/// before them. All other bytes, spelling and white space included, stay as they are.
struct IpsSplicer: ReportSplicer {
  private var edits = ByteEdits()
  /// The keys to write, in order, for each kind of frame that came up.
  private var orders: [FrameKind: KeyOrder] = [:]

  static func splice(
    _ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits
  ) {
    var splicer = IpsSplicer()
    swap(&splicer.edits, &edits)
    for backtrace in report.backtraces where backtrace.isChanged {
      if let text = backtrace.source.embeddedText {
        splicer.splice(backtrace, text, of: bytes)
      } else {
        splicer.splice(backtrace)
      }
    }
    edits = splicer.edits
  }

  private mutating func splice(_ backtrace: SymbolicatedBacktrace) {
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
      guard let answer = backtrace.frames[row.frame].answer else { continue }
      if case .inlined(let inlined) = row.content {
        insert(answer.inlined[inlined], before: object)
      } else {
        write(answer, into: object)
      }
    }
  }

  /// Replaces a string whose frames were resolved. A string that is not spelt as Apple's writer
  /// does it is left alone, because it could not be written in the same way.
  private mutating func splice(
    _ backtrace: SymbolicatedBacktrace, _ text: [UInt8], of bytes: [UInt8]
  ) {
    guard backtrace.frames.contains(where: { $0.answer != nil }) else { return }
    let range = backtrace.source.byteRange
    let original = String(decoding: text, as: UTF8.self)
    let escapesSlashes = [true, false].first {
      bytes[range].elementsEqual(JsonText.quoted(original, escapesSlashes: $0))
    }
    guard let escapesSlashes else { return }
    let spliced = String(decoding: TextSplicer.spliced(backtrace, in: text), as: UTF8.self)
    edits.replace(range) {
      JsonText.append(spliced, to: &$0, escapesSlashes: escapesSlashes)
    }
  }

  private mutating func write(_ answer: FrameAnswer, into object: IpsFrame) {
    guard let points = object.insertionPoints else { return }
    let text = answer.function
    let order = order(of: FrameKind(text, keepsName: answer.keepsStatedName, isInlined: false))
    let spelling = object.spelling
    for (keys, offset) in [
      (order.afterImageOffset, points.afterImageOffset),
      (order.afterImageIndex, points.afterImageIndex),
    ] where !keys.isEmpty {
      edits.insert(at: offset) { bytes in
        for key in keys {
          bytes += spelling.memberSeparator
          Self.append(key, of: text, spelling, to: &bytes)
        }
      }
    }
    if object.hasTwoMembers { return }
    let replaced = answer.keepsStatedName ? Self.keysOfLine : Self.addedKeys
    for range in object.removalRanges(of: replaced) { edits.remove(range) }
  }

  private static let addedKeys = Set(IpsFrame.addedKeys)
  private static let keysOfLine: Set<IpsKey> = [.sourceFile, .sourceLine]

  private mutating func insert(_ inlined: FrameAnswer.FrameText, before object: IpsFrame) {
    guard let offset = object.imageOffset, let index = object.imageIndex else { return }
    let order = order(of: FrameKind(inlined, keepsName: false, isInlined: true))
    let spelling = object.spelling
    edits.insert(at: object.byteRange.lowerBound) { bytes in
      bytes.append(UInt8(ascii: "{"))
      bytes += spelling.afterOpeningBrace
      Self.append(key: .imageOffset, spelling, to: &bytes)
      bytes.append(decimal: offset)
      for key in order.afterImageOffset {
        bytes += spelling.memberSeparator
        Self.append(key, of: inlined, spelling, to: &bytes)
      }
      bytes += spelling.memberSeparator
      Self.append(key: .imageIndex, spelling, to: &bytes)
      bytes.append(decimal: index)
      for key in order.afterImageIndex {
        bytes += spelling.memberSeparator
        Self.append(key, of: inlined, spelling, to: &bytes)
      }
      bytes += spelling.beforeClosingBrace
      bytes.append(UInt8(ascii: "}"))
      bytes += spelling.frameSeparator
    }
  }

  // MARK: Members

  private typealias KeyOrder = (afterImageOffset: [IpsKey], afterImageIndex: [IpsKey])

  /// What decides which members a frame is given. They are those that Apple's ReportCrash writes:
  /// no line for code without one, and no `inline` for a function with code of its own.
  private struct FrameKind: Hashable {
    let keepsName: Bool
    let hasFile: Bool
    let hasLine: Bool
    let isInlined: Bool

    init(_ text: FrameAnswer.FrameText, keepsName: Bool, isInlined: Bool) {
      self.keepsName = keepsName
      self.isInlined = isInlined
      hasFile = text.location != nil && text.shownFile != nil
      hasLine = hasFile && text.location?.line ?? 0 > 0
    }

    var keys: Set<IpsKey> {
      var keys: Set<IpsKey> = keepsName ? [] : [.symbol, .symbolLocation]
      if hasFile { keys.insert(.sourceFile) }
      if hasLine { keys.insert(.sourceLine) }
      if isInlined { keys.insert(.inline) }
      return keys
    }
  }

  private mutating func order(of kind: FrameKind) -> KeyOrder {
    if let known = orders[kind] { return known }
    let order = IpsFrame.keyOrder(of: kind.keys)
    orders[kind] = order
    return order
  }

  private static func append(
    _ key: IpsKey, of text: FrameAnswer.FrameText, _ spelling: IpsFrame.Spelling,
    to bytes: inout [UInt8]
  ) {
    append(key: key, spelling, to: &bytes)
    switch key {
    case .symbol: JsonText.append(text.name, to: &bytes)
    case .symbolLocation: bytes.append(decimal: text.offset)
    case .sourceFile: JsonText.append(text.shownFile ?? "", to: &bytes)
    case .sourceLine: bytes.append(decimal: UInt64(text.location?.line ?? 0))
    case .inline: bytes.append(contentsOf: "true".utf8)
    default: break  // Never among the keys of a kind.
    }
  }

  private static func append(
    key: IpsKey, _ spelling: IpsFrame.Spelling, to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.rawValue.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes += spelling.keySeparator
  }
}
