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
    _ report: inout SymbolicatedReport, _ reader: inout BacktraceReader
  ) {
    for backtrace in report.backtraces.indices where report.backtraces[backtrace].isSelected {
      var followsTrampoline = false
      for index in report.backtraces[backtrace].frames.indices {
        let position = FramePosition(backtrace: backtrace, frame: index)
        // A format that marks the kinds of its addresses is right about them.
        let isMarked = report[position].source.addressKind != nil
        if followsTrampoline, !isMarked, report[position].addressKind == .returnAddress {
          askAgain(at: position, of: &report, &reader)
        }
        // Calls inlined into the frame after them share its kind.
        guard report[position].statement?.symbol.isInlined != true else { continue }
        followsTrampoline = report[position].isSignalTrampoline
        if followsTrampoline, report[position].answer?.function.offset == 0 {
          // Linux's: see `ImageResolver.signalTrampoline(beginningAt:)`.
          report.backtraces[backtrace].frames[index].addressKind = .programCounter
        }
      }
    }
  }

  private mutating func askAgain(
    at position: FramePosition, of report: inout SymbolicatedReport, _ reader: inout BacktraceReader
  ) {
    let frame = reader.frame(report[position], as: .programCounter)
    report.backtraces[position.backtrace].frames[position.frame] = frame
    report.supersedeInlinedFrames(before: position, false)
    guard let image = frame.image, let question = question(at: position, frame),
      let match = store.symbolFile(for: image.description)
    else { return }
    let questions = ImageQuestions(image: image, frames: [question])
    questions.answer(
      with: resolver(for: match, of: report), basis: match.basis, options
    ) { position, answer in
      report.take(answer, at: position, resymbolicates: options.resymbolicates)
    }
  }
}

extension SymbolicatedFrame {
  /// Whether the frame is shown as a signal trampoline.
  fileprivate var isSignalTrampoline: Bool {
    // Answers are large: their properties are asked for one by one.
    if answer?.keepsStatedName == false, let name = answer?.function.name {
      return SignalTrampoline.isName(name)
    }
    guard let name = statement?.symbol.name else { return false }
    return SignalTrampoline.isName(name)
  }
}
