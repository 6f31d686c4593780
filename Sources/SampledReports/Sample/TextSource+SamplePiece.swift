import JsonReading
package import ReportModel

/// What a piece of the tree of a sample begins with.
package struct SamplePieceStart {
  /// How often its first line was sampled.
  package let count: Int
  /// Whether the line is the heading of a thread, and no frame.
  package let isHeading: Bool
  /// Whether nothing is before the count.
  package let isAtLineStart: Bool
}

extension TextSource {
  /// What a piece of the tree of a sample begins with, if one begins with this line: the heading of
  /// a thread, or a frame that calls the one below it, both with their images.
  ///
  /// ```text
  ///     +         2659 -[Store wait]  (in Kit) + 40  [0x7fff672da35e]
  ///     +           2659 semaphore_wait_trap  (in libsystem_kernel.dylib) + 10  [0x7fff90dabae5]
  /// ```
  ///
  /// Nil where one goes on that began above.
  package func samplePiece(beginningAt line: TextLine) -> SamplePieceStart? {
    guard let node = sampleNode(line, mayBeginLine: true), let count = node.count, count > 0,
      line.next < self.count
    else { return nil }
    let below = self.line(at: line.next)
    guard let callee = sampleNode(below), let calleeCount = callee.count, calleeCount > 0,
      calleeCount <= count, callee.column > node.column
    else { return nil }
    let isHeading = sampleThread(node, line) != nil
    guard isHeading ? sampleFrame(callee.content) != nil : isWhole(node) && isWhole(callee) else {
      return nil
    }
    return SamplePieceStart(
      count: count, isHeading: isHeading, isAtLineStart: node.column == 0)
  }

  /// Whether a line may belong to a piece of a sample.
  package func isOfSamplePiece(_ line: TextLine) -> Bool {
    sampleNode(line, mayBeginLine: true) != nil
  }

  /// Whether a line has two frames: who made one line of several took the tree away.
  package func hasTwoSampleFrames(_ line: TextLine) -> Bool {
    guard let first = find(" (in ", from: line.start, limit: line.end) else { return false }
    return find(" (in ", from: first + 5, limit: line.end) != nil
  }

  /// Whether a line is a frame with its image and a place in it.
  private func isWhole(_ node: SampleNode) -> Bool {
    guard let frame = sampleFrame(node.content), frame.imageName != nil else { return false }
    return frame.address != nil || frame.symbol?.offset != nil || frame.symbol?.line != nil
      || frame.imageRelativeAddress != nil
  }
}
