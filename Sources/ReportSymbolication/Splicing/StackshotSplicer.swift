import CrashLogParser
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
struct StackshotSplicer: ReportSplicer {
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    for backtrace in report.backtraces where backtrace.isChanged {
      guard let lists = backtrace.source.stackshotLists else { continue }
      let count = lists.frames.value.elements.reduce(0) { count, _ in count + 1 }
      let stated = lists.symbols.map { Array($0.value.elements) } ?? []
      var texts = (0..<count).map { index -> [UInt8] in
        stated.indices.contains(index) ? Array(bytes[stated[index].byteRange]) : Array("null".utf8)
      }
      for frame in backtrace.frames {
        guard let answer = frame.answer, let index = frame.source.index, index < count else {
          continue
        }
        texts[index] = object(answer, stated: frame.stated)
      }
      let list =
        [UInt8(ascii: "[")] + texts.joined(separator: [UInt8(ascii: ",")]) + [
          UInt8(ascii: "]")
        ]
      if let symbols = lists.symbols {
        edits.replace(symbols.value.byteRange, with: list)
      } else {
        edits.insert(at: lists.frames.byteRange.upperBound) { output in
          output += ",\"\(lists.frames.key.dropLast())Symbols\":".utf8
          output += list
        }
      }
    }
  }

  private static func object(_ answer: FrameAnswer, stated: FrameSymbol?) -> [UInt8] {
    let text = answer.function
    let isStated = answer.keepsStatedName
    var bytes = Array("{\"symbol\":".utf8)
    JsonText.append(isStated ? stated?.name ?? text.name : text.name, to: &bytes)
    bytes += ",\"symbolLocation\":".utf8
    bytes.append(decimal: text.offset)
    if let file = text.shownFile, let location = text.location {
      bytes += ",\"sourceFile\":".utf8
      JsonText.append(file, to: &bytes)
      bytes += ",\"sourceLine\":".utf8
      bytes.append(decimal: UInt64(location.line))
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
