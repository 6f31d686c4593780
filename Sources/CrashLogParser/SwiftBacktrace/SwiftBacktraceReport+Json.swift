internal import SymbolicationModel

extension SwiftBacktraceReport {
  /// Reads the object that `swift-backtrace` writes with `format=json`. Values of another kind than
  /// theirs count as missing.
  init(_ document: JsonDocument) {
    let root = document.root
    let images = root["images"]?.elements.compactMap { SwiftBacktraceImage($0) } ?? []
    self.init(byteRange: document.byteRange, images: images)
    format = .swiftBacktraceJson
    timestamp = root["timestamp"]?.string
    architecture = root["architecture"]?.string.map {
      $0 == "arm" ? .armv7 : Architecture(name: $0)
    }
    platform = root["platform"]?.string
    if let description = root["description"]?.string {
      // As the text has it: what the runtime tells itself needs no address.
      let address = root["faultAddress"]?.string.map { " at \($0)" } ?? ""
      reason = description.hasPrefix("Swift runtime failure") ? description : description + address
    }
    // The place in the list is the number, where all threads are there.
    let hasAll = root["omittedThreads"] == nil
    if let list = root["threads"] {
      for (place, thread) in list.elements.enumerated() where thread.kind == .object {
        threads.append(SwiftBacktraceThread(thread, number: hasAll ? place : nil))
      }
    }
    if let damage = document.damage {
      faults.append(ParseFault(kind: .damagedJson, byteRange: damage.offset..<damage.offset))
    }
  }
}

extension SwiftBacktraceThread {
  fileprivate init(_ value: JsonValue, number: Int?) {
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
        omissions.append(SwiftBacktraceOmission(byteRange: element.byteRange))
      case "truncated"?:
        omissions.append(SwiftBacktraceOmission(byteRange: element.byteRange))
      case let kind?:
        guard let frame = SwiftBacktraceFrame(element, kind: kind, index: index) else { continue }
        frames.append(frame)
        index &+= 1
      case nil: continue
      }
    }
  }
}

extension SwiftBacktraceFrame {
  /// Nil for a kind of frame that is not known.
  fileprivate init?(_ value: JsonValue, kind: String, index: Int) {
    switch kind {
    case "programCounter": self.kind = .programCounter
    case "returnAddress": self.kind = .returnAddress
    case "asyncResumePoint": self.kind = .asyncResumePoint
    default: return nil
    }
    self.index = max(0, index)
    address = value["address"]?.address
    isInlined = value["inlined"]?.boolean ?? false
    isSystem = value["system"]?.boolean ?? false
    isThunk = value["thunk"]?.boolean ?? false
    imageName = value["image"]?.string
    byteRange = value.byteRange
    text = nil
    json = value
    guard let rawName = value["symbol"]?.string, rawName != "<unknown>" else { return }
    let offset = value["offset"]?.integer
    var symbol = FrameSymbol(
      name: Self.name(value["description"]?.string, rawName, offset),
      offset: isInlined ? nil : offset, isInlined: isInlined)
    if let location = value["sourceLocation"], let file = location["file"]?.string {
      symbol.file = file
      symbol.line = location["line"]?.integer.flatMap { Int(exactly: $0) } ?? 0
      symbol.column = location["column"]?.integer.flatMap { $0 > 0 ? Int(exactly: $0) : nil }
    }
    self.symbol = symbol
  }

  /// The name in the description, `name + N`; the raw one where names are not demangled.
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

extension SwiftBacktraceImage {
  fileprivate init?(_ value: JsonValue) {
    guard let start = value["baseAddress"]?.address, let end = value["endOfText"]?.address else {
      return nil
    }
    loadAddress = start
    endAddress = end
    identity = value["buildId"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
    path = value["path"]?.string
    name = value["name"]?.string ?? path?.lastPathComponent ?? "<unknown>"
    byteRange = value.byteRange
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
