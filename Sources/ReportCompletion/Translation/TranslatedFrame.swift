import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// A row of a backtrace as Apple's text shows it.
struct TranslatedFrame {
  /// The file name of the image.
  let imageName: String
  /// Nil if the report does not give it; it is then shown as `0x0`.
  package let address: LoadAddress?
  package let content: Content
  /// Where the frame stands in a call tree; nil in a plain backtrace.
  var place: TreePlace?

  /// What follows the address.
  package enum Content {
    /// `main + 8 (main.swift:3) [inlined]`.
    case symbol(Symbol)
    /// `0x104690000 + 236404`.
    case unsymbolicated(ImageRelativeAddress)
    /// `???`: the address belongs to no image.
    case unknown
  }

  /// A place in a call tree.
  struct TreePlace {
    /// How many callers the frame has.
    let depth: Int
    let sampleCount: Int?
    /// Bytes from the start of the image to the address; nil without an image.
    let imageOffset: UInt64?
  }

  struct Symbol {
    package let name: String
    /// Bytes from the start of the function to the address. Not shown if nil.
    let offset: UInt64?
    package var file: String?
    /// Counted from 1. If it is nil or 0, or the file is nil, neither is shown.
    var line: Int?
    var isInlined = false
    /// The lines to show below the frame.
    var sourceLines: [String] = []
  }
}

extension SymbolicatedReport {
  /// The rows of a backtrace as Apple's text shows them, innermost first.
  func translatedFrames(of backtrace: SymbolicatedBacktrace) -> [TranslatedFrame] {
    backtrace.rows.compactMap { row in
      guard row.content != .superseded else { return nil }
      let frame = backtrace.frames[row.frame]
      var translated = translatedFrame(frame, row, backtrace.answerText(of: row))
      translated.place = frame.source.depth.map {
        TranslatedFrame.TreePlace(
          depth: $0, sampleCount: frame.source.sampleCount, imageOffset: frame.imageOffset)
      }
      return translated
    }
  }

  /// - Parameter text: what was found out about the row.
  private func translatedFrame(
    _ frame: SymbolicatedFrame, _ row: BacktraceRow, _ text: FrameAnswer.FrameText?
  ) -> TranslatedFrame {
    guard let text else { return statedFrame(frame) }
    var symbol = TranslatedFrame.Symbol(name: text.name, offset: text.offset)
    if row.content == .frame, frame.answer?.keepsStatedName == true, let stated = frame.stated {
      symbol = TranslatedFrame.Symbol(
        name: stated.name, offset: stated.offset.flatMap { UInt64(exactly: $0) })
    }
    symbol.file = text.shownFile
    symbol.line = text.location.map { Int($0.line) }
    symbol.isInlined = row.content != .frame
    symbol.sourceLines = text.source?.shownLines ?? []
    return TranslatedFrame(
      imageName: frame.imageName, address: frame.address, content: .symbol(symbol))
  }

  /// What the report itself says about a frame.
  private func statedFrame(_ frame: SymbolicatedFrame) -> TranslatedFrame {
    guard let object = frame.source.object else {
      return TranslatedFrame(
        imageName: frame.imageName, address: frame.address, content: Self.content(of: frame))
    }
    let image = source.image(for: frame.source)
    return TranslatedFrame(
      imageName: IpsTranslator.nonempty(image?.name) ?? unknownImageName, address: frame.address,
      content: Self.content(of: object, image))
  }

  /// What a report that is not Apple's JSON says.
  private static func content(of frame: SymbolicatedFrame) -> TranslatedFrame.Content {
    if let stated = frame.stated {
      return .symbol(
        TranslatedFrame.Symbol(
          name: stated.name, offset: stated.offset.flatMap { UInt64(exactly: $0) },
          file: stated.file, line: stated.line, isInlined: stated.isInlined))
    }
    guard let image = frame.image, let offset = frame.imageOffset else { return .unknown }
    return .unsymbolicated(ImageRelativeAddress(base: image.loadAddress, offset: offset))
  }

  private static func content(
    of object: IpsFrame, _ image: BinaryImage?
  ) -> TranslatedFrame.Content {
    if let name = object.symbol {
      return .symbol(
        TranslatedFrame.Symbol(
          name: name, offset: object.symbolLocation, file: object.sourceFile,
          line: object.sourceLine.flatMap { Int(exactly: $0) }, isInlined: object.isInline))
    }
    guard let image, let offset = object.imageOffset else { return .unknown }
    if image.loadAddress.value == 0, image.byteCount == 0 { return .unknown }
    return .unsymbolicated(ImageRelativeAddress(base: image.loadAddress, offset: offset))
  }
}

extension TranslatedText {
  /// Adds a line for each frame, with its source lines below it.
  mutating func add(_ frames: [TranslatedFrame]) {
    for (index, frame) in frames.enumerated() {
      append(name: String(index), paddedTo: 3)
      append(" ")
      append(name: frame.imageName, paddedTo: 30)
      append("\t")
      append(address: frame.address?.value ?? 0)
      append(" ")
      add(frame.content)
      endLine()
    }
  }

  /// Adds a line for each frame of a call tree as `spindump` writes it: the samples, the function,
  /// its place in the image, and the address. A caller stands above what it calls, two columns
  /// further left.
  mutating func add(tree frames: [TranslatedFrame]) {
    for frame in frames {
      appendSpaces(2 * (1 + min(frame.place?.depth ?? 0, Self.deepestIndentation)))
      if let count = frame.place?.sampleCount { append("\(count)  ") }
      if case .symbol = frame.content {
        add(frame.content)
      } else {
        append(unknownImageName)
      }
      if let offset = frame.place?.imageOffset {
        append(" (")
        append(name: frame.imageName)
        append(" + \(offset))")
      }
      if let address = frame.address { append(" [\(address.value.hexadecimal)]") }
      endLine()
    }
  }

  /// Deeper frames are not indented further: the text of a tree that only goes down would be as
  /// large as the square of its frames.
  private static let deepestIndentation = 100

  private mutating func add(_ content: TranslatedFrame.Content) {
    switch content {
    case .unknown: append(unknownImageName)
    case .unsymbolicated(let relative):
      append(hexadecimal: relative.base.value)
      append(" + ")
      append(decimal: relative.offset)
    case .symbol(let symbol):
      append(name: symbol.name)
      if let offset = symbol.offset {
        append(" + ")
        append(decimal: offset)
      }
      if let file = symbol.file, let line = symbol.line, line != 0 {
        append(" (")
        append(path: file)
        append(":\(line))")
      }
      if symbol.isInlined { append(" [inlined]") }
      for line in symbol.sourceLines {
        endLine()
        append(name: line)
      }
    }
  }
}
