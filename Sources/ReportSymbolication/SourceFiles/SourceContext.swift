/// How many source lines to show around the line of a frame, and which files may be read for that.
package struct SourceContext: Hashable, Sendable {
  package static let maximumLineCount = 1000

  /// The number of lines before a frame's line, and of lines after it.
  package let lineCount: Int
  /// The folders that source files must be in, after following links; if empty, they may be
  /// anywhere. A relative path is tried in each of these folders, or, if there are none, in the
  /// working directory.
  ///
  /// The paths are in the symbol files. Those may come from strangers, who can name any file of
  /// this machine.
  package let roots: [String]

  /// Nil if `lineCount` is negative, or above ``maximumLineCount``. 0 is the frame's line alone.
  package init?(lineCount: Int, roots: [String] = []) {
    guard (0...Self.maximumLineCount).contains(lineCount) else { return nil }
    self.lineCount = lineCount
    self.roots = roots
  }
}
