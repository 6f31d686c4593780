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
    /// May contain line ends, which are kept.
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
