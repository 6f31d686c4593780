import JsonReading
import SymbolicationModel

/// The register dump of a thread. Registers are read from the bytes each time they are asked for.
/// They are not frames, although they hold addresses.
public struct ThreadState: Sendable {
  private let source: TextSource
  private let flavorSpan: ByteSpan

  /// The number in `Thread N crashed with …`; nil for a thread that the writer did not know.
  public let threadNumber: Int?
  /// From the start of the heading to the end of the last line of registers, without its line end:
  /// a half-open range of offsets in the input.
  public package(set) var byteRange: Range<Int>

  package init(source: TextSource, flavor: ByteSpan, threadNumber: Int?, byteRange: Range<Int>) {
    self.source = source
    self.flavorSpan = flavor
    self.threadNumber = threadNumber
    self.byteRange = byteRange
  }

  /// What the heading calls the registers: `ARM Thread State (64-bit)`.
  public var flavor: String { source.string(flavorSpan.range) }

  /// The heading and the lines of registers.
  package var text: String { source.string(byteRange) }

  /// The value of a register: the number after `name:`. Nil if there is none.
  package func register(_ name: String) -> UInt64? {
    var position = byteRange.lowerBound
    let pattern = "\(name):"
    while let found = source.find(pattern, from: position, limit: byteRange.upperBound) {
      position = found + pattern.utf8.count
      // `esp:` ends with `sp:`.
      let before = found == 0 ? Ascii.space : source[found - 1]
      guard [Ascii.space, Ascii.tab, Ascii.lineFeed].contains(before) else { continue }
      let start = source.skipSeparators(from: position, limit: byteRange.upperBound)
      let limit = byteRange.upperBound
      let number =
        source.hexadecimal(at: start, limit: limit) ?? source.number(at: start, limit: limit)
      if let number { return number.value }
    }
    return nil
  }
}

extension Report {
  /// The registers of the crashed thread, in the order of the report. Read from the report on each
  /// call; empty if it has none.
  package var shownRegisters: [RegisterValue] {
    if let state = crashedThread?.json?[.threadState] { return Self.registers(in: state) }
    if !registers.isEmpty { return registers }
    let number = crashedThread?.number
    let state =
      threadStates.first { $0.threadNumber != nil && $0.threadNumber == number }
      ?? threadStates.first
    return state?.registers ?? []
  }

  /// No processor has more. A report could list any number.
  fileprivate static let registerLimit = 128

  /// Registers are objects with a value (`"pc": {"value": 4297388444}`), or arrays of these for
  /// `x0`, `x1` and so on.
  private static func registers(in state: JsonValue) -> [RegisterValue] {
    var registers: [RegisterValue] = []
    func add(_ name: String, _ object: JsonValue) {
      // Some writers give a register as a negative number.
      let value = object[.value].flatMap { value in
        value.unsignedInteger ?? value.integer.map { UInt64(bitPattern: $0) }
      }
      guard let value, registers.count < registerLimit else { return }
      registers.append(RegisterValue(name: name, value: value))
    }
    for member in state.members.prefix(registerLimit) {
      let key = member.key
      switch member.value.kind {
      case .object: add(key, member.value)
      case .array:
        for (index, element) in member.value.elements.prefix(registerLimit).enumerated() {
          add("\(key)\(index)", element)
        }
      default: break
      }
    }
    return registers
  }
}

extension ThreadState {
  /// The registers, in the order of the dump: `x0: 0x0000000000000001`, several to a line.
  fileprivate var registers: [RegisterValue] {
    var registers: [RegisterValue] = []
    var name: Substring?
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let register = name, word.hasPrefix("0x"),
        let value = UInt64(word.dropFirst(2), radix: 16)
      {
        registers.append(RegisterValue(name: String(register), value: value))
        if registers.count == Report.registerLimit { break }
      }
      name = Self.name(word)
    }
    return registers
  }

  /// `x0` for `x0:`; nil for any other word, such as `(64-bit):` and `Code:`.
  private static func name(_ word: Substring) -> Substring? {
    guard word.last == ":", word.utf8.count <= 9 else { return nil }
    let name = word.dropLast()
    let isName = name.utf8.allSatisfy { byte in
      Ascii.isLowercase(byte) || Ascii.isDigit(byte)
    }
    return isName && !name.isEmpty ? name : nil
  }
}
