import AddressResolver
import CrashLogParser
import SymbolStore
import SymbolicationModel

// Frames after signal trampolines whose names only the symbol files know.
extension ReportSymbolicator {
  /// Looks up the addresses after signal trampolines again if they were looked up as return
  /// addresses: these frames were interrupted and made no call.
  ///
  /// Each frame is looked up at most once more, in order, because the answer for one decides about
  /// the next.
  mutating func askAgainAfterTrampolines(
    _ prepared: inout PreparedReport, _ allowance: inout AnswerAllowance
  ) {
    for backtrace in prepared.report.backtraces.indices
    where prepared.report.backtraces[backtrace].isSelected {
      guard
        SymbolicatedFrame.holdSignalTrampoline(prepared.report.backtraces[backtrace].frames)
      else { continue }
      var followsTrampoline = false
      for index in prepared.report.backtraces[backtrace].frames.indices {
        let position = FramePosition(backtrace: backtrace, frame: index)
        // A format that marks the kinds of its addresses is right about them.
        let isMarked = prepared.report[position].source.addressKind != nil
        if followsTrampoline, !isMarked, prepared.report[position].addressKind == .returnAddress {
          askAgain(at: position, of: &prepared, &allowance)
        }
        // Calls inlined into the frame after them share its kind.
        guard !prepared.report[position].statement.isInlined else { continue }
        followsTrampoline = prepared.report[position].isSignalTrampoline
        if followsTrampoline, prepared.report[position].answer?.function.offset == 0 {
          // Linux's: see `ImageResolver.signalTrampoline(beginningAt:)`.
          prepared.report.backtraces[backtrace].frames[index].addressKind = .programCounter
        }
      }
    }
  }

  private mutating func askAgain(
    at position: FramePosition, of prepared: inout PreparedReport,
    _ allowance: inout AnswerAllowance
  ) {
    let frame = prepared.reader.frame(prepared.report[position], as: .programCounter)
    prepared.report.backtraces[position.backtrace].frames[position.frame] = frame
    prepared.report.supersedeInlinedFrames(before: position, false)
    guard let image = frame.image,
      let question = ImageQuestions.Question(about: frame, at: position, options),
      let match = store.symbolFile(for: image.description)
    else { return }
    let questions = ImageQuestions(image: image, frames: [question])
    let resymbolicates = options.resymbolicates
    let resolver = resolver(for: match, of: prepared.report)
    questions.answer(
      with: resolver, basis: match.basis, options, &memory, wantsShort: { allowance.isUsedUp }
    ) { question, shared in
      prepared.report.take(shared, to: question, &allowance, resymbolicates: resymbolicates)
    }
  }
}

extension SymbolicatedFrame {
  /// Whether the frame is shown as a signal trampoline.
  @inline(__always)
  fileprivate var isSignalTrampoline: Bool {
    // Answers are large: their properties are asked for one by one.
    if answer?.keepsStatedName == false, let name = answer?.function.name {
      return SignalTrampoline.isName(name)
    }
    return statement.isTrampoline
  }

  /// Whether one of the frames is a signal trampoline.
  fileprivate static func holdSignalTrampoline(_ frames: [SymbolicatedFrame]) -> Bool {
    let frames = frames.span
    for index in frames.indices where frames[index].isSignalTrampoline { return true }
    return false
  }
}
