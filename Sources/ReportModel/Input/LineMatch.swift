import JsonReading
import SymbolicationModel

/// What a line says, by the names of its parts.
package struct LineMatch {
  /// In the order of the line. A pattern has few.
  private var fields: [(field: LineField, kind: LineField.Kind, range: ByteSpan)] = []
  /// The part that an answer replaces; nil if the pattern has none.
  package private(set) var content: Range<Int>?

  /// The last range, if a pattern has a field twice.
  package subscript(field: LineField) -> Range<Int>? {
    fields.last { $0.field == field }?.range.range
  }

  mutating func set(
    _ field: LineField, _ kind: LineField.Kind, _ range: Range<Int>
  ) {
    fields.append((field, kind, ByteSpan(range.lowerBound, range.upperBound)))
  }

  /// Whether a pattern has a field as a decimal number.
  package func isDecimal(_ field: LineField) -> Bool {
    fields.last { $0.field == field }?.kind == .decimal
  }

  /// What was found so far: how many fields, and the content.
  var state: (count: Int, content: Range<Int>?) { (fields.count, content) }

  mutating func goBack(to state: (count: Int, content: Range<Int>?)) {
    fields.removeLast(fields.count - state.count)
    content = state.content
  }

  mutating func addMark(_ position: Int) {
    content = (content?.lowerBound ?? position)..<position
  }

  package func text(_ field: LineField, _ source: TextSource) -> String? {
    self[field].map { source.string($0) }
  }

  /// A number, decimal or behind `0x`; or the digits of a hexadecimal one.
  package func number(_ field: LineField, _ source: TextSource) -> UInt64? {
    guard let range = self[field] else { return nil }
    if let (value, end) = source.hexadecimal(at: range.lowerBound, limit: range.upperBound),
      end == range.upperBound
    {
      return value
    }
    let isHexadecimal =
      (field.kind == .address || field.kind == .hexadecimal) && !isDecimal(field)
    let digits =
      isHexadecimal
      ? source.hexadecimalDigits(at: range.lowerBound, limit: range.upperBound)
      : source.number(at: range.lowerBound, limit: range.upperBound)
    return digits.flatMap { $0.end == range.upperBound ? $0.value : nil }
  }

  package func integer(_ field: LineField, _ source: TextSource) -> Int? {
    number(field, source).flatMap { Int(exactly: $0) }
  }
}

/// The parts of lines in traces.
package enum LineField: String, Sendable, BitwiseCopyable {
  // Of a frame.
  case index, address, image, symbol, offset, file, line, column, build
  /// The distance from the start of the image.
  case place
  /// The address in the image's file.
  case virtual
  /// What a frame of Apple's text has behind the address.
  case content
  // Of a thread, an exception, a process.
  case thread, threadName, queue, exception, reason, stop, signal, code, fault
  case process, pid, path, system, systemVersion, systemBuild, model, architecture, message, date
  case version, base, end
  /// Of the end of a process.
  case namespace, test
  /// What Android says about a fault.
  case cause
  /// Where a debugger stopped.
  case instruction
  /// The letter before a frame that says what kind of code it is.
  case kind
  case skip

  package enum Kind: String, Sendable, BitwiseCopyable {
    case decimal = "d"
    /// With or without `0x`.
    case hexadecimal = "h"
    /// `0x` and digits, or 18 zeros.
    case address = "x"
    /// Text with no separator in it.
    case word = "w"
    /// A word that ends as names of exceptions in .NET do.
    case exceptionName = "n"
    /// A word with a package that ends as names of errors in Kotlin do.
    case throwable = "k"
    /// Text in which brackets are in pairs.
    case balanced = "b"
    case text = "t"

    var isText: Bool {
      switch self {
      case .text, .word, .exceptionName, .throwable, .balanced: true
      case .decimal, .hexadecimal, .address: false
      }
    }

    /// Whether a whole text may be of this kind.
    func fits(_ source: TextSource, _ start: Int, _ end: Int) -> Bool {
      guard self == .throwable else {
        return self != .exceptionName || source.has("Exception", at: end - 9, limit: end)
      }
      return end - start < 256
        && (source.has("Error", at: end - 5, limit: end)
          || source.has("Exception", at: end - 9, limit: end))
        && source.bytes[start..<end].contains(UInt8(ascii: "."))
    }

    /// Where a number ends that begins at an offset.
    func end(in source: TextSource, _ start: Int, _ limit: Int) -> Int? {
      switch self {
      case .decimal: return source.decimal(at: start, limit: limit)?.end
      case .hexadecimal:
        if let end = source.hexadecimal(at: start, limit: limit)?.end { return end }
        var end = start
        while end < limit, hexadecimalDigitValue(source[end]) != nil { end += 1 }
        return end > start ? end : nil
      case .address:
        if let end = source.hexadecimal(at: start, limit: limit)?.end { return end }
        let zeros = start + 18
        return zeros <= limit && source.bytes[start..<zeros].allSatisfy({ $0 == Ascii.zero })
          ? zeros : nil
      case .word, .exceptionName, .throwable, .balanced, .text: return nil
      }
    }
  }

  var kind: Kind {
    switch self {
    case .index, .offset, .line, .column, .thread, .pid: .decimal
    case .address, .place, .fault: .address
    case .virtual, .build, .base, .end: .hexadecimal
    default: .text
    }
  }
}
