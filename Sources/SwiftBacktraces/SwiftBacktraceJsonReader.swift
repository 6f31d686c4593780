import JsonReading
package import ReportFormats
package import ReportModel
import SymbolicationModel

/// Finds and reads Swift's backtraces as JSON, wherever on a line one begins. The runtime prints
/// `*** Signal 11: Backtracing from … done ***` on the line before, unless it writes to a file.
package struct SwiftBacktraceJsonReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] { [.swiftBacktraceJson] }
  package var readsJson: Bool { true }
  package func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat? {
    format(
      ofJsonLine: range.lowerBound..<min(range.upperBound, range.lowerBound + 4096), in: source)
  }
  package var jsonLineSigns: [String] { ["\"crashReport\""] }
  package func format(ofJsonLine range: Range<Int>, in source: TextSource) -> ReportFormat? {
    func has(_ key: String) -> Bool {
      source.find(key, from: range.lowerBound, limit: range.upperBound) != nil
    }
    return has("\"kind\"") && has("\"crashReport\"") ? .swiftBacktraceJson : nil
  }
  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? {
    source.has("\"kind\"", at: start, limit: limit)
      && source.find("\"crashReport\"", from: start, limit: limit) != nil
      ? .swiftBacktraceJson : nil
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat.family == ReportFormat.swiftBacktrace.family else { return [] }
    let source = input.source
    var reports: [Report] = []
    var lines = FreeLines(source, outside: input.claimedRanges)
    while let line = lines.next() {
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.openBrace,
        let document = input.jsonDocument(in: start..<source.count)
      else { continue }
      lines.skip(to: document.byteRange.upperBound)
      if document.root["kind"]?.string == "crashReport",
        document.root["threads"]?.kind == .array
      {
        var content = SwiftBacktraceContent(document, input.allowance)
        content.fatalError = FatalErrorLine.nearest(source, above: line.start)
        reports.append(
          content.report(
            .swiftBacktraceJson, byteRange: document.byteRange, json: document.root))
      }
    }
    return reports
  }
}

extension SwiftBacktraceContent {
  /// Reads the object that `swift-backtrace` writes with `format=json`. A value of the wrong kind
  /// counts as missing.
  fileprivate init(_ document: JsonDocument, _ allowance: ReportAllowance) {
    let root = document.root
    if let list = root["images"] {
      for value in list.elements {
        guard let image = BinaryImage(value) else { continue }
        guard allowance.takeImage(at: value.byteRange, &faults) else { break }
        images.append(image)
      }
    }
    timestamp = root["timestamp"]?.string
    architecture = root["architecture"]?.string.map {
      $0 == "arm" ? .armv7 : Architecture(name: $0)
    }
    platform = root["platform"]?.string
    if let description = root["description"]?.string {
      // As in text: a failure that the runtime itself reports has no address.
      let address = root["faultAddress"]?.string.map { " at \($0)" } ?? ""
      reason = description.hasPrefix("Swift runtime failure") ? description : description + address
    }
    // The index in the list is the number, provided that all threads are there.
    let hasAll = root["omittedThreads"] == nil
    if let list = root["threads"] {
      for (index, thread) in list.elements.enumerated() where thread.kind == .object {
        guard allowance.takeThread(at: thread.byteRange, &faults) else { break }
        threads.append(Thread(thread, number: hasAll ? index : nil, allowance, &faults))
      }
    }
    if let damage = document.damage {
      faults.append(ParseFault(kind: .damagedJson, byteRange: damage.offset..<damage.offset))
    }
  }
}

extension SwiftBacktraceContent.Thread {
  fileprivate init(
    _ value: JsonValue, number: Int?, _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) {
    self.init(
      number: number, name: value["name"]?.string,
      isCrashed: value["crashed"]?.boolean ?? false, byteRange: value.byteRange)
    var index = 0
    guard let list = value["frames"] else { return }
    for element in list.elements {
      switch element["kind"]?.string {
      case "omittedFrames"?:
        let count = element["count"]?.integer.flatMap { Int(exactly: $0) } ?? 1
        index = index.addingReportingOverflow(max(0, count)).partialValue
        omissions.append(element.byteRange)
      case "truncated"?:
        omissions.append(element.byteRange)
      case let kind?:
        guard let frame = SwiftBacktraceContent.Frame(element, kind: kind, index: index) else {
          continue
        }
        guard allowance.takeFrame(at: element.byteRange, &faults) else { return }
        frames.append(frame)
        index &+= 1
      case nil: continue
      }
    }
  }
}

extension SwiftBacktraceContent.Frame {
  /// Nil for an unknown kind of frame.
  fileprivate init?(_ value: JsonValue, kind: String, index: Int) {
    values = FrameValues(byteRange: value.byteRange)
    switch kind {
    case "programCounter": values.addressKind = .programCounter
    case "returnAddress": values.addressKind = .returnAddress
    case "asyncResumePoint": values.addressKind = .asyncResumePoint
    default: return nil
    }
    address = value["address"]?.address
    values.index = max(0, index)
    values.isInlined = value["inlined"]?.boolean ?? false
    values.isSystem = value["system"]?.boolean ?? false
    values.isThunk = value["thunk"]?.boolean ?? false
    values.imageName = value["image"]?.string
    values.json = value
    guard let rawName = value["symbol"]?.string, rawName != "<unknown>" else { return }
    let offset = value["offset"]?.integer
    var symbol = FrameSymbol(
      name: Self.name(value["description"]?.string, rawName, offset),
      offset: values.isInlined ? nil : offset, isInlined: values.isInlined)
    if let location = value["sourceLocation"], let file = location["file"]?.string {
      symbol.file = file
      symbol.line = location["line"]?.integer.flatMap { Int(exactly: $0) } ?? 0
      symbol.column = location["column"]?.integer.flatMap { $0 > 0 ? Int(exactly: $0) : nil }
    }
    values.symbol = symbol
  }

  /// The name in the description, `name + N`; the raw name if names are not demangled.
  private static func name(_ description: String?, _ rawName: String, _ offset: Int64?) -> String {
    guard let description else { return rawName }
    guard let offset, offset != 0 else { return description }
    // The runtime writes two minus signs before a negative one.
    for suffix in [" + \(offset)", " - \(offset)", " - \(offset.magnitude)"]
    where description.hasSuffix(suffix) {
      return String(description.dropLast(suffix.count))
    }
    return description
  }
}

extension BinaryImage {
  fileprivate init?(_ value: JsonValue) {
    guard let start = value["baseAddress"]?.address, let end = value["endOfText"]?.address else {
      return nil
    }
    var values = Values(byteRange: value.byteRange)
    values.identity = value["buildId"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
    values.path = value["path"]?.string
    values.name = value["name"]?.string ?? values.path?.lastPathComponent ?? "<unknown>"
    self.init(loadAddress: start, endAddress: end, values)
  }
}

extension JsonValue {
  /// `"0x0000555555557198"`
  fileprivate var address: LoadAddress? {
    guard let text = string else { return nil }
    let source = TextSource(bytes: Array(text.utf8))
    guard let (value, end) = source.hexadecimal(at: 0, limit: source.count), end == source.count
    else { return nil }
    return LoadAddress(value)
  }
}
