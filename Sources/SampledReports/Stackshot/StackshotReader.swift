package import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

// Stackshots (`.ips` of bug type 288): the stacks of all processes at one moment, as JSON.
//
// ```json
// {"bug_type":"288","timestamp":"…","os_version":"iPhone OS 18.5 (22F76)"}
// {
//   "processByPid" : {
//     "1" : {"pid":1,"procname":"launchd","threadById":{"752":{"id":752,"name":"…",
//            "userFrames":[[2,10889200],[14,9348736],[1,0]],"kernelFrames":[[0,7460888]]}}}
//   },
//   "binaryImages" : [["82a79c55-…",18446743936270598144,"U"],["…",0,"A"],["…",6442450944,"S"]]
// }
// ```
//
// A frame is the index of an image and a distance from its start, innermost first. Images have no
// names. Frames of the libraries of the system are in `S`, the shared cache as a whole.

extension ReportFormat {
  /// `.ips`: the stacks of all processes (bug type 288). Each process is a report.
  public static let ipsStackshot = ReportFormat(
    FormatTraits(
      schemaName: "ipsStackshot", shortName: "stackshot",
      unreadable: { _ in "looks like a stackshot, but has no stack that can be read" },
      [.isReport, .hasStacks], appleText: .model, frames: .stackshotFrames))
}

/// Finds and reads stackshots. Each process is a report with the images that its frames use.
package struct StackshotReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.ipsStackshot] }
  package var readsJson: Bool { true }
  package func format(ofBugType type: String) -> ReportFormat? {
    type == "288" ? .ipsStackshot : nil
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .ipsStackshot else { return [] }
    var found: [Report] = []
    var header: JsonDocument?
    var next = 0
    let source = input.source
    input.forEachFreeLine { line in
      guard let line, line.start >= next else { return }
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.openBrace,
        let document = input.jsonDocument(in: start..<source.count)
      else { return }
      next = document.byteRange.upperBound
      let type = (header?.root ?? document.root)[.bugType]?.string
      // Forced resets and panics have processes too, and another reader (`KernelReports`).
      let format = type.flatMap { input.signs.format(ofBugType: $0) }
      let isPanic = format?.shortName == "panic"
      if document.root["processByPid"]?.kind == .object, !isPanic {
        var reader = StackshotBodyReader(
          document: document, header: header.map { JsonHeader($0.root) },
          start: header?.byteRange.lowerBound ?? start, allowance: input.allowance)
        found += reader.reports()
        header = nil
      } else {
        header = document.root[.bugType] == nil ? nil : document
      }
    }
    return found
  }
}

extension Backtrace {
  /// In a stackshot: the list of frames, and what an earlier run put beside it.
  package var stackshotLists: (frames: JsonMember, symbols: JsonMember?)? {
    guard let json else { return nil }
    var frames: JsonMember?
    for member in json.members where member.value.byteRange == byteRange { frames = member }
    guard let frames else { return nil }
    let key = frames.key.dropLast() + "Symbols"
    return (frames, json.members.first { $0.hasKey(String(key)) })
  }
}

extension FrameSymbol {
  /// An object with the keys of a frame in an `.ips` of bug type 309; nil for null.
  fileprivate init?(stackshot value: JsonValue) {
    guard let name = value["symbol"]?.string else { return nil }
    self.init(
      name: name, offset: value["symbolLocation"]?.integer, file: value["sourceFile"]?.string,
      line: value["sourceLine"]?.integer.flatMap { Int(exactly: $0) })
  }
}

/// Reads the reports of one stackshot.
private struct StackshotBodyReader {
  private let document: JsonDocument
  private let header: JsonHeader?
  private let start: Int
  private let allowance: ReportAllowance
  private let images: [Image?]

  private struct Image {
    let identity: ImageIdentity?
    let start: UInt64
    /// `P`: of a process; `S`: the shared cache; `U`, `T`: of the kernel; `A`: no image.
    let kind: String

    /// Stackshots name no image, but say which one is the shared cache and which is the kernel's.
    var name: String? {
      switch kind {
      case "S": "dyld shared cache"
      case "U", "T": "kernel"
      default: nil
      }
    }
  }

  init(document: JsonDocument, header: JsonHeader?, start: Int, allowance: ReportAllowance) {
    self.document = document
    self.header = header
    self.start = start
    self.allowance = allowance
    images =
      document.root["binaryImages"]?.elements.map { element in
        var parts = element.elements.makeIterator()
        guard let identity = parts.next(), let start = parts.next()?.unsignedInteger else {
          return nil
        }
        return Image(
          identity: identity.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }, start: start,
          kind: parts.next()?.string ?? "")
      } ?? []
  }

  mutating func reports() -> [Report] {
    var parts: [(process: JsonValue, content: Content)] = []
    for member in document.root["processByPid"].map({ Array($0.members) }) ?? []
    where member.value.kind == .object {
      parts.append((member.value, content(of: member.value)))
    }
    if let damage = document.damage, !parts.isEmpty {
      parts[parts.count - 1].content.faults.append(
        ParseFault(kind: .damagedJson, byteRange: damage.offset..<damage.offset))
    }
    let facts = headFacts
    let root = document.root
    // Why somebody asked for it, about one of the processes.
    let reason = root["reason"]?.string?.filledLines ?? []
    let target = root["pid"]?.integer
    return parts.indices.map { index in
      let (process, content) = parts[index]
      // The first report has what is before the processes, the last one what is after them.
      let lower = index == 0 ? start : process.byteRange.lowerBound
      let upper =
        index == parts.count - 1 ? document.byteRange.upperBound : process.byteRange.upperBound
      var facts = facts
      facts.process.name = process["procname"]?.string
      let identifier = process["pid"]?.integer
      facts.process.identifier = identifier.flatMap { Int(exactly: $0) }
      if target.map({ $0 == identifier }) ?? (index == 0) { facts.applicationInformation = reason }
      return Report(
        format: .ipsStackshot, byteRange: lower..<upper, header: index == 0 ? header : nil,
        facts: facts, images: images(content.usedImages, at: process.byteRange.lowerBound),
        backtraces: content.backtraces, faults: content.faults, json: process)
    }
  }

  private var headFacts: ReportFacts {
    let root = document.root
    var facts = ReportFacts()
    facts.event = .sample
    facts.incident = root["incident"]?.string
    facts.bugType = header?.bugType ?? root[.bugType]?.string
    facts.date = root["date"]?.string ?? header?.text("timestamp")
    facts.hardwareModel = root["product"]?.string
    facts.crashReporterKey = root["crashReporterKey"]?.string
    facts.system = root["build"]?.string.map { ReportFacts.System($0) } ?? ReportFacts.System()
    return facts
  }

  /// The key of what is known about the functions of a list: `userFrameSymbols` for `userFrames`.
  private static func symbolsKey(for key: String) -> String { key.dropLast() + "Symbols" }

  // MARK: Processes

  private struct Content {
    var backtraces: [Backtrace] = []
    var faults: [ParseFault] = []
    /// The indices of the images that frames use, each once, in the order of their first use.
    var usedImages: [Int] = []
    var isUsed: Set<Int> = []
  }

  private func content(of process: JsonValue) -> Content {
    var content = Content()
    for member in process["threadById"].map({ Array($0.members) }) ?? []
    where member.value.kind == .object {
      let thread = member.value
      guard allowance.takeThread(at: thread.byteRange, &content.faults) else { break }
      let number = thread["id"]?.integer.flatMap { Int(exactly: $0) }
      let name = thread["name"]?.string
      for (key, list) in Self.lists(of: thread) {
        // The frames of a process were taken again if memory was missing the first time.
        let mark =
          key == "kernelFrames" ? "kernel" : key == "resampledUserFrames" ? "sampled again" : nil
        let names = [name, mark].compactMap(\.self).joined(separator: ", ")
        content.backtraces.append(
          Backtrace(
            kind: .thread, number: number, name: names.isEmpty ? nil : names,
            dispatchQueue: thread["dispatch_queue_label"]?.string,
            frames: frames(list, thread[Self.symbolsKey(for: key)], &content),
            byteRange: list.byteRange, json: thread))
      }
    }
    return content
  }

  /// The lists of frames of a thread with their keys, in the order of the input.
  private static func lists(of thread: JsonValue) -> [(key: String, list: JsonValue)] {
    let keys = ["userFrames", "kernelFrames", "resampledUserFrames"]
    let lists = keys.compactMap { key in thread[key].map { (key: key, list: $0) } }
    return lists.filter { $0.list.kind == .array }.sorted {
      $0.list.byteRange.lowerBound < $1.list.byteRange.lowerBound
    }
  }

  /// - Parameter symbols: what an earlier run found out, an element for each of `list`.
  private func frames(
    _ list: JsonValue, _ symbols: JsonValue?, _ content: inout Content
  ) -> [StackFrame] {
    var frames: [StackFrame] = []
    frames.reserveCapacity(min(list.elementCount, allowance.remainingFrames))
    let (bytes, tape) = (list.content.bytes, list.content.tape)
    var symbols = symbols?.elements.makeIterator()
    for (position, element) in list.elements.enumerated() {
      let symbol = symbols?.next()
      guard let (index, offset) = Self.place(of: element, bytes.span, tape.span) else {
        content.faults.append(
          ParseFault(kind: .unexpectedJsonValue, byteRange: element.byteRange))
        continue
      }
      let image = images.indices.contains(index) ? images[index] : nil
      // Stacks end with `[1,0]`, the address 0.
      if image?.kind == "A", offset == 0 { continue }
      guard allowance.takeFrame(at: element.byteRange, &content.faults) else { break }
      var values = FrameValues(byteRange: element.byteRange)
      values.index = position
      values.addressKind = frames.isEmpty ? .programCounter : .returnAddress
      values.json = element
      values.symbol = symbol.flatMap { FrameSymbol(stackshot: $0) }
      frames.append(frame(values, image, index, offset, &content))
    }
    return frames
  }

  /// The image and the distance of a frame: `[2,10889200]`. Most are read off the tape, which takes
  /// no `JsonValue` for each number.
  private static func place(
    of element: JsonValue, _ bytes: Span<UInt8>, _ tape: Span<UInt32>
  ) -> (index: Int, offset: UInt64)? {
    let first = element.position + JsonContent.containerHeadCount
    let limit = element.content.end
    // Numbers take one entry each.
    if element.kind == .array, element.position + 1 < tape.count,
      first + 2 == Int(tape[element.position + 1]), first + 1 < tape.count,
      let index = JsonValue.fewDigits(in: bytes, at: Int(tape[first]), end: limit),
      let offset = JsonValue.fewDigits(in: bytes, at: Int(tape[first + 1]), end: limit)
    {
      return Int(exactly: index).map { ($0, offset) }
    }
    var parts = element.elements.makeIterator()
    guard let index = parts.next()?.unsignedInteger.flatMap({ Int(exactly: $0) }),
      let offset = parts.next()?.unsignedInteger
    else { return nil }
    return (index, offset)
  }

  private func frame(
    _ values: consuming FrameValues, _ image: Image?, _ index: Int, _ offset: UInt64,
    _ content: inout Content
  ) -> StackFrame {
    guard let image else {
      // A list that breaks off is reported once.
      if document.damage == nil {
        content.faults.append(
          ParseFault(kind: .imageIndexOutOfRange, byteRange: values.byteRange))
      }
      return StackFrame(address: nil, carrier: .values(values))
    }
    let (address, overflow) = image.start.addingReportingOverflow(offset)
    if overflow {
      content.faults.append(ParseFault(kind: .unexpectedJsonValue, byteRange: values.byteRange))
    } else if image.kind != "A" {
      values.imageRelativeAddress = ImageRelativeAddress(
        base: LoadAddress(image.start), offset: offset)
      values.imageName = image.name
      if content.isUsed.insert(index).inserted { content.usedImages.append(index) }
    }
    return StackFrame(address: overflow ? nil : LoadAddress(address), carrier: .values(values))
  }

  /// The images with these indices. The list of all images belongs to no process, so they have
  /// empty ranges at the start of the process.
  private func images(_ indices: [Int], at start: Int) -> [BinaryImage] {
    indices.compactMap { index -> BinaryImage? in
      guard let image = images[index] else { return nil }
      var values = BinaryImage.Values(byteRange: start..<start)
      values.identity = image.identity
      values.name = image.name
      return BinaryImage(
        loadAddress: LoadAddress(image.start), endAddress: LoadAddress(image.start), values)
    }
  }
}
