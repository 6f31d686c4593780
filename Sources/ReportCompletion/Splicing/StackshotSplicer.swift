import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// Puts answers into a stackshot as JSON.
///
/// A frame there is a pair of numbers, and what reads stackshots expects exactly that. So the
/// answers go into a new key beside the list of frames, with an element for each frame: null, or an
/// object with the keys of a crash report. Readers that do not know the key see the stackshot as it
/// was.
///
/// ```json
/// "userFrames":[[2,1088],[3,16]],"userFrameSymbols":[null,{"symbol":"main","symbolLocation":8}]
/// ```
struct StackshotSplicer: BacktraceSplicer {
  private let bytes: [UInt8]

  init(_ report: SymbolicatedReport, of bytes: [UInt8]) { self.bytes = bytes }

  func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    guard let lists = backtrace.source.stackshotLists else { return }
    let stated = lists.symbols.map { Array($0.value.elements) } ?? []
    var texts = (0..<lists.frames.value.elementCount).map { index -> [UInt8] in
      stated.indices.contains(index) ? Array(bytes[stated[index].byteRange]) : Array("null".utf8)
    }
    for frame in backtrace.frames {
      guard let answer = frame.answer, let index = frame.source.index, index < texts.count else {
        continue
      }
      texts[index] = object(answer, stated: frame.stated)
    }
    let list = Array("[".utf8) + texts.joined(separator: ",".utf8) + Array("]".utf8)
    if let symbols = lists.symbols {
      edits.replace(symbols.value.byteRange, with: list)
    } else {
      edits.insert(at: lists.frames.byteRange.upperBound) { output in
        output += ",\"\(lists.frames.key.dropLast())Symbols\":".utf8
        output += list
      }
    }
  }

  private func object(_ answer: FrameAnswer, stated: FrameSymbol?) -> [UInt8] {
    let text = answer.function
    let name = answer.keepsStatedName ? stated?.name : nil
    var members = [
      AddedMember("symbol", .text(name ?? text.name)),
      AddedMember("symbolLocation", .number(text.offset)),
    ]
    if let file = text.shownFile, let location = text.location {
      members.append(AddedMember("sourceFile", .text(file)))
      members.append(AddedMember("sourceLine", .number(UInt64(location.line))))
    }
    var object: [UInt8] = []
    JsonObjectSpelling.compact.appendObject(members, to: &object, escapesSlashes: { true })
    return object
  }
}
