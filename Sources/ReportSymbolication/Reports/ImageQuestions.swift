import AddressResolver
import CrashLogParser
import SymbolicationModel

/// A frame to look up.
struct FrameQuestion {
  let frame: StackFrame
  /// The frame's address, or the byte before it for a return address.
  let lookupAddress: LoadAddress
}

/// The frames of one image that are to be looked up.
struct ImageQuestions {
  let image: ReportImage
  var frames: [FrameQuestion] = []

  /// Asks `resolver` in ascending order of addresses, each distinct one once, so that every unit of
  /// debug information is gone to once.
  ///
  /// - Parameter replace: called with each frame that was resolved and its new content.
  /// - Returns: the frame addresses for which there is no name, ascending.
  func answer(
    with resolver: ImageResolver, replace: (StackFrame, String) -> Void
  ) -> [LoadAddress] {
    guard let linkBase = resolver.linkBase() else { return frames.map(\.frame.address).sorted() }
    let slide = Slide(loadAddress: image.loadAddress, linkBase: linkBase)
    var unanswered: [LoadAddress] = []
    var last: (lookup: LoadAddress, answer: ResolvedAddress?)?
    for question in frames.sorted(by: { $0.lookupAddress < $1.lookupAddress }) {
      let answer: ResolvedAddress?
      if let last, last.lookup == question.lookupAddress {
        answer = last.answer
      } else {
        answer = resolver.resolve(slide.linkAddress(of: question.lookupAddress))
        last = (question.lookupAddress, answer)
      }
      if let answer {
        let address = slide.linkAddress(of: question.frame.address)
        replace(question.frame, Self.content(for: answer.function, at: address))
      } else {
        unanswered.append(question.frame.address)
      }
    }
    return unanswered
  }

  /// `name + N (file:line)`: N is the distance of the frame's address, as it stands, from the start of
  /// the function.
  private static func content(for function: ResolvedFrame, at address: LinkAddress) -> String {
    let distance = address.distance(from: function.rangeStart) ?? 0
    let place = function.location.map { " (\($0.fileName):\($0.line))" } ?? ""
    return "\(function.name) + \(distance)\(place)".withoutControlCharacters
  }
}
