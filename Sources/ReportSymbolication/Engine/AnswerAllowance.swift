import AddressResolver
package import SymbolicationModel

/// How much long names, long paths and inlined calls may take in all answers of an input together.
///
/// A symbol file has a name once, and each frame of a report shows it. So a name of a megabyte, or
/// two thousand inlined calls at one address, would make gigabytes of a small report. What ordinary
/// code has counts for little or nothing. Once the allowance is used up, the frames that follow get
/// short answers.
package struct AnswerAllowance {
  private var rest: UInt64
  /// How many frames got a short answer.
  private(set) var shortenedCount = 0
  /// The last short answer. Frames at one address share an answer, and come one after the other.
  private var last: (whole: FrameAnswer, short: FrameAnswer)?

  package init(_ limits: ResourceLimits) { rest = limits.answerSize }

  /// The answer, or a short one in its place.
  package mutating func charged(_ answer: FrameAnswer) -> FrameAnswer {
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
  private static let ordinaryLength = 256

  /// What the answer takes besides what an ordinary one does, in bytes.
  fileprivate var weight: UInt64 {
    var weight = Self.weight(of: function)
    for call in inlined { weight += Self.weight(of: call) + UInt64(Self.ordinaryLength) }
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
    with(function: Self.shortened(function), inlined: [])
  }

  private static func shortened(_ text: FrameText) -> FrameText {
    let hasLongPath = (text.location?.path.utf8.count ?? 0) > ordinaryLength
    return FrameText(
      name: shortened(text.name), rawName: text.rawName.map(shortened), offset: text.offset,
      location: hasLongPath ? nil : text.location, fileName: hasLongPath ? nil : text.fileName,
      shownFile: hasLongPath ? nil : text.shownFile,
      sourceLine: hasLongPath ? nil : text.sourceLine)
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > ordinaryLength else { return name }
    // A character that is cut becomes U+FFFD.
    return String(decoding: name.utf8.prefix(ordinaryLength - 3), as: UTF8.self) + "…"
  }
}
