import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Puts answers into an `.ips`: members into the objects of frames, and objects of inlined calls
/// before them. All other bytes, spelling and white space included, stay as they are.
struct IpsSplicer: BacktraceSplicer {
  private let bytes: [UInt8]
  /// The keys to write, in order, for each kind of frame that came up.
  private var orders: [FrameKind: KeyOrder] = [:]

  init(_ report: SymbolicatedReport, of bytes: [UInt8]) { self.bytes = bytes }

  mutating func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    if let text = backtrace.source.embeddedText { return splice(backtrace, text, into: &edits) }
    var superseded = SupersededObjects()
    for row in backtrace.rows {
      guard let object = backtrace.frames[row.frame].source.object else { continue }
      let isSuperseded = row.content == .superseded
      if superseded.take(isSuperseded, at: object.byteRange.lowerBound, &edits) { continue }
      guard let answer = backtrace.frames[row.frame].answer else { continue }
      if case .inlined(let inlined) = row.content {
        insert(answer.inlined[inlined], before: object, into: &edits)
      } else {
        write(answer, object, into: &edits)
      }
    }
  }

  /// Replaces a string whose frames were resolved. A string that is not spelt as Apple's writer
  /// does it is left alone, because it could not be written in the same way.
  private func splice(
    _ backtrace: SymbolicatedBacktrace, _ text: [UInt8], into edits: inout ByteEdits
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

  private mutating func write(
    _ answer: FrameAnswer, _ object: IpsFrame, into edits: inout ByteEdits
  ) {
    guard let points = object.insertionPoints else { return }
    let text = answer.function
    let order = order(of: FrameKind(text, keepsName: answer.keepsStatedName, isInlined: false))
    let spelling = object.spelling
    for (keys, offset) in [
      (order.afterImageOffset, points.afterImageOffset),
      (order.afterImageIndex, points.afterImageIndex),
    ] where !keys.isEmpty {
      edits.insert(at: offset) { Self.append(keys, of: text, spelling, to: &$0) }
    }
    if object.hasTwoMembers { return }
    let replaced = answer.keepsStatedName ? Self.keysOfLine : Self.addedKeys
    for range in object.removalRanges(of: replaced) { edits.remove(range) }
  }

  private static let addedKeys = Set(IpsFrame.addedKeys)
  private static let keysOfLine: Set<IpsKey> = [.sourceFile, .sourceLine]

  private mutating func insert(
    _ inlined: FrameAnswer.FrameText, before object: IpsFrame, into edits: inout ByteEdits
  ) {
    guard let offset = object.imageOffset, let index = object.imageIndex else { return }
    let order = order(of: FrameKind(inlined, keepsName: false, isInlined: true))
    let spelling = object.spelling
    edits.insert(at: object.byteRange.lowerBound) { bytes in
      bytes.append(UInt8(ascii: "{"))
      bytes += spelling.afterOpeningBrace
      spelling.appendKey(IpsKey.imageOffset.rawValue, to: &bytes)
      bytes.append(decimal: offset)
      Self.append(order.afterImageOffset, of: inlined, spelling, to: &bytes)
      bytes += spelling.memberSeparator
      spelling.appendKey(IpsKey.imageIndex.rawValue, to: &bytes)
      bytes.append(decimal: index)
      Self.append(order.afterImageIndex, of: inlined, spelling, to: &bytes)
      spelling.appendEnd(to: &bytes)
      bytes += object.frameSeparator
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

  /// Appends members, with the separator before each.
  private static func append(
    _ keys: [IpsKey], of text: FrameAnswer.FrameText, _ spelling: JsonObjectSpelling,
    to bytes: inout [UInt8]
  ) {
    for key in keys {
      bytes += spelling.memberSeparator
      spelling.appendKey(key.rawValue, to: &bytes)
      switch key {
      case .symbol: JsonText.append(text.name, to: &bytes)
      case .symbolLocation: bytes.append(decimal: text.offset)
      case .sourceFile: JsonText.append(text.shownFile ?? "", to: &bytes)
      case .sourceLine: bytes.append(decimal: UInt64(text.location?.line ?? 0))
      case .inline: bytes += "true".utf8
      default: break  // Never among the keys of a kind.
      }
    }
  }
}
