import FileSystem
import SymbolicationModel
import Wording

/// Spells text from reports and symbol files in HTML.
///
/// The five characters of HTML's syntax are escaped everywhere. What a browser does not show, or
/// what shows other text in another place, is named: `U+202E` for an override of the direction of
/// text. So nobody is misled by what a report holds, and no character is one that HTML forbids.
enum HtmlText {
  enum Context {
    /// Between tags. Names of characters are marked.
    case content
    /// Between tags, and the browser may break the line after separators.
    case breakableContent
    /// In an attribute, or in `title`.
    case plain
  }

  static func append(_ text: String, to bytes: inout [UInt8], _ context: Context) {
    if context == .breakableContent {
      let isLong = text.utf8.count > shortName
      guard !isLong else { return appendScalars(of: text, to: &bytes, context) }
      return append(text, to: &bytes, .content)
    }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    // Most texts need nothing.
    guard bytes[start...].contains(where: needsLook) else { return }
    bytes.removeLast(bytes.count - start)
    appendScalars(of: text, to: &bytes, context)
  }

  /// Names up to this length, in bytes, fit into a line of a phone.
  private static let shortName = 24

  private static func needsLook(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7f..., UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\""), UInt8(ascii: "'"):
      true
    default: false
    }
  }

  private static func appendScalars(
    of text: String, to bytes: inout [UInt8], _ context: Context
  ) {
    var breaks = BreakFinder(isOn: context == .breakableContent)
    var scalars = text.unicodeScalars.makeIterator()
    var following = scalars.next()
    while let scalar = following {
      following = scalars.next()
      if breaks.isBreak(before: scalar) { bytes.append(contentsOf: "<wbr>".utf8) }
      guard isNamed(scalar) else {
        append(scalar, to: &bytes)
        continue
      }
      var count = 1
      while following == scalar {
        count += 1
        following = scalars.next()
      }
      appendName(of: scalar, count, to: &bytes, isMarked: context != .plain)
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "&": bytes.append(contentsOf: "&amp;".utf8)
    case "<": bytes.append(contentsOf: "&lt;".utf8)
    case ">": bytes.append(contentsOf: "&gt;".utf8)
    case "\"": bytes.append(contentsOf: "&quot;".utf8)
    case "'": bytes.append(contentsOf: "&#39;".utf8)
    default: bytes.append(contentsOf: scalar.utf8)
    }
  }

  // MARK: Characters that are named

  /// Whether the character is shown by its name: controls (a terminal's escape among them), the
  /// characters that change the direction of text or have no width, ends of lines, those that
  /// Unicode keeps for programs or for invisible characters to come (U+2065), and those that stand
  /// for a byte of a path that is not UTF-8.
  static func isNamed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7f { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    case .unassigned:
      return scalar.properties.isNoncharacterCodePoint
        || scalar.properties.isDefaultIgnorableCodePoint
    case .privateUse: return PathByte.byte(of: scalar) != nil
    // Fillers have no width. Variation selectors do not either, but they belong to many emoji.
    case .otherLetter: return scalar.properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  /// `U+202E`, `\xff` for a byte of a path, and `U+0000 × 12` for characters that repeat.
  private static func appendName(
    of scalar: Unicode.Scalar, _ count: Int, to bytes: inout [UInt8], isMarked: Bool
  ) {
    if isMarked { bytes.append(contentsOf: "<span class=\"ch\">".utf8) }
    if let byte = PathByte.byte(of: scalar) {
      bytes.append(contentsOf: "\\x".utf8)
      bytes.append(hexadecimal: UInt64(byte), digitCount: 2)
    } else {
      bytes.append(contentsOf: "U+".utf8)
      let digits = String(scalar.value, radix: 16, uppercase: true)
      bytes.append(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count)))
      bytes.append(contentsOf: digits.utf8)
    }
    if count > 1 {
      bytes.append(contentsOf: " × ".utf8)
      bytes.append(decimal: count)
    }
    if isMarked { bytes.append(contentsOf: "</span>".utf8) }
  }
}

/// Finds where a long name may be broken: after `::`, and after `.`, `,`, `(`, `<`, `/`, `_` and
/// `$`, unless another separator follows.
private struct BreakFinder {
  let isOn: Bool
  private var isAfterSeparator = false
  private var isAfterColon = false

  init(isOn: Bool) { self.isOn = isOn }

  mutating func isBreak(before scalar: Unicode.Scalar) -> Bool {
    guard isOn else { return false }
    let isSeparator: Bool
    switch scalar {
    case ".", ",", "(", "<", "/", "_", "$": isSeparator = true
    case ":": isSeparator = isAfterColon
    default: isSeparator = false
    }
    let isPart = isSeparator || scalar == ":" || scalar == ")" || scalar == ">" || scalar == " "
    let isBreak = isAfterSeparator && !isPart
    isAfterSeparator = isSeparator
    isAfterColon = scalar == ":"
    return isBreak
  }
}
