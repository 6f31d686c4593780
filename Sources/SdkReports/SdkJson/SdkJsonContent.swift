package import JsonReading
import ReportFormats
package import ReportModel
package import SymbolicationModel

/// What a dialect reads out of one report.
struct SdkJsonContent {
  var facts = ReportFacts()
  var images: [BinaryImage] = []
  private(set) var backtraces: [Backtrace] = []
  /// Whether one of the threads crashed.
  private(set) var hasCrashedThread = false
  var registers: [RegisterValue] = []
  var faults: [ParseFault] = []
  let allowance: ReportAllowance

  init(_ allowance: ReportAllowance) { self.allowance = allowance }

  /// Whether there is nothing to report: no stack, no image, and nothing about what happened.
  var isEmpty: Bool {
    backtraces.isEmpty && images.isEmpty && facts.event == .crash
      && facts.exception == ReportFacts.CrashException()
  }

  func report(_ format: ReportFormat, _ object: JsonValue) -> Report {
    var facts = facts
    // In the order of the report; those without a place come last.
    facts.fields = facts.fields.enumerated().sorted { one, other in
      (one.element.byteRange?.lowerBound ?? .max, one.offset)
        < (other.element.byteRange?.lowerBound ?? .max, other.offset)
    }.map(\.element)
    facts.crashedThread = backtraces.first(where: \.isCrashed)?.number
    if facts.architecture == nil {
      facts.architecture = images.first { $0.name == facts.process.name }?.architecture
    }
    return Report(
      format: format, byteRange: object.byteRange, facts: facts, images: images,
      backtraces: backtracesInOrder, registers: registers,
      faults: faults.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }, json: object)
  }

  /// The exception, then what the app added, then the threads, each kind in the order of the
  /// report. Members of an object have no order, so a dialect may have met them in another one.
  private var backtracesInOrder: [Backtrace] {
    let kinds: [Backtrace.Kind] = [.lastException, .applicationSpecific, .thread, .digest]
    return kinds.flatMap { kind in
      backtraces.filter { $0.kind == kind }.enumerated().sorted { one, other in
        (one.element.byteRange.lowerBound, one.offset)
          < (other.element.byteRange.lowerBound, other.offset)
      }.map(\.element)
    }
  }

  mutating func add(_ backtrace: Backtrace) {
    if backtrace.isCrashed { hasCrashedThread = true }
    backtraces.append(backtrace)
  }

  // MARK: Images

  /// Adds an image of a list.
  ///
  /// - Parameter read: makes the image; nil if it has no address.
  /// - Returns: false if the limit is reached.
  mutating func addImage(_ value: JsonValue, _ read: (JsonValue) -> BinaryImage?) -> Bool {
    // What was cut may have said more.
    guard value.kind == .object, value.isComplete else {
      if value.isComplete { addUnexpected(value) }
      return true
    }
    guard let image = read(value) else {
      faults.append(ParseFault(kind: .unreadableImage, byteRange: value.byteRange))
      return true
    }
    guard allowance.takeImage(at: value.byteRange, &faults) else { return false }
    images.append(image)
    return true
  }

  mutating func addImages(_ list: JsonValue?, _ read: (JsonValue) -> BinaryImage?) {
    guard let list else { return }
    guard list.kind == .array else {
      if !list.isNull { addUnexpected(list) }
      return
    }
    for value in list.elements where !addImage(value, read) { return }
  }

  // MARK: Frames

  /// The frames of a list, innermost first.
  ///
  /// - Parameters:
  ///   - isOutermostFirst: whether the list has the outermost call first.
  ///   - kind: what the address of a frame is, by the frame's place counted from the innermost one.
  mutating func frames(
    _ list: JsonValue?, _ keys: SdkFrameKeys, isOutermostFirst: Bool = false,
    _ kind: (_ place: Int, _ frame: JsonValue) -> FrameAddressKind
  ) -> [StackFrame] {
    guard let list else { return [] }
    guard list.kind == .array else {
      if !list.isNull { addUnexpected(list) }
      return []
    }
    var values: [JsonValue] = []
    for value in list.elements {
      guard value.isComplete else { break }
      guard value.kind == .object else {
        addUnexpected(value)
        continue
      }
      guard allowance.takeFrame(at: value.byteRange, &faults) else { break }
      values.append(value)
    }
    if isOutermostFirst { values.reverse() }
    var place = 0
    return values.map { value in
      // Calls inlined into a frame have its address, and so its kind.
      defer { if value[keys.inlined]?.boolean != true { place += 1 } }
      return keys.frame(value, kind(place, value))
    }
  }

  /// Takes a thread or another backtrace, unless the limit is reached.
  mutating func takeThread(_ value: JsonValue) -> Bool {
    allowance.takeThread(at: value.byteRange, &faults)
  }

  mutating func addUnexpected(_ value: JsonValue) {
    faults.append(ParseFault(kind: .unexpectedJsonValue, byteRange: value.byteRange))
  }

  // MARK: Facts

  /// Adds a member as a field of the head, if it is a text, a number or a word.
  mutating func addField(_ name: String, _ value: JsonValue?) {
    guard let value,
      let text = value.string ?? value.numberText ?? value.boolean.map({ String($0) })
    else { return }
    facts.fields.append(ReportFacts.Field(name: name, value: text, byteRange: value.byteRange))
  }

  /// Adds all such members of an object.
  mutating func addFields(_ object: JsonValue?) {
    guard let object else { return }
    for member in object.members { addField(member.key, member.value) }
  }

  /// Adds registers: numbers or texts by their names.
  mutating func addRegisters(_ object: JsonValue?) {
    guard let object else { return }
    for member in object.members {
      guard let value = member.value.sdkNumber else { continue }
      registers.append(RegisterValue(name: member.key.lowercased(), value: value))
    }
  }
}

extension BinaryImage {
  /// An image with the keys that KSCrash and Sentry share. Nil if it has no address.
  ///
  /// - Parameter architecture: if it is nil, that of the numbers of the processor counts.
  init?(
    sdk value: JsonValue, path: String?, _ identity: ImageIdentity?,
    _ architecture: Architecture? = nil
  ) {
    guard let start = value["image_addr"]?.sdkNumber else { return nil }
    var values = Values(byteRange: value.byteRange)
    values.path = path
    values.name = path?.lastPathComponent
    values.identity = identity
    values.architecture =
      architecture
      ?? Architecture(machCpuType: value["cpu_type"], subtype: value["cpu_subtype"])
    let (end, overflow) = start.addingReportingOverflow(value["image_size"]?.sdkNumber ?? 0)
    self.init(
      loadAddress: LoadAddress(start), endAddress: LoadAddress(overflow ? .max : end), values)
  }
}

extension JsonValue {
  /// The values of a list, or of the `values` of an object, as Sentry writes lists.
  var listed: JsonElements { (self["values"] ?? self).elements }

  /// A number, as JSON's or as a text: `4313677424`, `"0x1011d5a70"`. A negative one stands for the
  /// bits that it has in memory: writers print unsigned numbers as signed ones.
  var sdkNumber: UInt64? {
    if let number = unsignedInteger { return number }
    if let number = integer { return UInt64(bitPattern: number) }
    guard let text = string else { return nil }
    if text.hasPrefix("0x") || text.hasPrefix("0X") {
      return UInt64(text.dropFirst(2), radix: 16)
    }
    return UInt64(text)
  }

  /// A number in hexadecimal without `0x`: `"000000010584d65c"`.
  var sdkDigits: UInt64? {
    guard let text = string else { return sdkNumber }
    return UInt64(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16)
  }

  /// The program counter among registers of any processor.
  var sdkProgramCounter: UInt64? {
    ["pc", "rip", "eip"].lazy.compactMap { self[$0]?.sdkNumber }.first
  }

  var sdkInteger: Int? { integer.flatMap { Int(exactly: $0) } ?? string.flatMap { Int($0) } }

  /// A text that is not empty.
  var filledString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }
}

// Frames are read with the keys of their dialect.

extension SdkFrameKeys {
  private func number(_ value: JsonValue?) -> UInt64? {
    hasBareDigits ? value?.sdkDigits : value?.sdkNumber
  }

  /// The address that a frame's object states.
  func statedAddress(_ object: JsonValue) -> UInt64? { number(object[address]) }

  package func frame(_ object: JsonValue, _ kind: FrameAddressKind) -> StackFrame {
    var values = FrameValues(byteRange: object.byteRange)
    values.json = object
    values.addressKind = kind
    values.isInlined = object[inlined]?.boolean ?? false
    values.imageName = object[imageName]?.filledString?.lastPathComponent
    let address = statedAddress(object)
    let base = number(object[imageBase])
    if let address, let base, base > 0, base <= address {
      values.imageRelativeAddress = ImageRelativeAddress(
        base: LoadAddress(base), offset: address - base)
    }
    values.symbol = symbol(object, at: address, base)
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }

  private func symbol(_ object: JsonValue, at address: UInt64?, _ base: UInt64?) -> FrameSymbol? {
    guard let name = object[function]?.filledString else { return nil }
    let start = functionStart.flatMap { number(object[$0]) }
    // Where an image has no symbols, SDKs find the one of its header, which is at its start.
    if let start, start == base, Self.headerNames.contains(name) { return nil }
    var symbol = FrameSymbol(name: name, isInlined: object[inlined]?.boolean ?? false)
    if let start, let address, start <= address, start > 0 {
      symbol.offset = Int64(exactly: address - start)
    }
    if let file = (path.flatMap { object[$0] } ?? object[file])?.filledString
      ?? object[self.file]?.filledString
    {
      symbol.file = file
      symbol.line = object[line]?.sdkInteger
      symbol.column = object[column]?.sdkInteger.flatMap { $0 > 0 ? $0 : nil }
    }
    return symbol
  }

  private static let headerNames: Set = [
    "_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header",
  ]
}
