package import AddressResolver
import CrashLogParser
package import SymbolStore
package import SymbolicationModel

/// The frames of one image to look up.
package struct ImageQuestions {
  package let image: ReportImage
  package var frames: [Question] = []

  package struct Question {
    /// The frame's position among the report's backtraces.
    let position: FramePosition
    /// `SymbolicatedFrame.codeAddress`.
    package let address: LoadAddress
    /// The address; for a return address, the byte before it.
    let lookupAddress: LoadAddress
    /// Whether the report shows a symbol. It is not kept here: few answers depend on what it is.
    let isNamed: Bool
    let hasStatedInlinedFrames: Bool
  }

  /// The number of frames that show no name before they are answered.
  package var namelessCount: Int { frames.count { !$0.isNamed } }

  private func slide(in resolver: ImageResolver) -> Slide? {
    resolver.linkBase().map { Slide(loadAddress: image.loadAddress, linkBase: $0) }
  }

  /// The lookups that `answer` will make, so that `resolver` can prepare for them.
  ///
  /// - Parameter memory: the answers that are known.
  func announcement(
    for resolver: ImageResolver, basis: SymbolMatch.Basis, _ memory: AnswerMemory?
  ) -> ImageResolver.Announcement {
    var addresses: [LinkAddress] = []
    if let slide = slide(in: resolver) {
      if let memory, isKnown(to: memory, resolver, basis, slide) {
        return ImageResolver.Announcement(resolver: resolver, addresses: [])
      }
      // Frames of many threads wait in the same few places.
      for address in frames.map(\.lookupAddress).sorted() {
        let linked = slide.linkAddress(of: address)
        if addresses.last != linked { addresses.append(linked) }
      }
    }
    return ImageResolver.Announcement(resolver: resolver, addresses: addresses)
  }

  /// Whether all answers are known.
  private func isKnown(
    to memory: AnswerMemory, _ resolver: ImageResolver, _ basis: SymbolMatch.Basis, _ slide: Slide
  ) -> Bool {
    frames.allSatisfy { memory.knows(key(of: $0, resolver, basis, slide)) }
  }

  private func key(
    of question: Question, _ resolver: ImageResolver, _ basis: SymbolMatch.Basis, _ slide: Slide
  ) -> AnswerMemory.Key {
    AnswerMemory.Key(
      resolver, basis, at: slide.linkAddress(of: question.address),
      lookedUpAt: slide.linkAddress(of: question.lookupAddress))
  }

  /// Looks up each distinct address once, in ascending order, so that each unit of debug
  /// information is visited once.
  ///
  /// - Parameters:
  ///   - memory: answers are taken from it, and put into it.
  ///   - wantsShort: whether the next answer shall be short.
  ///   - take: called for each frame whose address has an answer.
  package func answer(
    with resolver: ImageResolver, basis: SymbolMatch.Basis, _ options: SymbolicationOptions,
    _ memory: inout AnswerMemory?, wantsShort: () -> Bool = { false },
    take: (Question, SharedAnswer) -> Void
  ) {
    guard let slide = slide(in: resolver) else { return }
    var options = options
    options.sourcePaths = options.sourcePaths.with(resolver.recordedSourceMappings)
    let isOfAppleSystem = image.isOfAppleSystem
    var last: (question: Question, answer: SharedAnswer?)?
    for index in ascendingOrder {
      let question = frames[Int(index)]
      if last == nil || last?.question.lookupAddress != question.lookupAddress
        || last?.question.address != question.address
      {
        let key = key(of: question, resolver, basis, slide)
        if let known = memory?.answer(to: key) {
          last = (question, known)
        } else {
          let shared = answer(
            to: question, with: resolver, slide, mayBeTrampoline: !isOfAppleSystem
          ).map { resolved in
            SharedAnswer(
              resolved, at: slide.linkAddress(of: question.address), symbolFile: resolver.path,
              basis: basis, options, isShort: wantsShort())
          }
          if shared?.isShortened != true { memory?.remember(shared, key, of: resolver) }
          last = (question, shared)
        }
      }
      if let answer = last?.answer { take(question, answer) }
    }
  }

  /// The indices of `frames`, by address.
  private var ascendingOrder: [Int32] {
    var order: [(address: LoadAddress, index: Int32)] = []
    order.reserveCapacity(frames.count)
    for index in frames.indices {
      order.append((frames[index].lookupAddress, Int32(clamping: index)))
    }
    order.sort { ($0.address, $0.index) < ($1.address, $1.index) }
    return order.map(\.index)
  }

  private func answer(
    to question: Question, with resolver: ImageResolver, _ slide: Slide, mayBeTrampoline: Bool
  ) -> ResolvedAddress? {
    let resolved = resolver.resolve(slide.linkAddress(of: question.lookupAddress))
    if mayBeTrampoline, question.lookupAddress < question.address,
      resolved?.origin.isDebugInformation != true,
      let trampoline = resolver.signalTrampoline(
        beginningAt: slide.linkAddress(of: question.address))
    {
      return trampoline
    }
    return resolved
  }
}

/// The position of a frame in `SymbolicatedReport.backtraces`.
struct FramePosition: Hashable {
  let backtrace: Int
  let frame: Int
}
