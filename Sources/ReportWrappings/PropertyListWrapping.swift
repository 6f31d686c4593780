import JsonReading
import ReportModel
import SymbolicationModel

/// A report of KSCrash as Foundation describes a dictionary, such as a log has it: a property list
/// in the old style. The text is the same as JSON.
///
/// ```text
/// crash =     {
///     diagnosis = "Attempted to dereference null pointer.";
///     threads =         (
///                 {
///             crashed = 1;
/// ```
///
/// Source: Apple, "Old-Style ASCII Property Lists"; github.com/kstenerud/KSCrash, README.
struct PropertyListWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes, isTranslation: true)
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let start = Self.memberStart(source, line) else { continue }
      var translation = PropertyListTranslation(source, start)
      translation.translate(into: &text)
      text.put(Ascii.lineFeed, for: translation.end..<translation.end)
      next = max(next, translation.end)
    }
    return text.text.isEmpty ? nil : text
  }

  /// Where the first of the members begins that a report of KSCrash has: `crash =     {`.
  private static func memberStart(_ source: TextSource, _ line: TextLine) -> Int? {
    let range = source.trimmed(line.start..<line.end)
    guard let last = range.last,
      source[last] == Ascii.openBrace || source[last] == UInt8(ascii: "(")
    else { return nil }
    let isKnown = keys.contains { key in
      guard source.has(key, at: range.lowerBound, limit: range.upperBound) else { return false }
      let equals = source.skipSeparators(
        from: range.lowerBound + key.utf8.count, limit: range.upperBound)
      return source[equals] == UInt8(ascii: "=")
        && source.skipSeparators(from: equals + 1, limit: range.upperBound) == last
    }
    return isKnown ? range.lowerBound : nil
  }

  private static let keys = [
    "\"binary_images\"", "crash", "report", "system", "\"recrash_report\"",
  ]
}

/// Members of a dictionary, written as an object of JSON.
private struct PropertyListTranslation {
  private let source: TextSource
  private let start: Int
  /// Where the dictionary ends, or where the text goes on with something else.
  private(set) var end: Int
  /// Whether each open container is a list, and how many entries it has.
  private var open: [(isList: Bool, count: Int)] = [(false, 0)]

  init(_ source: TextSource, _ start: Int) {
    self.source = source
    self.start = start
    end = start
  }

  /// Translates up to the end of the dictionary. If it is cut, the text of JSON is, too.
  mutating func translate(into text: inout UnwrappedText) {
    text.put(Ascii.openBrace, for: start..<start)
    while let level = open.last, let byte = nextByte() {
      switch byte {
      case UInt8(ascii: "}"), UInt8(ascii: ")"):
        guard level.isList == (byte == UInt8(ascii: ")")) else { return }
        open.removeLast()
        text.put(level.isList ? Ascii.closeBracket : Ascii.closeBrace, for: end..<end + 1)
        end += 1
        if open.isEmpty { return }
      case UInt8(ascii: ";"), Ascii.comma:
        end += 1
      default:
        if level.count > 0 { text.put(Ascii.comma, for: end..<end) }
        open[open.count - 1].count += 1
        var key = ""
        if !level.isList {
          guard let name = word() else { return }
          key = source.string(name)
          put(name, as: .key, into: &text)
          guard nextByte() == UInt8(ascii: "=") else { return }
          text.put(Ascii.colon, for: end..<end + 1)
          end += 1
        }
        guard putValue(of: key, into: &text) else { return }
      }
    }
  }

  private mutating func nextByte() -> UInt8? {
    while end < source.count, source[end] <= Ascii.space { end += 1 }
    return end < source.count ? source[end] : nil
  }

  /// - Returns: whether there is one.
  private mutating func putValue(of key: String, into text: inout UnwrappedText) -> Bool {
    guard let byte = nextByte() else { return false }
    if byte == Ascii.openBrace || byte == UInt8(ascii: "(") {
      let isList = byte != Ascii.openBrace
      // No report is as deep.
      guard open.count < 64 else { return false }
      open.append((isList, 0))
      text.put(isList ? Ascii.openBracket : Ascii.openBrace, for: end..<end + 1)
      end += 1
      return true
    }
    guard let value = word() else { return false }
    put(value, as: Self.conditions.contains(key) ? .condition : .value, into: &text)
    return true
  }

  /// Foundation describes true as 1.
  private static let conditions: Set = ["crashed", "\"current_thread\"", "\"proc_translated\""]

  /// The word at `end`, with its quotes, which is passed over.
  private mutating func word() -> Range<Int>? {
    let first = end
    if source[first] == Ascii.quote {
      end += 1
      while end < source.count, source[end] != Ascii.quote {
        end += source[end] == Ascii.backslash ? 2 : 1
      }
      end = min(end + 1, source.count)
      return first..<end
    }
    if source[first] == Ascii.less {
      while end < source.count, source[end] != Ascii.greater { end += 1 }
      end = min(end + 1, source.count)
      return first..<end
    }
    while end < source.count,
      Ascii.isWord(source[end]) || "$/:.-+".utf8.contains(source[end])
    {
      end += 1
    }
    return end > first ? first..<end : nil
  }

  private enum Use { case key, value, condition }

  private func put(_ word: Range<Int>, as use: Use, into text: inout UnwrappedText) {
    let bytes = source.bytes[word]
    if use == .condition, bytes.elementsEqual("1".utf8) || bytes.elementsEqual("0".utf8) {
      text.put((bytes.first == UInt8(ascii: "1") ? "true" : "false").utf8, for: word)
    } else if use != .key, isNumber(word) {
      text.copy(word)
    } else if bytes.first == Ascii.quote {
      text.put(Self.string(bytes), for: word)
    } else {
      text.put([Ascii.quote] + bytes + [Ascii.quote], for: word)
    }
  }

  /// Whether it is a number of JSON: without a leading zero.
  private func isNumber(_ word: Range<Int>) -> Bool {
    let digits = source.bytes[word].first == Ascii.minus ? word.dropFirst() : word[...]
    guard let first = digits.first, digits.count < 24,
      source[first] != Ascii.zero || digits.count == 1
    else { return false }
    return source.bytes[first..<word.upperBound].allSatisfy(Ascii.isDigit)
  }

  /// A text with the escapes of JSON: `\U00e9` becomes `\u00e9`, and `\303` the byte's number.
  private static func string(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var next = bytes.startIndex
    while next < bytes.endIndex {
      let byte = bytes[next]
      next += 1
      guard byte == Ascii.backslash, next < bytes.endIndex else {
        result += byte < Ascii.space ? Array("\\n".utf8) : [byte]
        continue
      }
      let escaped = bytes[next]
      next += 1
      switch escaped {
      case UInt8(ascii: "U"): result += "\\u".utf8
      case Ascii.quote, Ascii.backslash, UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"):
        result += [Ascii.backslash, escaped]
      case UInt8(ascii: "0")...UInt8(ascii: "3"):
        let digits = bytes[(next - 1)..<min(next + 2, bytes.endIndex)]
        guard digits.count == 3,
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
        else {
          result.append(escaped)
          continue
        }
        next += 2
        let hexadecimal = String(value, radix: 16)
        result += "\\u00\(value < 16 ? "0" : "")\(hexadecimal)".utf8
      default: result.append(escaped)
      }
    }
    return result
  }
}
