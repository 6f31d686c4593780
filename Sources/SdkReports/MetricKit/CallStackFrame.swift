import JsonReading
import ReportModel
import SymbolicationModel

/// A frame of a tree of call stacks, as its object states it.
struct CallStackFrame {
  let object: JsonValue
  /// The UUID of the image; nil if there is none.
  private(set) var uuid: UInt128?
  /// The name of the image, a string.
  private(set) var imageName: JsonValue?
  private(set) var address: UInt64?
  /// `offsetIntoBinaryTextSegment`, which `FramePlace` explains.
  private(set) var offset: UInt64?
  private(set) var sampleCount: Int?
  /// The frames of the next level: callers or called functions (`CallStackReader`).
  private(set) var subFrames: JsonValue?
  private(set) var symbol: FrameSymbol?
  /// Values of the wrong kind. They count as missing.
  private(set) var unexpectedValues: [Range<Int>] = []
  /// How many frames are around it.
  let depth: Int

  init(_ object: JsonValue, depth: Int) {
    self.object = object
    self.depth = depth
    var name: String?
    var isInlined = false
    var (line, file, nameOffset): (UInt64?, String?, UInt64?) = (nil, nil, nil)
    for member in object.members {
      guard let key = CallStackKey(member) else { continue }
      let value = member.value
      // Missing values may be written as `null` or as empty strings.
      if value.isNull || value.isEmptyString { continue }
      var isExpected = true
      switch key {
      case .binaryUUID:
        uuid = value.uuid
        isExpected = value.kind == .string
      case .binaryName:
        isExpected = value.kind == .string
        if isExpected { imageName = value }
      case .address:
        address = value.writtenNumber
        isExpected = address != nil
      case .offset:
        offset = value.writtenNumber
        isExpected = offset != nil
      case .sampleCount:
        sampleCount = value.writtenNumber.flatMap { Int(exactly: $0) }
        isExpected = sampleCount != nil
      case .subFrames:
        isExpected = value.kind == .array
        // The first one counts, as everywhere.
        if isExpected, subFrames == nil { subFrames = value }
      case .symbol:
        name = value.string
        isExpected = name != nil
      case .symbolOffset: nameOffset = value.writtenNumber
      case .file: file = value.string
      case .line: line = value.writtenNumber
      case .inline: isInlined = value.boolean ?? false
      }
      if !isExpected { unexpectedValues.append(value.byteRange) }
    }
    guard let name else { return }
    symbol = FrameSymbol(
      name: name, offset: nameOffset.flatMap { Int64(exactly: $0) }, file: file,
      line: line.flatMap { Int(exactly: $0) }, isInlined: isInlined)
  }

  /// What no other frame has: the object up to the frames in it.
  var byteRange: Range<Int> {
    let range = object.byteRange
    guard let subFrames else { return range }
    return range.lowerBound..<max(range.lowerBound, subFrames.byteRange.lowerBound)
  }
}

/// The keys of a frame in any dialect.
enum CallStackKey {
  case binaryUUID, binaryName, address, offset, sampleCount, subFrames
  case symbol, symbolOffset, file, line, inline

  init?(_ member: JsonMember) {
    guard let packed = member.packedKey else {
      if member.hasKey("offsetIntoBinaryTextSegment") {
        self = .offset
      } else if member.hasKey("offsetIntoSymbol") {
        self = .symbolOffset
      } else {
        return nil
      }
      return
    }
    guard let key = Self.byPackedKey[packed] else { return nil }
    self = key
  }

  private static let byPackedKey: [JsonPackedKey: CallStackKey] = {
    var keys: [JsonPackedKey: CallStackKey] = [:]
    for (text, key) in names {
      if let packed = JsonPackedKey(text) { keys[packed] = key }
    }
    return keys
  }()

  private static let names: [(String, CallStackKey)] = [
    ("binaryUUID", .binaryUUID), ("binaryName", .binaryName), ("address", .address),
    ("sampleCount", .sampleCount), ("subFrames", .subFrames),
    // OpenTelemetry.
    ("offsetAddress", .offset),
    // What symbolication adds, with the names of `.ips`.
    ("symbol", .symbol), ("symbolLocation", .symbolOffset), ("sourceFile", .file),
    ("sourceLine", .line), ("inline", .inline),
    // App Store Connect.
    ("symbolName", .symbol), ("fileName", .file), ("lineNumber", .line),
  ]
}

extension JsonValue {
  var isEmptyString: Bool {
    let start = content.offset(at: position)
    return content.byte(at: start) == Ascii.quote && content.byte(at: start + 1) == Ascii.quote
  }

  /// A number, or a string with one: decimal digits, or hexadecimal ones after `0x`.
  var writtenNumber: UInt64? {
    switch kind {
    case .number: return unsignedInteger
    case .string:
      guard let text = string else { return nil }
      return text.hasPrefix("0x") || text.hasPrefix("0X")
        ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    default: return nil
    }
  }

  /// The number of a UUID that a string spells with or without dashes; nil for anything else.
  var uuid: UInt128? {
    var offset = content.offset(at: position)
    guard content.byte(at: offset) == Ascii.quote else { return nil }
    var (number, count): (UInt128, Int) = (0, 0)
    while true {
      offset += 1
      let byte = content.byte(at: offset)
      if byte == Ascii.minus { continue }
      guard let digit = hexadecimalDigitValue(byte), count < 32 else {
        return byte == Ascii.quote && count == 32 ? number : nil
      }
      number = number << 4 | UInt128(digit)
      count += 1
    }
  }
}
