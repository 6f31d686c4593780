import AddressResolver
package import SymbolicationModel

/// How much long names, long paths and inlined calls may take in all answers of an input together.
///
/// A symbol file has a name once, and each frame of a report shows it. So a name of a megabyte, or
/// two thousand inlined calls at one address, would make gigabytes of a small report. What ordinary
/// code has counts for little or nothing. Once the allowance is used up, the frames that follow get
/// short answers.
package struct AnswerAllowance {
  /// What all answers may take, in bytes.
  let size: UInt64
  private var rest: UInt64
  /// How many frames got a short answer.
  private(set) var shortenedCount = 0
  /// Whether the answers that follow should be short when they are made: a long one takes time.
  package var isUsedUp: Bool { shortenedCount >= 16 }
  /// The last short answer. Frames at one address share an answer, and come one after the other.
  private var last: (whole: FrameAnswer, short: FrameAnswer)?

  package init(_ limits: ResourceLimits, frameCount: Int) {
    size = limits.answerSize(ofFrames: frameCount)
    rest = size
  }

  /// The answer, or a short one in its place.
  ///
  /// - Parameter isShortened: whether it was made short.
  package mutating func charged(_ answer: FrameAnswer, isShortened: Bool) -> FrameAnswer {
    if isShortened { shortenedCount += 1 }
    let weight = answer.weight
    if weight <= rest {
      rest -= weight
      return answer
    }
    shortenedCount += 1
    if let last, last.whole === answer { return last.short }
    let short = answer.shortened
    last = (answer, short)
    return short
  }
}

extension FrameAnswer {
  /// Bytes of a name or a path that count for nothing: the limit on frames is enough for them.
  fileprivate static let ordinaryLength = 256
  /// What an inlined call takes in memory besides a long name, with all that is made of it, in
  /// bytes.
  private static let callSize: UInt64 = 1024

  /// What the answer takes besides what an ordinary one does, in bytes.
  fileprivate var weight: UInt64 {
    var weight = Self.weight(of: function)
    for call in inlined { weight += Self.weight(of: call) + Self.callSize }
    return weight
  }

  private static func weight(of text: FrameText) -> UInt64 {
    func excess(_ text: String?) -> UInt64 {
      UInt64(max(0, (text?.utf8.count ?? 0) - ordinaryLength))
    }
    return excess(text.name) + excess(text.rawName) + excess(text.location?.path)
  }

  /// The answer without inlined calls and long paths, and with the start of a long name.
  fileprivate var shortened: FrameAnswer {
    with(function: function.shortened, inlined: [])
  }
}

extension FrameAnswer.FrameText {
  /// The same without a long path, and with the start of a long name.
  fileprivate var shortened: Self {
    let hasLongPath = location.map { $0.path.isLong } ?? false
    return Self(
      name: name.shortened, rawName: rawName.map(\.shortened), offset: offset,
      location: hasLongPath ? nil : location, fileName: hasLongPath ? nil : fileName,
      shownFile: hasLongPath ? nil : shownFile, sourceLine: hasLongPath ? nil : sourceLine)
  }
}

extension String {
  fileprivate var isLong: Bool { utf8.count > FrameAnswer.ordinaryLength }

  fileprivate var shortened: String {
    guard isLong else { return self }
    // A character that is cut becomes U+FFFD.
    return String(decoding: utf8.prefix(FrameAnswer.ordinaryLength - 3), as: UTF8.self) + "…"
  }
}

extension ResolvedFrame {
  /// Whether a short answer says less about it.
  var isLong: Bool { name.isLong || rawName.isLong || location.map { $0.path.isLong } ?? false }

  /// What a short answer says about it.
  var shortened: ResolvedFrame {
    ResolvedFrame(
      name: name.shortened, rawName: rawName.shortened,
      location: location.flatMap { $0.path.isLong ? nil : $0 }, rangeStart: rangeStart)
  }
}
