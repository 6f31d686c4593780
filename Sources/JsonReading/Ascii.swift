/// The ASCII characters that have a meaning in report formats and in JSON.
package enum Ascii {
  @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }
  @inlinable package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
  @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
  @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
  @inlinable package static var ampersand: UInt8 { UInt8(ascii: "&") }
  @inlinable package static var openParenthesis: UInt8 { UInt8(ascii: "(") }
  @inlinable package static var closeParenthesis: UInt8 { UInt8(ascii: ")") }
  @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
  @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
  @inlinable package static var slash: UInt8 { UInt8(ascii: "/") }
  @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
  @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
  @inlinable package static var less: UInt8 { UInt8(ascii: "<") }
  @inlinable package static var greater: UInt8 { UInt8(ascii: ">") }
  @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
  @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
  @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
  @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }
  @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
  @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
  @inlinable package static var x: UInt8 { UInt8(ascii: "x") }

  @inlinable @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= UInt8(ascii: "9") }

  /// White space between the values of JSON.
  @inlinable package static func isJsonSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
  }

  @inlinable package static func isUppercase(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  @inlinable package static func isLowercase(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  @inlinable package static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || isUppercase(byte) || isLowercase(byte)
  }

  /// A visible character that is neither a letter nor a digit.
  @inlinable package static func isPunctuation(_ byte: UInt8) -> Bool {
    byte > space && byte < 0x7F && !isWord(byte)
  }
}
