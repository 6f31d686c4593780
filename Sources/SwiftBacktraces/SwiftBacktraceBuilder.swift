import ReportFormats
import ReportModel
import SymbolicationModel

/// Collects the parts of one Swift backtrace, line by line. Other lines are output of the program
/// in between, or source code.
struct SwiftBacktraceBuilder {
  private enum Section {
    case head, thread, registers, images
  }

  private let source: TextSource
  private let allowance: ReportAllowance
  private let start: Int
  /// The number of bytes that a log puts before each line.
  private let prefixWidth: Int
  private var end: Int
  private var section = Section.head
  private(set) var isClosed = false
  /// Whether the text has no headline, but begins with the thread that crashed.
  private(set) var isLone = false
  /// How many lines in a row were none of it.
  private var looseCount = 0

  private var content = SwiftBacktraceContent()
  /// The number of digits that addresses have.
  private var addressDigits: Int?

  init(
    source: TextSource, start line: TextLine, prefixWidth: Int, _ headline: SwiftBacktraceHeadline,
    allowance: ReportAllowance
  ) {
    self.source = source
    self.allowance = allowance
    self.start = line.start
    self.end = line.end
    self.prefixWidth = prefixWidth
    content.fatalError = FatalErrorLine.nearest(
      source, above: line.start, prefixWidth: prefixWidth)
    take(headline)
  }

  /// - Parameter line: the heading of the thread, which has no headline above it.
  init(source: TextSource, lone line: TextLine, allowance: ReportAllowance) {
    self.init(
      source: source, start: line, prefixWidth: 0, SwiftBacktraceHeadline(), allowance: allowance)
    isLone = true
  }

  private mutating func take(_ headline: SwiftBacktraceHeadline) {
    content.signal = headline.signal ?? content.signal
    content.exceptionCode = headline.exceptionCode ?? content.exceptionCode
    content.reason = headline.reason ?? content.reason
  }

  /// Takes a headline, unless another report begins with it.
  mutating func continues(with headline: SwiftBacktraceHeadline, _ line: TextLine) -> Bool {
    let isStart = headline.signal != nil || headline.exceptionCode != nil
    guard section == .head, content.platform == nil, content.reason == nil, !isStart else {
      return false
    }
    take(headline)
    end = line.end
    return true
  }

  mutating func consume(_ line: TextLine) {
    let plain = PlainLine(source, line, prefixWidth: prefixWidth)
    guard plain.start < plain.end else { return }
    let oldEnd = end
    defer {
      looseCount = end == oldEnd ? looseCount + 1 : 0
      // Between frames are at most the lines of source code that the runtime shows.
      if isLone, looseCount > 8 { isClosed = true }
    }
    if let heading = plain.threadHeading() {
      guard allowance.takeThread(at: plain.byteRange, &content.faults) else {
        // What follows is passed over like registers.
        section = .registers
        end = line.end
        return
      }
      section = .thread
      if heading.number == nil { addFault(.unreadableNumber, plain) }
      content.threads.append(
        SwiftBacktraceContent.Thread(
          number: heading.number, name: heading.name, isCrashed: heading.isCrashed,
          byteRange: plain.byteRange))
      end = line.end
    } else if plain.isImagesHeading {
      section = .images
      end = line.end
    } else if plain.isRegistersHeading {
      section = .registers
      end = line.end
    } else if plain.isDuration {
      isClosed = true
      end = line.end
    } else {
      switch section {
      case .head:
        if content.platform == nil, let found = plain.platform() {
          content.architecture = found.architecture
          content.platform = found.system
          end = line.end
        } else if content.reason != nil, content.platform == nil, opensThread(plain) {
          consumeFrame(plain, line)
        }
      case .thread: consumeFrame(plain, line)
      case .images: consumeImage(plain, line)
      case .registers: break
      }
    }
  }

  /// Opens the thread that crashed, if somebody left its heading out, and a line is its innermost
  /// frame.
  private mutating func opensThread(_ plain: PlainLine) -> Bool {
    guard case .frame(let frame) = plain.frame(expectedIndex: 0), frame.values.index == 0,
      allowance.takeThread(at: plain.byteRange, &content.faults)
    else { return false }
    section = .thread
    content.threads.append(
      SwiftBacktraceContent.Thread(
        number: nil, name: nil, isCrashed: true, byteRange: plain.byteRange))
    return true
  }

  private mutating func consumeFrame(_ plain: PlainLine, _ line: TextLine) {
    let last = content.threads.count - 1
    guard last >= 0 else { return }
    let expected = content.threads[last].frames.last.flatMap(\.values.index).map { $0 &+ 1 } ?? 0
    switch plain.frame(expectedIndex: expected) {
    case .frame(let frame):
      if let address = frame.values.parts?.address {
        let digits = address.count - 2
        // Addresses have leading zeros, so one with fewer digits was cut.
        if !line.isTerminated, address.upperBound == line.end, digits < addressDigits ?? 16 {
          addFault(.cutLine, plain)
          return
        }
        addressDigits = addressDigits ?? digits
      }
      if allowance.takeFrame(at: frame.values.byteRange, &content.faults) {
        content.threads[last].frames.append(frame)
      }
      extend(last, to: frame.values.byteRange.upperBound)
    case .omission:
      content.threads[last].omissions.append(plain.byteRange)
      extend(last, to: plain.byteRange.upperBound)
    case .damaged: addFault(line.isTerminated ? .unreadableFrame : .cutLine, plain)
    case .other: break
    }
  }

  private mutating func extend(_ thread: Int, to newEnd: Int) {
    content.threads[thread].byteRange = content.threads[thread].byteRange.lowerBound..<newEnd
    end = newEnd
  }

  private mutating func consumeImage(_ plain: PlainLine, _ line: TextLine) {
    switch plain.image() {
    case .image(let image, let hasReadableIdentity):
      if allowance.takeImage(at: plain.byteRange, &content.faults) {
        content.images.append(image)
        if !hasReadableIdentity { addFault(.unreadableImageIdentity, plain) }
      }
      end = line.end
    case .damaged: addFault(line.isTerminated ? .unreadableImage : .cutLine, plain)
    case .other: break
    }
  }

  private mutating func addFault(_ kind: ParseFault.Kind, _ plain: PlainLine) {
    content.faults.append(ParseFault(kind: kind, byteRange: plain.byteRange))
    end = max(end, plain.byteRange.upperBound)
  }

  /// The report; nil if there are neither threads nor images.
  func finish() -> Report? {
    guard !content.threads.isEmpty || !content.images.isEmpty else { return nil }
    var content = content
    let names = Set(content.images.compactMap(\.name))
    for index in content.threads.indices {
      content.threads[index].readContents(in: source, imageNames: names)
    }
    return content.report(.swiftBacktrace, byteRange: start..<end)
  }
}

extension SwiftBacktraceBuilder {
  /// The report if somebody shows no more than `💣 Program crashed: Aborted at 0x10` on a line of
  /// its own. Nil for these words in a sentence, or without the address.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/libexec/swift-backtrace/main.swift
  /// (`writePreamble`). In a terminal, the line takes the place of the first one.
  var reportOfWords: Report? {
    let first = source.skipSeparators(from: start, limit: end)
    guard let reason = content.reason, reason.utf8.count < 128,
      reason.firstRange(of: " at 0x") != nil,
      ["*** ", "💣 "].contains(where: { source.has($0, at: first, limit: end) })
    else { return nil }
    return Report(
      format: .swiftBacktrace, byteRange: start..<end, facts: ReportFacts(content), images: [],
      backtraces: [], faults: content.faults)
  }
}

extension SwiftBacktraceContent.Thread {
  /// Reads what the frames say about their addresses.
  fileprivate mutating func readContents(in source: TextSource, imageNames: Set<String>) {
    for index in frames.indices {
      guard let range = frames[index].values.parts?.content, !range.isEmpty else { continue }
      let line = PlainLine(
        source, TextLine(start: range.lowerBound, end: range.upperBound, next: range.upperBound),
        prefixWidth: 0)
      let reader = SwiftFrameContentReader(text: line.text, imageNames: imageNames)
      frames[index].values.take(reader.read(line.start..<line.end), from: reader)
    }
    giveKinds()
  }

  /// Without attributes, in the format for people, every frame but the first made a call. With
  /// attributes, only the first frame has no mark.
  private mutating func giveKinds() {
    guard frames.allSatisfy({ $0.values.parts?.attributes == nil }) else { return }
    let first = frames.first?.address
    for index in frames.indices.dropFirst() where first == nil || frames[index].address != first {
      frames[index].values.addressKind = .returnAddress
    }
  }
}

extension FrameValues {
  fileprivate mutating func take(
    _ content: SwiftFrameContentReader.Content, from reader: SwiftFrameContentReader
  ) {
    imageName = content.image.map { reader.text.string($0) }
    let name = reader.text.string(content.name)
    guard name != "<unknown>" else { return }
    var symbol = FrameSymbol(name: name, offset: content.offset, isInlined: isInlined)
    if let location = content.location.map({ reader.location($0) }) {
      symbol.file = reader.text.string(location.file)
      symbol.line = location.line
      symbol.column = location.column
    }
    self.symbol = symbol
  }
}
