/// Which lines of source files are wanted around those of frames, and where from.
package struct SourceContext: Hashable, Sendable {
  package static let maximumLineCount = 1000

  /// How many lines before a frame's line, and as many behind it.
  package let lineCount: Int
  /// The folders that sources may lie in, links followed; empty: they may lie anywhere. Relative
  /// paths start from each of them in turn, without any from the working directory.
  ///
  /// Paths come from symbol files, and those may come from strangers, who may name any file of this
  /// machine.
  package let roots: [String]

  /// - Parameter lineCount: 0 for the frame's line alone. Nil for less, and for more than
  ///   ``maximumLineCount``.
  package init?(lineCount: Int, roots: [String] = []) {
    guard (0...Self.maximumLineCount).contains(lineCount) else { return nil }
    self.lineCount = lineCount
    self.roots = roots
  }
}
