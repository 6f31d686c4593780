import CrashLogParser
import SymbolicationModel

extension SymbolicatedInput {
  /// Gives the frames that were answered the lines of their source files, and says for which ones
  /// there are none. Each file is read once.
  ///
  /// - Parameter form: what is to be made of the input.
  mutating func addSourceLines(_ context: SourceContext, for form: OutputForm) -> SourceLinesOutcome
  {
    var outcome = SourceLinesOutcome()
    let places = reports.indices.filter { place in
      guard reports[place].hasPlaceForSourceLines(in: form) else {
        outcome.hasFormWithoutPlace = true
        return false
      }
      return true
    }
    var lines: [String: Set<Int>] = [:]
    var paths: [String] = []
    for place in places {
      for text in reports[place].answerTexts {
        guard let source = text.sourceLine else { continue }
        if lines[source.path] == nil { paths.append(source.path) }
        lines[source.path, default: []].insert(source.line)
      }
    }
    var reader = SourceFileReader(context)
    var contents: [String: Result<[Int: SourceExcerpt], SourceFileFault>] = [:]
    for path in paths {
      let wanted = lines[path]?.sorted() ?? []
      contents[path] = Result { () throws(SourceFileFault) in
        try reader.excerpts(of: path, around: wanted)
      }
    }
    for place in places {
      reports[place].changeAnswerTexts { text in
        guard let source = text.sourceLine, let content = contents[source.path] else { return }
        switch content {
        case .success(let excerpts):
          text.source = excerpts[source.line]
          if text.source == nil { outcome.add(.tooShort, source) }
        case .failure(let fault): outcome.add(fault, source)
        }
      }
    }
    return outcome
  }
}

/// For which frames there are no source lines.
struct SourceLinesOutcome {
  /// Whether there is a report whose form has no place for them.
  var hasFormWithoutPlace = false
  private(set) var gaps: [Gap] = []

  /// Frames, inlined calls counted, without source lines for one reason.
  struct Gap {
    let fault: SourceFileFault
    var frameCount: Int
    /// The first one's.
    let example: SourceLine
  }

  mutating func add(_ fault: SourceFileFault, _ source: SourceLine) {
    if let place = gaps.firstIndex(where: { $0.fault == fault }) {
      gaps[place].frameCount += 1
    } else {
      gaps.append(Gap(fault: fault, frameCount: 1, example: source))
    }
  }
}

/// A line of a source file that is wanted.
package struct SourceLine: Hashable, Sendable {
  /// Where the file is on this machine: mapped, and with nothing left out.
  let path: String
  /// From 1.
  let line: Int
}

extension SymbolicatedReport {
  /// Apple's JSON has no place for source lines, and Swift's runtime has a format of its own.
  fileprivate func hasPlaceForSourceLines(in form: OutputForm) -> Bool {
    switch form {
    case .auto, .ips: splicer.hasPlaceForSourceLines
    case .crash: splicer.appleText != .none
    case .json, .ndjson, .summary: true
    }
  }

  fileprivate var answerTexts: [FrameAnswer.FrameText] {
    backtraces.flatMap(\.frames).flatMap { frame in
      frame.answer.map { $0.inlined + [$0.function] } ?? []
    }
  }

  fileprivate mutating func changeAnswerTexts(_ change: (inout FrameAnswer.FrameText) -> Void) {
    for backtrace in backtraces.indices {
      for frame in backtraces[backtrace].frames.indices {
        guard var answer = backtraces[backtrace].frames[frame].answer else { continue }
        for inlined in answer.inlined.indices { change(&answer.inlined[inlined]) }
        change(&answer.function)
        backtraces[backtrace].frames[frame].answer = answer
      }
    }
  }
}
