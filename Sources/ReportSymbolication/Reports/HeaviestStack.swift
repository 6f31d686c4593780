import CrashLogParser

extension SymbolicatedBacktrace {
  /// The heaviest stack of a call tree, outermost frame first: from the root with the most samples
  /// to a leaf, each time to the callee with the most samples. Of several, the first.
  package func heaviestStack(_ options: SymbolicationOptions) -> [ShownFrame] {
    let path = Set(Self.heaviestPath(frames.map { ($0.source.depth, $0.source.sampleCount) }))
    var shown: [ShownFrame] = []
    forEachShownFrame(options, among: path) { shown.append($0) }
    return shown
  }

  /// The indices of the frames of that stack, ascending.
  ///
  /// - Parameter frames: the depth and the count of each frame, in the order of the tree. A frame
  ///   that is deeper than its caller by more than one counts as called by the frame before it.
  /// - Complexity: O(n), whatever the shape of the tree.
  static func heaviestPath(_ frames: [(depth: Int?, count: Int?)]) -> [Int] {
    /// The heaviest callee of each frame so far.
    var heaviest: [Int?] = Array(repeating: nil, count: frames.count)
    var heaviestRoot: Int?
    /// The callers of the frame that is looked at, outermost first.
    var callers: [Int] = []
    for (index, frame) in frames.enumerated() {
      callers.removeLast(max(0, callers.count - max(0, frame.depth ?? 0)))
      let rival = callers.last.map { heaviest[$0] } ?? heaviestRoot
      let isHeavier = rival.map { (frame.count ?? 0) > (frames[$0].count ?? 0) } ?? true
      if isHeavier, let caller = callers.last {
        heaviest[caller] = index
      } else if isHeavier {
        heaviestRoot = index
      }
      callers.append(index)
    }
    var path: [Int] = []
    var next = heaviestRoot
    while let index = next {
      path.append(index)
      next = heaviest[index]
    }
    return path
  }
}
