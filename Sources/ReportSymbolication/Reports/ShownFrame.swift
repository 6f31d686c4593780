import CrashLogParser
package import SymbolicationModel

/// A frame as JSON and summaries show it: what the report says, combined with what was found out.
/// An inlined call is a frame of its own, before the function that it is inlined into.
package struct ShownFrame: Sendable {
  /// The number in the backtrace, counting inlined calls. Numbers that the report leaves out are
  /// missing, as are those of frames that the options leave out.
  package let index: Int
  package let address: LoadAddress?
  package let image: ReportImage?
  /// Bytes from the start of the image.
  package let imageOffset: UInt64?
  /// As the report writes it.
  package let imageName: String
  package let isInlined: Bool
  /// Nil if nothing is known about the frame; the rest is nil then too.
  package let function: String?
  /// The function's name as the symbol file spells it.
  package let rawName: String?
  /// Bytes from the start of the function, or of the inlined body, to the address.
  package let offset: UInt64?
  let location: Location
  package let origin: Origin?
  let explanation: FrameExplanation?

  /// What a frame's function, and its line, are based on.
  package enum Origin: Hashable, Sendable, CaseIterable {
    case dwarf
    case breakpad
    case symbolTable
    case exportTrie
    case miniDebugInfo
    case symbolStub
    case symbolTableAndLineTable
    /// Only the report.
    case report
    /// The name in the report, and a line from the symbol file.
    case reportAndLineTable
  }

  /// A place in a source file. All are nil if it is not known.
  struct Location: Sendable {
    /// The name of the file, without its folders.
    private(set) var file: String?
    /// The file with its folders, if they are known.
    private(set) var path: String?
    /// What text shows of the file: its name, or the whole path.
    private(set) var shownFile: String?
    /// Counted from 1; 0 for code without a line.
    private(set) var line: Int?
    /// Counted from 1; nil for code without a line.
    private(set) var column: Int?
    /// The lines around it in the source file, if they are wanted and found.
    private(set) var source: SourceExcerpt?

    init(_ answer: FrameAnswer.FrameText) {
      guard let location = answer.location else { return }
      file = location.fileName
      shownFile = answer.shownFile
      source = answer.source
      path = location.path
      line = Int(location.line)
      column = location.line == 0 || location.column == 0 ? nil : Int(location.column)
    }

    /// What a report states. Most writers leave out the folders.
    init(_ stated: FrameSymbol?, _ paths: SourcePathRules) {
      guard let written = stated?.file else { return }
      file = SymbolicationModel.SourceLocation(path: written, line: 0).fileName
      path = written.utf8.contains(UInt8(ascii: "/")) ? written : nil
      shownFile = paths.showsFullPath ? written : file
      line = stated?.line.flatMap { $0 < 0 ? nil : $0 }
      column = line == 0 ? nil : stated?.column
    }
  }
}

extension ShownFrame {
  package var file: String? { location.file }
  package var path: String? { location.path }
  var shownFile: String? { location.shownFile }
  package var line: Int? { location.line }
  package var column: Int? { location.column }
  var source: SourceExcerpt? { location.source }
}

extension SymbolicatedBacktrace {
  /// The frames to show, innermost first.
  package func shownFrames(_ options: SymbolicationOptions) -> [ShownFrame] {
    rows.compactMap { row in
      let frame = frames[row.frame]
      guard frame.isShown(options) else { return nil }
      let index = number(of: row)
      if case .inlined = row.content, let text = answerText(of: row) {
        return ShownFrame(frame, index, text, isInlined: true)
      }
      return ShownFrame(frame, index, options)
    }
  }
}

extension SymbolicatedFrame {
  /// Whether JSON and summaries show it.
  func isShown(_ options: SymbolicationOptions) -> Bool {
    !isSuperseded && !(options.onlyUserCode && image?.belongsToSystem == true)
  }

  /// Bytes from the start of the image; nil for an address before that.
  fileprivate var imageOffset: UInt64? {
    guard let codeAddress, let image, codeAddress >= image.loadAddress else { return nil }
    return codeAddress.value - image.loadAddress.value
  }
}

extension ShownFrame {
  fileprivate init(_ frame: SymbolicatedFrame, _ index: Int, _ options: SymbolicationOptions) {
    switch (frame.answer, frame.stated) {
    case (nil, let stated):
      self.init(
        frame, index, stated: stated, location: Location(stated, options.sourcePaths),
        origin: .report)
    case (let answer?, let stated?) where answer.keepsStatedName:
      self.init(
        frame, index, stated: stated, rawName: answer.function.rawName,
        location: Location(answer.function), origin: .reportAndLineTable)
    case (let answer?, _):
      self.init(frame, index, answer.function, isInlined: false)
    }
  }

  fileprivate init(
    _ frame: SymbolicatedFrame, _ index: Int, _ text: FrameAnswer.FrameText, isInlined: Bool
  ) {
    self.init(
      index: index, address: frame.address, image: frame.image, imageOffset: frame.imageOffset,
      imageName: frame.imageName, isInlined: isInlined, function: text.name, rawName: text.rawName,
      offset: text.offset, location: Location(text), origin: frame.answer?.origin.shown,
      explanation: frame.explanation)
  }

  private init(
    _ frame: SymbolicatedFrame, _ index: Int, stated: FrameSymbol?, rawName: String? = nil,
    location: Location, origin: Origin
  ) {
    self.init(
      index: index, address: frame.address, image: frame.image, imageOffset: frame.imageOffset,
      imageName: frame.imageName, isInlined: stated?.isInlined ?? false, function: stated?.name,
      rawName: rawName, offset: stated?.offset.flatMap { UInt64(exactly: $0) },
      location: location, origin: stated == nil ? nil : origin, explanation: frame.explanation)
  }
}

extension AnswerOrigin {
  fileprivate var shown: ShownFrame.Origin {
    switch self {
    case .dwarf: .dwarf
    case .breakpad: .breakpad
    case .symbolTable: .symbolTable
    case .exports: .exportTrie
    case .miniDebugInfo: .miniDebugInfo
    case .symbolStub: .symbolStub
    case .symbolTableAndLineTable: .symbolTableAndLineTable
    }
  }
}
