/// The colours of the cells of a backtrace on a terminal. The values are parameters of the control
/// sequence that turns the colour on (ECMA-48, SGR); 39 turns it off.
///
/// Source: github.com/swiftlang/swift, stdlib/public/libexec/swift-backtrace/Themes.swift.
enum SwiftColour: Int {
  case index = 90
  case attribute = 34
  case address = 32
  case function = 96
  case offset = 37
  case image = 36
  case location = 33

  package static let end = "\u{1b}[39m"

  package var start: String { "\u{1b}[\(rawValue)m" }

  func paint(_ text: String) -> String { start + text + Self.end }
}

extension SwiftFrameText {
  /// ``content`` in colours.
  var colouredContent: String {
    let distance = offset == 0 ? "" : SwiftColour.offset.paint(" + \(offset)")
    let place = colouredLocation ?? ""
    return SwiftColour.function.paint(name) + distance + " in "
      + SwiftColour.image.paint(imageName) + place
  }

  /// ``shownLocation`` in colours.
  var colouredLocation: String? {
    shownLocation.map { " at " + SwiftColour.location.paint(String($0.dropFirst(4))) }
  }
}
