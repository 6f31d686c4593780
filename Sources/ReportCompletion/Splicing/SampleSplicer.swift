import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Puts answers into a sample, as `sample` itself writes names:
///
/// ```text
///     +   2705 main  (in App) + 64  [0x102270e30]  main.m:39
/// ```
///
/// Only what is between the count and the end of the line changes. Inlined calls are left out:
/// lines of their own would need counts and columns of the tree that nobody measured.
struct SampleSplicer: CallTreeSplicer {
  static func splice(
    _ frame: SymbolicatedFrame, of bytes: [UInt8], into edits: inout ByteEdits
  ) {
    guard let answer = frame.answer, let parts = frame.source.values?.treeParts,
      let address = parts.address
    else { return }
    let text = answer.function
    if !answer.keepsStatedName {
      let isBare = parts.function.isEmpty
      edits.replace(parts.function) { output in
        output.append(contentsOf: text.name.utf8)
        output.append(contentsOf: "  (in ".utf8)
        output.append(contentsOf: imageName(of: frame).utf8)
        output.append(contentsOf: ") + ".utf8)
        output.append(decimal: text.offset)
        if isBare { output.append(contentsOf: "  [".utf8) }
      }
      if isBare {
        edits.insert("]".utf8, at: address.upperBound)
        edits.insert(at: address.upperBound) { appendLocation(of: text, to: &$0) }
        return
      }
    }
    // After the bracket that closes the address.
    let end = address.upperBound + 1
    guard text.location != nil || !answer.keepsStatedName else { return }
    edits.replace(parts.location ?? end..<end) { appendLocation(of: text, to: &$0) }
  }

  /// As the frame calls it, unless that is no name.
  private static func imageName(of frame: SymbolicatedFrame) -> String {
    let stated = frame.imageName
    let isKnown = stated != unknownImageName && stated != "<unknown binary>"
    return (isKnown ? stated : frame.image?.name ?? stated).withoutControlCharacters
  }

  private static func appendLocation(
    of text: FrameAnswer.FrameText, to bytes: inout [UInt8]
  ) {
    guard let file = text.shownFile, let location = text.location else { return }
    bytes.append(contentsOf: "  ".utf8)
    bytes.append(contentsOf: file.withoutControlCharacters.utf8)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(decimal: UInt64(location.line))
  }
}
