package import CrashLogParser
package import SymbolicationModel

extension IpsTranslator {
  /// A frame as it is to be shown. A call that was inlined is a frame of its own.
  package struct Frame: Hashable, Sendable {
    /// The file name of the image; `???` where it is not known.
    package var imageName: String
    /// The address in the process; nil where the report does not give it, which is shown as `0x0`.
    package var address: LoadAddress?
    package var content: Content

    package init(imageName: String, address: LoadAddress?, content: Content) {
      self.imageName = imageName
      self.address = address
      self.content = content
    }

    /// What stands behind the address.
    package enum Content: Hashable, Sendable {
      /// `main + 8 (main.swift:3) [inlined]`.
      case symbol(Symbol)
      /// `0x104690000 + 236404`: the start of the image, and the distance from it to the address.
      case unsymbolicated(loadAddress: LoadAddress, offset: UInt64)
      /// `???`: the address belongs to no image.
      case unknown
    }

    package struct Symbol: Hashable, Sendable {
      /// The name, which is shown as it is, line ends included.
      package var name: String
      /// Bytes from the start of the function to the address. Nil where that is not known: then nothing
      /// is shown of it.
      package var offset: UInt64?
      package var file: String?
      /// Counted from 1. Where it is nil or 0, or the file is nil, neither is shown.
      package var line: Int?
      /// Whether this is a call inlined into the next frame.
      package var isInlined: Bool
      /// Lines to show below the frame.
      package var sourceLines: [String]

      package init(
        name: String, offset: UInt64?, file: String? = nil, line: Int? = nil,
        isInlined: Bool = false, sourceLines: [String] = []
      ) {
        self.name = name
        self.offset = offset
        self.file = file
        self.line = line
        self.isInlined = isInlined
        self.sourceLines = sourceLines
      }
    }
  }

  /// What the report itself says of a backtrace; nothing for one that it does not have.
  package static func frames(of backtrace: Backtrace, in report: IpsReport) -> [Frame] {
    switch backtrace {
    case .thread(let index):
      frames(of: report.threads.first { $0.index == index }?.frames ?? [], in: report)
    case .lastException: frames(of: report.lastExceptionBacktrace ?? [], in: report)
    }
  }

  /// What the report itself says: one frame for each.
  package static func frames(of frames: [IpsFrame], in report: IpsReport) -> [Frame] {
    frames.map { frame in
      let image = report.image(for: frame)
      return Frame(
        imageName: nonempty(image?.name) ?? unknownName, address: frame.address,
        content: content(of: frame, image))
    }
  }

  private static func content(of frame: IpsFrame, _ image: IpsImage?) -> Frame.Content {
    if let name = frame.symbol {
      return .symbol(
        Frame.Symbol(
          name: name, offset: frame.symbolLocation, file: frame.sourceFile,
          line: frame.sourceLine.flatMap { Int(exactly: $0) }, isInlined: frame.isInline))
    }
    guard let image, let offset = frame.imageOffset else { return .unknown }
    if image.loadAddress.value == 0, image.byteCount == 0 { return .unknown }
    return .unsymbolicated(loadAddress: image.loadAddress, offset: offset)
  }

  static func nonempty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What stands for a name, a version or a path that is not known.
  static let unknownName = "???"
}
