import ReportRendering
import ReportSymbolication
import SymbolicationModel
import Wording

/// Writes the answers to bare frames, with the keys of a frame in `JsonRenderer`'s schema.
struct JsonBareFrame {
  private let index: JsonWriter.Key
  private let inlined: JsonWriter.Key
  private let address: JsonWriter.Key
  private let image: JsonWriter.Key
  private let imageName: JsonWriter.Key
  private let imageOffset: JsonWriter.Key
  private let symbol: SymbolKeys
  private let origin: JsonWriter.Key
  private let source: JsonWriter.Key
  private let explanation: JsonWriter.Key
  private let symbolFile: JsonWriter.Key
  private let inlinedCalls: JsonWriter.Key
  private let inlinedSymbol: SymbolKeys

  /// The keys of a function and a place in it.
  private struct SymbolKeys {
    let function: JsonWriter.Key
    let rawName: JsonWriter.Key
    let offset: JsonWriter.Key
    let file: JsonWriter.Key
    let path: JsonWriter.Key
    let line: JsonWriter.Key
    let column: JsonWriter.Key

    /// - Parameter isFirst: whether the function is the first member of its object.
    init(_ writer: JsonWriter, levels: Int, isFirst: Bool) {
      function = writer.preparedKey("function", levels: levels, isFirst: isFirst)
      rawName = writer.preparedKey("rawName", levels: levels)
      offset = writer.preparedKey("offset", levels: levels)
      file = writer.preparedKey("file", levels: levels)
      path = writer.preparedKey("path", levels: levels)
      line = writer.preparedKey("line", levels: levels)
      column = writer.preparedKey("column", levels: levels)
    }
  }

  /// - Parameter writer: what is open in it is the object of the record.
  init(_ writer: JsonWriter) {
    func key(_ text: String, isFirst: Bool = false) -> JsonWriter.Key {
      writer.preparedKey(text, levels: 2, isFirst: isFirst)
    }
    index = key("index", isFirst: true)
    inlined = key("inlined")
    address = key("address")
    image = key("image")
    imageName = key("imageName")
    imageOffset = key("imageOffset")
    symbol = SymbolKeys(writer, levels: 2, isFirst: false)
    origin = key("origin")
    source = key("source")
    explanation = key("explanation")
    symbolFile = key("symbolFile")
    inlinedCalls = key("inlinedCalls")
    inlinedSymbol = SymbolKeys(writer, levels: 4, isFirst: true)
  }

  func write(_ result: WorkerFrameAnswer, index number: Int, to writer: inout JsonWriter) {
    writer.object { writer in
      writer.key(index)
      writer.value(number)
      writer.key(inlined)
      writer.value(false)
      writer.key(address)
      writer.value(hexadecimal: result.frame.statedAddress)
      // There is no list of images.
      writer.key(image)
      writer.null()
      writer.key(imageName)
      writer.value(result.frame.imageName)
      writer.key(imageOffset)
      writer.value(result.imageOffset)
      writeSymbol(result.answer?.function, symbol, to: &writer)
      writer.key(origin)
      writer.value((result.answer?.origin).map(\.rawValue))
      writer.key(source)
      if let source = result.answer?.function.source {
        writer.object { writer in
          writer.member("firstLine", source.firstLine)
          writer.member(strings: "lines", source.lines)
        }
      } else {
        writer.null()
      }
      writer.key(explanation)
      writer.null()
      writer.key(symbolFile)
      writer.value(result.symbolFile)
      writer.key(inlinedCalls)
      writer.array { writer in
        for call in result.answer?.inlined ?? [] {
          writer.element()
          writer.object { writeSymbol(call, inlinedSymbol, to: &$0) }
        }
      }
    }
  }

  private func writeSymbol(
    _ text: FrameAnswer.FrameText?, _ keys: SymbolKeys, to writer: inout JsonWriter
  ) {
    let location = text.map { ShownFrame.Location($0) }
    writer.key(keys.function)
    writer.value(text?.name)
    writer.key(keys.rawName)
    writer.value(text?.rawName)
    writer.key(keys.offset)
    writer.value(text?.offset)
    writer.key(keys.file)
    writer.value(location?.file)
    writer.key(keys.path)
    writer.value(location?.path)
    writer.key(keys.line)
    writer.value(location?.line)
    writer.key(keys.column)
    writer.value(location?.column)
  }
}

extension WorkerFrame {
  /// The address as it was asked; nil for an offset.
  fileprivate var statedAddress: UInt64? {
    switch place {
    case .offset: nil
    case .linkAddress(let address): address.value
    case .loaded(let address, _): address.value
    }
  }
}
