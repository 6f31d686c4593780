import Wording
import CrashLogParser
package import FileSystem
import SymbolicationModel
import SystemPackage

extension SymbolicatedInput {
  /// Adds the source lines to the frames that were resolved, and returns which frames have none.
  /// Each file is read once.
  ///
  /// - Parameter form: the output format.
  package mutating func addSourceLines(_ context: SourceContext, for form: OutputForm)
    -> SourceLinesOutcome
  {
    var outcome = SourceLinesOutcome()
    let indices = reports.indices.filter { index in
      guard reports[index].hasRoomForSourceLines(in: form) else {
        outcome.add(formatWithoutRoom: reports[index].source.format)
        return false
      }
      return true
    }
    var lines: [String: Set<Int>] = [:]
    var paths: [String] = []
    for index in indices {
      for text in reports[index].answerTexts {
        guard let source = text.sourceLine else { continue }
        if lines[source.path] == nil { paths.append(source.path) }
        lines[source.path, default: []].insert(source.line)
      }
    }
    var reader = SourceFileReader(context)
    var contents: [String: Result<[Int: SourceExcerpt], SourceFileError>] = [:]
    for path in paths {
      let wanted = lines[path]?.sorted() ?? []
      contents[path] = Result { () throws(SourceFileError) in
        try reader.excerpts(of: path, around: wanted)
      }
    }
    outcome.files = reader.files
    for index in indices {
      reports[index].changeAnswerTexts { text in
        guard let source = text.sourceLine, let content = contents[source.path] else { return }
        switch content {
        case .success(let excerpts):
          text.source = excerpts[source.line]
          if text.source == nil { outcome.add(.tooShort, source) }
        case .failure(let error): outcome.add(error, source)
        }
      }
    }
    return outcome
  }
}

/// Which frames have no source lines, and why.
package struct SourceLinesOutcome {
  /// The formats of reports whose output has no room for source lines.
  private(set) var formatsWithoutRoom: [ReportFormat] = []
  private(set) var gaps: [Gap] = []
  /// The source files that were read. No result may replace them.
  package internal(set) var files: Set<FileIdentity> = []

  /// The frames, inlined calls included, that have no source lines for one reason.
  struct Gap {
    package let error: SourceFileError
    package var frameCount: Int
    /// The line of the first of these frames.
    let example: SourceLine
  }

  mutating func add(formatWithoutRoom format: ReportFormat) {
    if !formatsWithoutRoom.contains(format) { formatsWithoutRoom.append(format) }
  }

  package mutating func add(_ error: SourceFileError, _ source: SourceLine) {
    if let index = gaps.firstIndex(where: { $0.error == error }) {
      gaps[index].frameCount += 1
    } else {
      gaps.append(Gap(error: error, frameCount: 1, example: source))
    }
  }
}

/// A line of a source file.
package struct SourceLine: Hashable, Sendable {
  /// The path on this machine: mapped, but with no prefix removed.
  package let path: String
  /// From 1.
  package let line: Int
}

extension SymbolicatedReport {
  /// Apple's JSON has no room for source lines, and Swift backtraces have their own.
  fileprivate func hasRoomForSourceLines(in form: OutputForm) -> Bool {
    switch form {
    case .auto, .ips: source.format.has(.hasPlaceForSourceLines)
    case .crash: source.format.traits.appleText != .none
    case .json, .ndjson, .summary, .html, .markdown: true
    }
  }

  fileprivate var answerTexts: [FrameAnswer.FrameText] {
    backtraces.flatMap(\.frames).flatMap { frame in
      frame.answer.map { $0.inlined + [$0.function] } ?? []
    }
  }

  /// Calls `change` for each text of each frame.
  fileprivate mutating func changeAnswerTexts(_ change: (inout FrameAnswer.FrameText) -> Void) {
    // Frames that share an answer share the new one too. The old one is kept, so that no other
    // object takes its identifier.
    var changed: [ObjectIdentifier: (old: FrameAnswer, new: FrameAnswer)] = [:]
    for backtrace in backtraces.indices {
      for frame in backtraces[backtrace].frames.indices {
        guard let answer = backtraces[backtrace].frames[frame].answer else { continue }
        var (function, inlined) = (answer.function, answer.inlined)
        for index in inlined.indices { change(&inlined[index]) }
        change(&function)
        let known = changed[ObjectIdentifier(answer)]?.new
        let new = known ?? answer.with(function: function, inlined: inlined)
        if known == nil { changed[ObjectIdentifier(answer)] = (answer, new) }
        backtraces[backtrace].frames[frame].answer = new
      }
    }
  }
}

extension SourceLinesOutcome {
  /// Why source lines are not shown, one sentence each.
  package var messages: [String] {
    formatsWithoutRoom.map(\.messageAboutSourceLines).withoutRepetitions + gaps.map(\.message)
  }
}

extension ReportFormat {
  fileprivate var messageAboutSourceLines: String {
    let name =
      switch self {
      case .ipsCrash: "an .ips"
      case .swiftBacktrace, .swiftBacktraceJson: "a Swift backtrace"
      default: "a report of this kind (\(shortName))"
      }
    let forms = traits.appleText == .none ? "--format json" : "--format crash or json"
    return "source lines cannot be added to \(name); use \(forms), or --summary"
  }
}

extension SourceLinesOutcome.Gap {
  fileprivate var message: String {
    "no source lines for \(counted(frameCount, "frame")): \(reason)"
  }

  private var reason: String {
    let path = example.path
    return switch error {
    case .missing:
      "files such as \(path) are not on this machine; use --map-path OLD=NEW to say where they are"
    case .outsideRoots: "files such as \(path) are outside the folders of --source-root"
    case .unreadable(let error): "files such as \(path) cannot be read: \(error)"
    case .notRegularFile: "paths such as \(path) are not regular files"
    case .tooLarge(let limit): "files such as \(path) are larger than \(limit >> 20) MB"
    case .notText: "files such as \(path) are not text"
    case .tooShort:
      "files such as \(path) are not those that were compiled; it has no line \(example.line)"
    case .beyondLimit(let limit):
      "files such as \(path) were not read, because the limit of \(limit >> 20) MB of source files is reached"
    }
  }
}
