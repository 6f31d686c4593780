import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Puts answers into lines of call trees, each frame by itself. Inlined calls are left out: lines
/// of their own would need counts, and columns of the tree, that nobody measured.
protocol CallTreeSplicer: ReportSplicer {
  static func splice(
    _ frame: SymbolicatedFrame, of bytes: [UInt8], into edits: inout ByteEdits
  )
}

extension CallTreeSplicer {
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    for backtrace in report.backtraces {
      for frame in backtrace.frames { splice(frame, of: bytes, into: &edits) }
    }
  }
}

/// Puts answers into a sample, as `sample` itself writes names:
///
/// ```text
///     +   2705 main  (in App) + 64  [0x102270e30]  main.m:39
/// ```
///
/// Only what is between the count and the end of the line changes.
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

/// Puts answers into a spindump or a diagnostic, as `spindump` itself writes names:
///
/// ```text
///     101  main + 64 (main.m:39 in App + 2610) [0x10bd063d0]
/// ```
///
/// Only the name and what is in the parentheses changes.
struct SpindumpSplicer: CallTreeSplicer {
  static func splice(
    _ frame: SymbolicatedFrame, of bytes: [UInt8], into edits: inout ByteEdits
  ) {
    guard let answer = frame.answer, let parts = frame.source.values?.treeParts else { return }
    let text = answer.function
    if !answer.keepsStatedName {
      edits.replace(parts.function) { output in
        output.append(contentsOf: text.name.utf8)
        output.append(contentsOf: " + ".utf8)
        output.append(decimal: text.offset)
      }
    }
    guard let image = parts.image else {
      insertImage(of: frame, text, after: parts.function, into: &edits)
      return
    }
    guard text.location != nil || !answer.keepsStatedName else { return }
    // `main.m:39 in App + 2610`: what precedes the image is from an earlier run.
    edits.replace(image.lowerBound..<max(image.lowerBound, parts.imageStart)) {
      appendLocation(of: text, to: &$0)
    }
  }

  /// Adds the parentheses to a frame that has an address only.
  private static func insertImage(
    of frame: SymbolicatedFrame, _ text: FrameAnswer.FrameText, after function: Range<Int>,
    into edits: inout ByteEdits
  ) {
    guard let image = frame.image, let address = frame.codeAddress,
      address >= image.loadAddress
    else { return }
    // An image without a name is named by its UUID.
    let isNamed = image.name != unknownImageName
    let name = isNamed ? image.name : image.identity.map { "<\($0)>" } ?? image.name
    edits.insert(at: function.upperBound) { output in
      output.append(contentsOf: " (".utf8)
      appendLocation(of: text, to: &output)
      output.append(contentsOf: name.withoutControlCharacters.utf8)
      output.append(contentsOf: " + ".utf8)
      output.append(decimal: address.value - image.loadAddress.value)
      output.append(UInt8(ascii: ")"))
    }
  }

  /// `main.m:39 in `; nothing if no file is known.
  private static func appendLocation(
    of text: FrameAnswer.FrameText, to bytes: inout [UInt8]
  ) {
    guard let file = text.shownFile, let location = text.location else { return }
    let name = Array(file.withoutControlCharacters.utf8)
    bytes.append(contentsOf: name)
    // A name that does not look like a file, as those of C++ headers (`vector`), needs a line.
    if location.line > 0 || !SpindumpFile.isRecognised(name[...]) {
      bytes.append(UInt8(ascii: ":"))
      bytes.append(decimal: UInt64(location.line))
    }
    bytes.append(contentsOf: " in ".utf8)
  }
}
