/// Output for a terminal without the sequences that this program writes: styles and links.
public enum PaintedText {
  /// The text without them. Any other sequence stays.
  public static func plain(_ bytes: [UInt8]) -> [UInt8] {
    Array(plain(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  public static func plain(_ text: String) -> String {
    // Four styles, what ends them, and links to files: nothing else is written.
    let styles = [
      "\u{1b}[1m", "\u{1b}[1;31m", "\u{1b}[1;35m", "\u{1b}[35m", "\u{1b}[2m", "\u{1b}[m",
    ]
    var plain = text
    for style in styles { plain = plain.replacing(style, with: "") }
    return plain.replacing(/\u{1b}\]8;;(file:\/\/[A-Za-z0-9%\/._~-]*)?\u{1b}\\/, with: "")
  }

  /// The parts with a style: its parameters, and the text.
  public static func parts(_ bytes: [UInt8]) -> [(style: String, text: String)] {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.matches(of: /\u{1b}\[([0-9;]+)m([^\u{1b}]*)\u{1b}\[m/).map {
      (String($0.output.1), String($0.output.2))
    }
  }

  /// The addresses of the links, and their texts.
  public static func links(_ bytes: [UInt8]) -> [(address: String, text: String)] {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.matches(
      of: /\u{1b}\]8;;([^\u{1b}]+)\u{1b}\\(.*?)\u{1b}\]8;;\u{1b}\\/
    ).map { (String($0.output.1), plain(String($0.output.2))) }
  }
}
