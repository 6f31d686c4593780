import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// Puts answers into a Swift backtrace as JSON: members into the objects of frames, with the keys
/// of the runtime and in its order, and objects of inlined calls before them. All other bytes,
/// white space included, stay as they are.
struct SwiftBacktraceJsonSplicer: BacktraceSplicer {
  private let bytes: [UInt8]

  init(_ report: SymbolicatedReport, of bytes: [UInt8]) { self.bytes = bytes }

  func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    var superseded = SupersededObjects()
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      guard let values = frame.source.values, let object = values.json else { continue }
      let start = values.byteRange.lowerBound
      if superseded.take(row.content == .superseded, at: start, &edits) { continue }
      // The runtime begins a frame with these two; one that does not is left alone.
      var members = object.members.makeIterator()
      guard let text = backtrace.answerText(of: row), object.isComplete,
        let kind = members.next(), kind.hasKey("kind"),
        let address = members.next(), address.hasKey("address"),
        let spelling = JsonObjectSpelling(object)
      else { continue }
      if case .inlined = row.content {
        let new = Self.members(SwiftFrameText(text, of: frame, isInlined: true))
        let separator = backtrace.separator(
          ofFrame: row.frame, [row.frame - 1, row.frame + 1], in: bytes)
        edits.insert(at: start) { output in
          spelling.appendObject(
            copying: [bytes[kind.byteRange], bytes[address.byteRange]], new, to: &output,
            escapesSlashes: { false })
          output += separator
        }
      } else {
        write(
          SwiftFrameText(text, of: frame, isInlined: values.isInlined),
          keepsName: frame.answer?.keepsStatedName == true, object,
          addressEnd: address.byteRange.upperBound, spelling, into: &edits)
      }
    }
  }

  private func write(
    _ text: SwiftFrameText, keepsName: Bool, _ object: JsonValue, addressEnd: Int,
    _ spelling: JsonObjectSpelling, into edits: inout ByteEdits
  ) {
    func insert(_ members: [AddedMember], at offset: Int) {
      edits.insert(at: offset) { spelling.append(members, to: &$0, escapesSlashes: { false }) }
    }
    // Edits at one offset are made in the order in which they are added.
    if !keepsName { insert(Self.members(text), at: addressEnd) }
    let replaced = keepsName ? ["sourceLocation"] : Self.replacedKeys
    for range in object.removalRanges(where: { replaced.contains($0.key) }) { edits.remove(range) }
    guard keepsName, text.location != nil else { return }
    let end = object.members.reduce(addressEnd) { $1.byteRange.upperBound }
    insert(Self.placeMember(text), at: end)
  }

  private static let replacedKeys: Set = [
    "inlined", "runtimeFailure", "thunk", "system", "symbol", "offset", "description", "image",
    "sourceLocation",
  ]

  /// The members that follow the address of a frame.
  private static func members(_ text: SwiftFrameText) -> [AddedMember] {
    let marks = [("inlined", text.isInlined), ("thunk", text.isThunk), ("system", text.isSystem)]
    return marks.filter(\.1).map { AddedMember($0.0, .yes) } + [
      AddedMember("symbol", .text(text.rawName)), AddedMember("offset", .number(text.offset)),
      AddedMember("description", .text(text.description)),
      AddedMember("image", .text(text.imageName)),
    ] + placeMember(text)
  }

  private static func placeMember(_ text: SwiftFrameText) -> [AddedMember] {
    text.location.map { [AddedMember("sourceLocation", .place($0))] } ?? []
  }
}
