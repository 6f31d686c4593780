/// The whole answer for one address, from one origin.
public struct ResolvedAddress: Hashable, Sendable {
  /// The calls inlined into `function` at the address, innermost first.
  public let inlinedFrames: [ResolvedFrame]
  /// The function that holds the address and was not inlined: the outermost frame.
  public let function: ResolvedFrame
  /// The part of the symbol file that the whole answer comes from.
  public let origin: AnswerOrigin

  /// - Parameter inlinedFrames: the frames inlined into `function`, innermost first.
  public init(inlinedFrames: [ResolvedFrame], function: ResolvedFrame, origin: AnswerOrigin) {
    self.inlinedFrames = inlinedFrames
    self.function = function
    self.origin = origin
  }

  /// All frames, innermost first; `function` is the last.
  public var frames: [ResolvedFrame] { inlinedFrames + [function] }
}
