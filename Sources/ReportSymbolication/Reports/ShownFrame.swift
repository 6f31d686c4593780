import CrashLogParser
import SymbolicationModel

/// A frame as outputs of this program's own making show it: what the report says and what was found
/// out, put together. Inlined calls are frames of their own, in front of the function that they are
/// inlined into.
struct ShownFrame {
  /// Its number in the backtrace, inlined calls counted. Numbers that the report leaves out, and those
  /// of frames that are left out here, are missing.
  let index: Int
  let address: LoadAddress?
  let image: ReportImage?
  /// Bytes from the start of the image.
  let imageOffset: UInt64?
  /// As the report writes it.
  let imageName: String
  let isInlined: Bool
  /// Nil for a frame that nothing is known of, and the rest with it.
  let function: String?
  /// The function's name as the symbol file spells it.
  let rawName: String?
  /// Bytes from the start of the function, or of the inlined body, to the address.
  let offset: UInt64?
  /// The source file without its folders.
  let file: String?
  /// The file with its folders, where they are known.
  let path: String?
  /// What text has of the file: its name, or the whole path.
  let shownFile: String?
  /// 1-based; 0 for code that belongs to no line.
  let line: Int?
  /// 1-based; nil for code that belongs to no line.
  let column: Int?
  /// The lines around it in the source file, where they are wanted and there.
  let source: SourceExcerpt?
  let origin: Origin?
  let explanation: FrameExplanation?

  /// What a frame's function, and its line, rest on.
  enum Origin: String, CaseIterable {
    case dwarf
    case symbolTable
    case exportTrie
    case miniDebugInfo
    case symbolStub
    case symbolTableAndLineTable
    /// The report alone.
    case report
    /// The report's own name with a line from the symbol file.
    case reportAndLineTable
  }
}

extension SymbolicatedBacktrace {
  /// The frames to show, innermost first.
  func shownFrames(_ options: SymbolicationOptions) -> [ShownFrame] {
    var shown: [ShownFrame] = []
    shown.reserveCapacity(frames.count)
    // How far inlined calls, put in or taken out, have moved the numbers.
    var shift = 0
    for (place, frame) in frames.enumerated() {
      if frame.isSuperseded {
        shift -= 1
        continue
      }
      let isShown = frame.isShown(options)
      for inlined in frame.answer?.inlined ?? [] {
        if isShown {
          shown.append(ShownFrame(frame, frame.index(shift, at: place), inlined: inlined))
        }
        shift += 1
      }
      if isShown { shown.append(ShownFrame(frame, frame.index(shift, at: place), options)) }
    }
    return shown
  }
}

extension SymbolicatedFrame {
  /// Whether outputs of this program's own making are to show it.
  func isShown(_ options: SymbolicationOptions) -> Bool {
    !isSuperseded && !(options.onlyUserCode && image?.belongsToSystem == true)
  }

  /// Bytes from the start of the image; nil for an address before that.
  fileprivate var imageOffset: UInt64? {
    guard let codeAddress, let image, codeAddress >= image.loadAddress else { return nil }
    return codeAddress.value - image.loadAddress.value
  }

  fileprivate func index(_ shift: Int, at place: Int) -> Int {
    switch origin {
    case .text(let line): line.index.moved(by: shift)
    case .swiftBacktrace(let frame): (frame.index ?? place).moved(by: shift)
    case .json, .embedded, .addressList: place + shift
    }
  }
}

extension ShownFrame {
  fileprivate init(
    _ frame: SymbolicatedFrame, _ index: Int, inlined: FrameAnswer.FrameText
  ) {
    self.init(frame, index, answer: inlined, isInlined: true, frame.answer?.origin.shown)
  }

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
      self.init(
        frame, index, answer: answer.function, isInlined: false, answer.origin.shown)
    }
  }

  private init(
    _ frame: SymbolicatedFrame, _ index: Int, answer: FrameAnswer.FrameText, isInlined: Bool,
    _ origin: Origin?
  ) {
    let location = Location(answer)
    self.init(
      index: index, address: frame.address, image: frame.image,
      imageOffset: frame.imageOffset, imageName: frame.imageName,
      isInlined: isInlined, function: answer.name, rawName: answer.rawName, offset: answer.offset,
      file: location.file, path: location.path, shownFile: location.shownFile,
      line: location.line, column: location.column, source: location.source, origin: origin,
      explanation: frame.explanation)
  }

  private init(
    _ frame: SymbolicatedFrame, _ index: Int, stated: FrameSymbol?, rawName: String? = nil,
    location: Location, origin: Origin
  ) {
    self.init(
      index: index, address: frame.address, image: frame.image,
      imageOffset: frame.imageOffset, imageName: frame.imageName,
      isInlined: stated?.isInlined ?? false, function: stated?.name, rawName: rawName,
      offset: stated?.offset.flatMap { UInt64(exactly: $0) }, file: location.file,
      path: location.path, shownFile: location.shownFile, line: location.line,
      column: location.column, source: location.source, origin: stated == nil ? nil : origin,
      explanation: frame.explanation)
  }

  /// A place in a source file in the parts that are shown.
  private struct Location {
    var file: String?
    var path: String?
    var shownFile: String?
    var line: Int?
    var column: Int?
    var source: SourceExcerpt?

    init(_ answer: FrameAnswer.FrameText) {
      guard let location = answer.location else { return }
      file = location.fileName
      shownFile = answer.shownFile
      source = answer.source
      path = location.path
      line = Int(location.line)
      column = location.line == 0 || location.column == 0 ? nil : Int(location.column)
    }

    /// What a report says: most writers leave the folders out.
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

extension AnswerOrigin {
  fileprivate var shown: ShownFrame.Origin {
    switch self {
    case .dwarf: .dwarf
    case .symbolTable: .symbolTable
    case .exports: .exportTrie
    case .miniDebugInfo: .miniDebugInfo
    case .symbolStub: .symbolStub
    case .symbolTableAndLineTable: .symbolTableAndLineTable
    }
  }
}
