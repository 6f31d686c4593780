import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Frames whose numbers somebody marked who explains a stack, mostly without their addresses:
// `Frame 3  Board  Page.load()`, `#3 Board Page.load()`, `[3] Board  Page.load()`.

extension TraceGrammar {
  /// Behind the word.
  static let number = " {?#?}{index}{?:?} {image:w} "
}

extension TextSource {
  /// Whether the number of a frame has such a mark.
  func isMarkedFrame(_ frame: LineMatch) -> Bool {
    guard let index = frame[.index], index.lowerBound > textStart else { return false }
    let mark = index.lowerBound - 1
    if "#[".utf8.contains(self[mark]) { return true }
    return ["Frame ", "frame "].contains { has($0, at: mark - 5, limit: index.lowerBound) }
  }

  /// Whether such a frame is the first of several, and no sentence or list of something else.
  func beginsMarkedFrames(_ frame: LineMatch) -> Bool {
    guard isMarkedFrame(frame), let index = frame.integer(.index, self), index < 2,
      let image = frame[.image], hasShape(frame, isFirst: true)
    else { return false }
    let next = line(at: line(at: image.upperBound).next)
    let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
    return below.map { frame in
      isMarkedFrame(frame) && frame.integer(.index, self) == index + 1
        && hasShape(frame, isFirst: false)
    } ?? false
  }

  /// Whether the image is the system's, or the function has the distance from its start, or there
  /// are columns. Without the word, lists may have these.
  private func hasShape(_ frame: LineMatch, isFirst: Bool) -> Bool {
    guard let index = frame[.index], let image = frame[.image], let content = frame[.content] else {
      return false
    }
    if isSystemImage(image.lowerBound, image.upperBound) { return true }
    let isInColumns =
      image.lowerBound - index.upperBound > 2 || content.lowerBound - image.upperBound > 1
    let isNamed = FrameContentReader(source: self, range: content).read().traceSymbol?.offset != nil
    return isNamed || isInColumns && (!isFirst || self[index.lowerBound - 1] == Ascii.space)
  }
}
