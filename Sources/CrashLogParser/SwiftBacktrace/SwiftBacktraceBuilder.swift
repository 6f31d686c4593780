internal import SymbolicationModel

/// Collects the parts of one Swift backtrace, line by line. What is understood of no line is what the
/// program or others printed in between, or a piece of source code.
struct SwiftBacktraceBuilder {
  private enum Section {
    case head, thread, registers, images
  }

  private let source: TextSource
  private let start: Int
  /// How many bytes of each line were put there by a collector of logs.
  private let prefixWidth: Int
  private var end: Int
  private var section = Section.head
  private(set) var isClosed = false

  private var signal: Int?
  private var exceptionCode: UInt64?
  private var reason: String?
  private var platform: (architecture: Architecture, system: String)?
  private var threads: [SwiftBacktraceThread] = []
  private var images: [SwiftBacktraceImage] = []
  private var faults: [ParseFault] = []
  /// How many digits addresses have.
  private var addressDigits: Int?

  init(
    source: TextSource, start line: TextLine, prefixWidth: Int, _ headline: SwiftBacktraceHeadline
  ) {
    self.source = source
    self.start = line.start
    self.end = line.end
    self.prefixWidth = prefixWidth
    take(headline)
  }

  private mutating func take(_ headline: SwiftBacktraceHeadline) {
    signal = headline.signal ?? signal
    exceptionCode = headline.exceptionCode ?? exceptionCode
    reason = headline.reason ?? reason
  }

  /// Takes a headline, unless it is that of another report.
  mutating func continues(with headline: SwiftBacktraceHeadline, _ line: TextLine) -> Bool {
    let isStart = headline.signal != nil || headline.exceptionCode != nil
    guard section == .head, platform == nil, reason == nil, !isStart else { return false }
    take(headline)
    end = line.end
    return true
  }

  mutating func consume(_ line: TextLine) {
    let plain = PlainLine(source, line, prefixWidth: prefixWidth)
    guard plain.start < plain.end else { return }
    if let heading = plain.threadHeading() {
      section = .thread
      if heading.number == nil { addFault(.unreadableNumber, plain) }
      threads.append(
        SwiftBacktraceThread(
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
        if platform == nil, let found = plain.platform() {
          platform = found
          end = line.end
        }
      case .thread: consumeFrame(plain, line)
      case .images: consumeImage(plain, line)
      case .registers: break
      }
    }
  }

  private mutating func consumeFrame(_ plain: PlainLine, _ line: TextLine) {
    let last = threads.count - 1
    guard last >= 0 else { return }
    let expected = threads[last].frames.last.flatMap(\.index).map { $0 &+ 1 } ?? 0
    switch plain.frame(expectedIndex: expected) {
    case .frame(let frame):
      if let address = frame.text?.address {
        let digits = address.count - 2
        // Addresses have leading zeros, so one with fewer digits was cut.
        if !line.isTerminated, address.upperBound == line.end, digits < addressDigits ?? 16 {
          addFault(.cutLine, plain)
          return
        }
        addressDigits = addressDigits ?? digits
      }
      threads[last].frames.append(frame)
      extend(last, to: frame.byteRange.upperBound)
    case .omission:
      threads[last].omissions.append(SwiftBacktraceOmission(byteRange: plain.byteRange))
      extend(last, to: plain.byteRange.upperBound)
    case .damaged: addFault(line.isTerminated ? .unreadableFrame : .cutLine, plain)
    case .other: break
    }
  }

  private mutating func extend(_ thread: Int, to newEnd: Int) {
    threads[thread].byteRange = threads[thread].byteRange.lowerBound..<newEnd
    end = newEnd
  }

  private mutating func consumeImage(_ plain: PlainLine, _ line: TextLine) {
    switch plain.image() {
    case .image(let image, let hasReadableIdentity):
      images.append(image)
      if !hasReadableIdentity { addFault(.unreadableImageIdentity, plain) }
      end = line.end
    case .damaged: addFault(line.isTerminated ? .unreadableImage : .cutLine, plain)
    case .other: break
    }
  }

  private mutating func addFault(_ kind: ParseFault.Kind, _ plain: PlainLine) {
    faults.append(ParseFault(kind: kind, byteRange: plain.byteRange))
    end = max(end, plain.byteRange.upperBound)
  }

  /// The report, or nil where there are neither threads nor images.
  func finish() -> SwiftBacktraceReport? {
    guard !threads.isEmpty || !images.isEmpty else { return nil }
    var report = SwiftBacktraceReport(byteRange: start..<end, images: images)
    report.signal = signal
    report.exceptionCode = exceptionCode
    report.reason = reason
    report.architecture = platform?.architecture
    report.platform = platform?.system
    report.faults = faults
    report.threads = threads
    let names = Set(images.map(\.name))
    for index in report.threads.indices {
      report.threads[index].readContents(in: source, imageNames: names)
    }
    return report
  }
}

extension SwiftBacktraceThread {
  /// Reads what the frames say of their addresses.
  fileprivate mutating func readContents(in source: TextSource, imageNames: Set<String>) {
    for index in frames.indices {
      guard let range = frames[index].text?.content, !range.isEmpty else { continue }
      let line = PlainLine(
        source, TextLine(start: range.lowerBound, end: range.upperBound, next: range.upperBound),
        prefixWidth: 0)
      let reader = SwiftFrameContentReader(text: line.text, imageNames: imageNames)
      frames[index].take(reader.read(line.start..<line.end), from: reader)
    }
    giveKinds()
  }

  /// Without attributes, as the form for people has it, all but the first frame made a call. With them,
  /// no frame but the first is without one.
  private mutating func giveKinds() {
    guard frames.allSatisfy({ $0.text?.attributes == nil }) else { return }
    let first = frames.first?.address
    for index in frames.indices.dropFirst() where first == nil || frames[index].address != first {
      frames[index].kind = .returnAddress
    }
  }
}

extension SwiftBacktraceFrame {
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
