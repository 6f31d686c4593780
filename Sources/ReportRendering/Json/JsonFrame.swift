import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Writes the frames of a report. They make up almost all of a document, so their keys are spelt
/// once for all frames at one depth.
///
/// A class, because copying all the keys would take longer than writing them.
final class JsonFrame {
  private let index: JsonWriter.Key
  private let inlined: JsonWriter.Key
  private let address: JsonWriter.Key
  private let image: JsonWriter.Key
  private let imageName: JsonWriter.Key
  private let imageOffset: JsonWriter.Key
  private let function: JsonWriter.Key
  private let rawName: JsonWriter.Key
  private let offset: JsonWriter.Key
  private let file: JsonWriter.Key
  private let path: JsonWriter.Key
  private let line: JsonWriter.Key
  private let column: JsonWriter.Key
  private let origin: JsonWriter.Key
  private let source: JsonWriter.Key
  private let explanation: JsonWriter.Key
  private let depth: JsonWriter.Key
  private let samples: JsonWriter.Key
  private let showsExplanations: Bool

  /// - Parameter levels: how many levels the members of the frames are below what is open now.
  init(_ writer: JsonWriter, levels: Int, showsExplanations: Bool) {
    func key(_ text: String, isFirst: Bool = false) -> JsonWriter.Key {
      writer.preparedKey(text, levels: levels, isFirst: isFirst)
    }
    index = key("index", isFirst: true)
    inlined = key("inlined")
    address = key("address")
    image = key("image")
    imageName = key("imageName")
    imageOffset = key("imageOffset")
    function = key("function")
    rawName = key("rawName")
    offset = key("offset")
    file = key("file")
    path = key("path")
    line = key("line")
    column = key("column")
    origin = key("origin")
    source = key("source")
    explanation = key("explanation")
    depth = key("depth")
    samples = key("samples")
    self.showsExplanations = showsExplanations
  }

  /// Writes the object of a frame.
  package func write(_ frame: ShownFrame, in images: JsonImages, to writer: inout JsonWriter) {
    writer.beginObject()
    writer.key(index)
    writer.value(frame.index)
    writer.key(inlined)
    writer.value(frame.isInlined)
    writer.key(address)
    writer.value(hexadecimal: frame.address?.value)
    writer.key(image)
    writer.value(frame.image.flatMap { images.index(of: $0) })
    writer.key(imageName)
    writer.value(frame.imageName.known)
    writer.key(imageOffset)
    writer.value(frame.imageOffset)
    writeSymbol(of: frame, to: &writer)
    writer.key(explanation)
    if showsExplanations, let explanation = frame.explanation {
      writer.object { JsonExplanation(explanation).write(to: &$0) }
    } else {
      writer.null()
    }
    // Only frames of call trees have these. In all others they would be a tenth of the document.
    if let level = frame.depth {
      writer.key(depth)
      writer.value(level)
      writer.key(samples)
      writer.value(frame.sampleCount)
    }
    writer.endObject()
  }

  private func writeSymbol(of frame: ShownFrame, to writer: inout JsonWriter) {
    let location = frame.location
    writer.key(function)
    writer.value(frame.function)
    writer.key(rawName)
    writer.value(frame.rawName)
    writer.key(offset)
    writer.value(frame.offset)
    writer.key(file)
    writer.value(location.file)
    writer.key(path)
    writer.value(location.path)
    writer.key(line)
    writer.value(location.line)
    writer.key(column)
    writer.value(location.column)
    writer.key(origin)
    writer.value(frame.origin?.rawValue)
    writer.key(source)
    if let source = location.source {
      writer.object { writer in
        writer.member("firstLine", source.firstLine)
        writer.member(strings: "lines", source.lines)
      }
    } else {
      writer.null()
    }
  }
}
