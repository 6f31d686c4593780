import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Collects the parts of one process of a spindump, or of what is above the first one.
struct SpindumpProcess {
  private let source: TextSource
  private let allowance: ReportAllowance
  let start: Int
  private var end: Int
  private(set) var fields: [HeaderField] = []
  private var images: [BinaryImage] = []
  private var faults: [ParseFault] = []
  private var backtraces: [Backtrace] = []
  private var open: OpenCallTree?
  private var isInImages = false
  /// Images that frames name by their UUID, at the address that follows from the frame, and where
  /// the line of the first such frame ends.
  private var unnamedImages: [(identity: ImageIdentity, start: LoadAddress, lineEnd: Int)] = []
  private var unnamedStarts: Set<LoadAddress> = []

  init(source: TextSource, start: TextLine, allowance: ReportAllowance) {
    self.source = source
    self.allowance = allowance
    self.start = start.start
    self.end = start.end
  }

  var hasFrames: Bool { !backtraces.isEmpty || open?.tree.isEmpty == false }

  /// A blank line ends the stacks above it.
  mutating func endStack() {
    guard var tree = open else { return }
    open = nil
    guard !tree.isLeftOut else { return }
    let frames = tree.tree.takeFrames()
    backtraces.append(tree.backtrace(frames))
  }

  /// Takes a line that begins with a letter.
  ///
  /// - Returns: false if the line does not belong to a process.
  @discardableResult mutating func consume(unindented line: TextLine) -> Bool {
    endStack()
    if source.has("Heaviest stack for ", at: line.start, limit: line.end) {
      let textEnd = source.trimEnd(from: line.start, to: line.end)
      let nameEnd = source[textEnd - 1] == Ascii.colon ? textEnd - 1 : textEnd
      let name = source.string(line.start..<nameEnd)
      openTree(CallTreeThread(name: name), .digest, at: line)
    } else if !isInImages, backtraces.allSatisfy({ $0.kind == .digest }),
      let field = source.fieldLine(line)
    {
      fields.append(HeaderField(source: source, line: line, field: field))
    } else if isInImages || !backtraces.isEmpty {
      return false
    }
    end = line.end
    return true
  }

  mutating func consume(indented line: TextLine) {
    if let node = source.spindumpNode(line), !isInImages {
      add(node, line)
    } else if let thread = source.spindumpThread(line) {
      endStack()
      isInImages = false
      openTree(thread, .thread, at: line)
    } else if source.isImagesHeading(line) {
      endStack()
      isInImages = true
    } else if isInImages {
      readImage(line)
    } else if open == nil, let last = fields.indices.last, Self.goesOn(fields[last].value) {
      fields[last].extend(to: line)
    } else if open == nil || source.isRemark(line) {
      return
    } else {
      note(line.isTerminated ? .unreadableFrame : .cutLine, line)
    }
    end = line.end
  }

  /// Whether somebody broke the line of a value: behind a comma, or within brackets, as in `90
  /// seconds cpu time over 150 seconds (60% cpu`.
  private static func goesOn(_ value: String) -> Bool {
    if value.hasSuffix(",") { return true }
    guard let open = value.utf8.lastIndex(of: Ascii.openParenthesis) else { return false }
    return !value.utf8[open...].contains(UInt8(ascii: ")"))
  }

  /// Takes a line without reading it.
  mutating func extend(to line: TextLine) { end = line.end }

  // MARK: Frames

  private mutating func openTree(
    _ heading: CallTreeThread, _ kind: Backtrace.Kind, at line: TextLine
  ) {
    open = OpenCallTree(heading, kind, at: line)
    open?.isLeftOut = !allowance.takeThread(at: line.start..<line.end, &faults)
  }

  private mutating func add(_ node: SpindumpNode, _ line: TextLine) {
    // Diagnostics put the only stack of a process below its fields, without a heading.
    if open == nil { openTree(CallTreeThread(), .thread, at: line) }
    open?.end = line.end
    guard let frame = source.spindumpFrame(node.content) else {
      open?.tree.leave(column: node.column)
      if self.source[node.content.lowerBound] != Ascii.less {
        note(line.isTerminated ? .unreadableFrame : .cutLine, line)
      }
      return
    }
    guard open?.isLeftOut == false, allowance.takeFrame(at: line.start..<line.end, &faults) else {
      return
    }
    let values = frame.values(at: line, sampleCount: node.count)
    if let identity = frame.identity, let start = frame.imageRelativeAddress?.base,
      unnamedStarts.insert(start).inserted
    {
      unnamedImages.append((identity, start, line.end))
    }
    // A page may take away the blanks that say which frame calls which: a few have the same count.
    if open?.kind == .digest || node.column == 0 {
      open?.tree.addCallee(values, at: frame.address, isKernel: node.isKernel)
    } else {
      open?.tree.add(values, at: frame.address, column: node.column, isKernel: node.isKernel)
    }
  }

  // MARK: Images

  private mutating func readImage(_ line: TextLine) {
    switch source.spindumpImage(line) {
    case .image(let image, let hasReadableIdentity):
      guard allowance.takeImage(at: image.byteRange, &faults) else { return }
      images.append(image)
      if !hasReadableIdentity { note(.unreadableImageIdentity, line) }
    case .damaged, .other: note(line.isTerminated ? .unreadableImage : .cutLine, line)
    }
  }

  private mutating func note(_ kind: ParseFault.Kind, _ line: TextLine) {
    faults.append(ParseFault(kind: kind, byteRange: line.start..<line.end))
  }

  // MARK: The report

  /// Takes what is above the process for a part of it.
  mutating func take(_ head: SpindumpProcess) {
    var head = head
    head.endStack()
    backtraces = head.backtraces + backtraces
    faults = head.faults + faults
    unnamedImages = head.unnamedImages + unnamedImages
  }

  mutating func report(
    _ format: ReportFormat, start: Int, header: JsonHeader?, _ facts: ReportFacts
  ) -> Report {
    endStack()
    var listed = Set(images.map(\.loadAddress))
    var unlisted: [BinaryImage] = []
    for image in unnamedImages where listed.insert(image.start).inserted {
      guard allowance.takeImage(at: image.lineEnd..<image.lineEnd, &faults) else { break }
      var values = BinaryImage.Values(byteRange: image.lineEnd..<image.lineEnd)
      values.identity = image.identity
      unlisted.append(
        BinaryImage(loadAddress: image.start, endAddress: image.start, values))
    }
    // A damaged text may list images above a thread that names others.
    let inOrder = (unlisted + images).sorted {
      ($0.byteRange.lowerBound, $0.byteRange.upperBound)
        < ($1.byteRange.lowerBound, $1.byteRange.upperBound)
    }
    var facts = facts
    // Only reports about a main thread that hung have its stack above all others.
    if facts.event == .sample, !facts.fields.contains(where: { $0.name == "Event" }),
      backtraces.contains(where: \.isDigestOfMainThread)
    {
      facts.event = .hang
    }
    return Report(
      format: format, byteRange: start..<end, header: header, facts: facts,
      images: inOrder,
      backtraces: backtraces, faults: faults)
  }
}

extension TextSource {
  fileprivate func isImagesHeading(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    return has("Binary Images:", at: start, limit: line.end)
  }

  /// Whether it is a remark on the thread above it: `<thread QoS background, IO tier 2>`.
  fileprivate func isRemark(_ line: TextLine) -> Bool {
    self[skipSeparators(from: line.start, limit: line.end)] == Ascii.less
  }
}

extension TextSource {
  /// Reads a binary image of a spindump, which has columns of its own:
  ///
  /// ```text
  ///    0x7fff7e02d000 -     0x7fff7e4c6fff  com.apple.CoreFoundation 6.9 (1349.8) <UUID>  PATH
  ///   *0xffffff8000200000 - 0xffffff80009fffff  kernel (3789.60.24)  <UUID>  PATH
  ///            0x1033b0000 -                ???  ???                  <UUID>
  /// ```
  ///
  /// A star marks an image of the kernel, `???` an end that is not known.
  func spindumpImage(_ line: TextLine) -> ImageLineReading {
    let end = trimEnd(from: line.start, to: line.end)
    var position = skipSeparators(from: line.start, limit: end)
    if self[position] == UInt8(ascii: "*") { position += 1 }
    guard let (first, firstEnd) = hexadecimal(at: position, limit: end) else { return .other }
    position = skipSeparators(from: firstEnd, limit: end)
    guard position > firstEnd, self[position] == Ascii.minus else { return .damaged }
    position = skipSeparators(from: position + 1, limit: end)
    var last: UInt64?
    if has("???", at: position, limit: end) {
      position += 3
    } else if let (value, valueEnd) = hexadecimal(at: position, limit: end) {
      last = value
      position = valueEnd
    } else {
      return .damaged
    }
    let description = skipSeparators(from: position, limit: end)
    guard description > position, description < end else { return .damaged }
    var values = BinaryImage.Values(byteRange: line.start..<line.end)
    var descriptionEnd = end
    var hasReadableIdentity = true
    if let brackets = spindumpIdentity(from: description, limit: end) {
      descriptionEnd = trimEnd(from: description, to: brackets.lowerBound)
      values.identity = ImageIdentity(
        hexadecimal: bytes[brackets.lowerBound + 1..<brackets.upperBound - 1])
      hasReadableIdentity = values.identity != nil || isZero(brackets)
      let path = trimmed(brackets.upperBound..<end)
      values.path = path.isEmpty ? nil : string(path)
    }
    if descriptionEnd > description {
      values.name = string(spindumpImageName(description..<descriptionEnd)).known
    }
    // An end before the start means no addresses.
    let endAddress = last.map { $0 == .max ? $0 : $0 + 1 } ?? first
    return .image(
      BinaryImage(
        loadAddress: LoadAddress(first), endAddress: LoadAddress(endAddress), values),
      hasReadableIdentity: hasReadableIdentity)
  }

  /// The first angle brackets with a UUID between them.
  private func spindumpIdentity(from start: Int, limit: Int) -> Range<Int>? {
    var position = start
    while let open = find("<", from: position, limit: limit) {
      var close = open + 1
      while close < limit,
        self[close] == Ascii.minus || hexadecimalDigitValue(self[close]) != nil
      {
        close += 1
      }
      if close > open + 16, self[close] == Ascii.greater, close < limit { return open..<close + 1 }
      position = max(open + 1, close)
    }
    return nil
  }

  private func isZero(_ range: Range<Int>) -> Bool {
    bytes[range.lowerBound + 1..<range.upperBound - 1].allSatisfy {
      $0 == Ascii.zero || $0 == Ascii.minus
    }
  }

  /// The name without `6.9 (1349.8)`.
  private func spindumpImageName(_ range: Range<Int>) -> Range<Int> {
    let start = range.lowerBound
    var end = range.upperBound
    if self[end - 1] == Ascii.closeParenthesis,
      let open = openParenthesis(of: end - 1, from: start), open > start
    {
      end = trimEnd(from: start, to: open)
    }
    var word = end
    while word > start, self[word - 1] != Ascii.space { word -= 1 }
    if word > start, end < range.upperBound, Ascii.isDigit(self[word]) {
      end = trimEnd(from: start, to: word)
    }
    return start..<max(start, end)
  }
}
