import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// The frames of the app's own code, as HockeyApp writes them into the issues that it opens:
///
/// ```text
/// ### Version: 2.1 (130) | com.example.board ###
///
/// ### Stacktrace ###
///
/// <pre>BoardController;tableView:didSelectRowAtIndexPath:;BoardController.m;239
/// -;main;main.m;16</pre>
/// ```
///
/// A class is `-` for a function, and nothing says whether a method is one of the class. Of each
/// program the outermost is `main`, which says nothing about the crash.
///
/// Source: issues of that form, such as github.com/Provenance-Emu/Provenance, issue 1090.
struct HockeyFrames {
  private(set) var frames: [StackFrame] = []
  private(set) var range: Range<Int>?
  private(set) var version: String?
  private(set) var bundleIdentifier: String?
  /// In how many lines the first frame may still come.
  private var remainingLines = 0
  private var isOpen = false

  /// - Returns: whether the line is a frame.
  mutating func take(_ line: TextLine, _ source: TextSource) -> Bool {
    guard line.end - line.start < 512 else {
      isOpen = false
      return false
    }
    let text = source.trimmed(line.start..<line.end)
    if frames.isEmpty, takeHead(text, source) { return false }
    guard isOpen || remainingLines > 0 else { return false }
    remainingLines -= 1
    guard let frame = frame(text, source) else {
      if !text.isEmpty || remainingLines <= 0 { isOpen = false }
      return false
    }
    isOpen = true
    range = (range?.lowerBound ?? text.lowerBound)..<text.upperBound
    if let frame, frames.count < Self.limit { frames.append(frame) }
    return true
  }

  /// A page shows the innermost ones.
  private static let limit = 64

  private mutating func takeHead(_ text: Range<Int>, _ source: TextSource) -> Bool {
    func find(_ words: String) -> Int? {
      source.find(words, from: text.lowerBound, limit: text.upperBound)
    }
    // `### Stacktrace (first of multiple) ###`
    if text.count < 48, find("Stacktrace") != nil {
      remainingLines = 3
      return true
    }
    guard find("Version: ") != nil, let match = Self.version.match(source, text) else {
      return false
    }
    version = match.text(.version, source)
    bundleIdentifier = match.text(.process, source)
    return true
  }

  private static let version = LinePattern(
    "{?{skip:w} ?}Version: {version} | {process:w}{? {skip:w}?}")

  /// A frame, or nil in it for one that only starts the program; nil for another line.
  private func frame(_ text: Range<Int>, _ source: TextSource) -> StackFrame?? {
    var (start, end) = (text.lowerBound, text.upperBound)
    for tag in ["<pre>", "```"] where source.has(tag, at: start, limit: end) {
      start += tag.utf8.count
    }
    if end - start > 6, source.has("</pre>", at: end - 6, limit: end) { end -= 6 }
    let parts = source.bytes[start..<end].split(
      separator: UInt8(ascii: ";"), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty, !parts[1].isEmpty,
      parts[3].allSatisfy(Ascii.isDigit),
      !parts.contains(where: { $0.contains(Ascii.space) })
    else { return nil }
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    if words[0] == "-", ["main", "start"].contains(words[1]) { return .some(nil) }
    var values = FrameValues(byteRange: start..<end)
    let isSwift = words[2].hasSuffix(".swift")
    let name =
      words[0] == "-"
      ? words[1] : isSwift ? "\(words[0]).\(words[1])" : "-[\(words[0]) \(words[1])]"
    values.index = frames.count
    values.symbol = FrameSymbol(
      name: name, file: words[2].isEmpty ? nil : words[2],
      line: words[2].isEmpty ? nil : Int(words[3]))
    return StackFrame(address: nil, carrier: .values(values))
  }
}
