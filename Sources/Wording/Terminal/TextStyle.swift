/// How a part of a text looks on a terminal.
///
/// Only red and magenta, bold and dim are used. Of the standard colours, these two have the best
/// contrast with white and with black at once: 3.4 and 3.5, the medians of nine terminals'
/// palettes, on the worse of the two backgrounds. (Green has 3.1, cyan 2.9, yellow 2.6, blue 2.2.)
package enum TextStyle: Hashable, Sendable, CaseIterable {
  /// As the terminal shows text.
  case plain
  /// What stands out: the app's own functions, headings.
  case strong
  /// What went wrong: why it crashed, the crashed thread, what is missing.
  case alarm
  /// A warning.
  case caution
  /// A place in a source file.
  case place
  /// What few look for: frames of the operating system.
  case faint

  /// The parameters of the control sequence Select Graphic Rendition (ECMA-48, 8.3.117); nil for
  /// plain text.
  var parameters: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .alarm: "1;31"
    case .caution: "1;35"
    case .place: "35"
    case .faint: "2"
    }
  }

  /// The sequence that switches to the style; empty for plain text.
  package var start: String { parameters.map { "\u{1b}[\($0)m" } ?? "" }
  /// The sequence that ends it.
  package var end: String { self == .plain ? "" : "\u{1b}[m" }
}
