import SymbolicationModel

/// Writes the answers to bare frames, with the keys of a frame in `JsonRenderer`'s schema.
struct JsonBareFrame {
  private let keys: [JsonWriter.Key]
  /// Those of `symbolNames`, of a frame and of a call inlined into it.
  private let symbolKeys: [JsonWriter.Key]
  private let inlinedKeys: [JsonWriter.Key]

  private static let names = [
    "index", "inlined", "address", "image", "imageName", "imageOffset", "origin", "source",
    "explanation", "symbolFile", "inlinedCalls",
  ]

  private static let symbolNames = [
    "function", "rawName", "offset", "file", "path", "line", "column",
  ]

  /// - Parameter writer: what is open in it is the object of the record.
  init(_ writer: JsonWriter) {
    keys = Self.names.map {
      writer.preparedKey($0, levels: 2, isFirst: $0 == Self.names.first)
    }
    symbolKeys = Self.symbolNames.map { writer.preparedKey($0, levels: 2) }
    inlinedKeys = Self.symbolNames.map {
      writer.preparedKey($0, levels: 4, isFirst: $0 == Self.symbolNames.first)
    }
  }

  func write(_ result: WorkerFrameAnswer, index: Int, to writer: inout JsonWriter) {
    writer.object { writer in
      writer.key(keys[0])
      writer.value(index)
      writer.key(keys[1])
      writer.value(false)
      writer.key(keys[2])
      writer.value(hexadecimal: result.frame.statedAddress)
      // There is no list of images.
      writer.key(keys[3])
      writer.null()
      writer.key(keys[4])
      writer.value(result.frame.imageName)
      writer.key(keys[5])
      writer.value(result.imageOffset)
      writeSymbol(result.answer?.function, symbolKeys, to: &writer)
      writer.key(keys[6])
      writer.value(result.answer.map { ShownFrame.Origin($0.origin).schemaName })
      writer.key(keys[7])
      if let source = result.answer?.function.source {
        writer.object { writer in
          writer.member("firstLine", source.firstLine)
          writer.member(strings: "lines", source.lines)
        }
      } else {
        writer.null()
      }
      writer.key(keys[8])
      writer.null()
      writer.key(keys[9])
      writer.value(result.symbolFile)
      writer.key(keys[10])
      writer.array { writer in
        for call in result.answer?.inlined ?? [] {
          writer.element()
          writer.object { writeSymbol(call, inlinedKeys, to: &$0) }
        }
      }
    }
  }

  /// - Parameter keys: those of `symbolNames`.
  private func writeSymbol(
    _ text: FrameAnswer.FrameText?, _ keys: [JsonWriter.Key], to writer: inout JsonWriter
  ) {
    let location = text.map { ShownFrame.Location($0) }
    writer.key(keys[0])
    writer.value(text?.name)
    writer.key(keys[1])
    writer.value(text?.rawName)
    writer.key(keys[2])
    writer.value(text?.offset)
    writer.key(keys[3])
    writer.value(location?.file)
    writer.key(keys[4])
    writer.value(location?.path)
    writer.key(keys[5])
    writer.value(location?.line)
    writer.key(keys[6])
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
