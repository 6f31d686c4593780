import JsonReading
import ReportModel
import SampledReports
import SymbolicationModel

/// A piece of the tree that `sample` prints, without `Call graph:` above it, and often without the
/// heading of the thread: people paste where it hangs. Some move it to the left.
struct SamplePieceWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard let (line, piece) = Self.first(in: source, source.textStart..<source.count) else {
      return nil
    }
    var heading = "Call graph:\n"
    if !piece.isHeading { heading += "    \(piece.count) Thread_<unknown>\n" }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count + heading.utf8.count)
    text.copy(source.textStart..<line.start)
    text.put(heading.utf8, for: line.start..<line.start)
    var next = line.start
    if piece.isAtLineStart {
      while next < source.count {
        let line = source.line(at: next)
        guard source.isBlank(line) || source.isOfSamplePiece(line) else { break }
        // No more: the text may become twice as long at most.
        text.put([Ascii.space, Ascii.space], for: next..<next)
        text.copy(next..<line.next)
        next = line.next
      }
    }
    text.copy(next..<source.count)
    return text
  }

  /// Whether such a piece begins in a part of a text.
  static func isIn(_ source: TextSource, _ range: Range<Int>) -> Bool {
    first(in: source, range) != nil
  }

  private static func first(
    in source: TextSource, _ range: Range<Int>
  ) -> (line: TextLine, piece: SamplePieceStart)? {
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      guard let piece = source.samplePiece(beginningAt: line) else { continue }
      // Of lines that were joined, no tree is left.
      return hasJoinedLines(source, from: line) ? nil : (line, piece)
    }
    return nil
  }

  private static func hasJoinedLines(_ source: TextSource, from first: TextLine) -> Bool {
    var line = first
    while source.isOfSamplePiece(line) {
      if source.hasTwoSampleFrames(line) { return true }
      guard line.next < source.count else { break }
      line = source.line(at: line.next)
    }
    return false
  }
}
