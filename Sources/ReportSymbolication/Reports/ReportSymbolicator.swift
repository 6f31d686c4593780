import AddressResolver
package import CrashLogParser
package import SymbolStore
import SymbolicationModel

// Joins reports with symbol files, and answers single addresses.
//
// The way of a report:
//   `ReportSymbolicator` parses it, collects every frame without a name (`FrameCollector`), sorts the
//   questions by image (`ImageQuestions`), lets `SymbolStore` find each image's file and an
//   `ImageResolver` answer, and puts the answers into the bytes (`ByteEdits`);
//   `SymbolicationOutcome` holds what came of it;
//   `Messages/` makes the sentences about that.
// The way of `atos`: `AtosSession`.

/// Symbolicates crash reports: bytes in, bytes out.
package struct ReportSymbolicator {
  private let store: SymbolStore
  private var resolvers = ResolverCache()

  package init(store: SymbolStore) {
    self.store = store
  }

  /// Puts names, files and lines into the frames of the reports in `input` that have none.
  ///
  /// A frame that shows a name already stays as it is. Every byte that is not part of a resolved
  /// frame's content stays as it is.
  ///
  /// - Throws: `CrashLogParseError` where `input` holds no report.
  package mutating func symbolicate(
    _ input: [UInt8]
  ) throws(CrashLogParseError) -> SymbolicatedInput {
    let reports = try CrashLogParser.parse(input)
    var edits = ByteEdits()
    var outcome = SymbolicationOutcome()
    for report in reports {
      var frames = FrameCollector(report: report)
      frames.collect()
      outcome.frameCount += frames.frameCount
      outcome.namedFrameCount += frames.namedFrameCount
      outcome.framesWithoutImage += frames.framesWithoutImage
      for questions in frames.questionsByImage {
        answer(questions, edits: &edits, outcome: &outcome)
      }
    }
    outcome.compare(store.givenFiles, with: reports)
    outcome.symbolFileProblems = (store.problems + resolvers.problems).withoutRepetitions
    outcome.searchProblems = store.searchProblems
    return SymbolicatedInput(output: edits.applied(to: input), outcome: outcome)
  }

  private mutating func answer(
    _ questions: ImageQuestions, edits: inout ByteEdits, outcome: inout SymbolicationOutcome
  ) {
    let image = questions.image
    guard let match = store.symbolFile(for: image.description) else {
      outcome.missingImages.append(
        MissingImage(
          image: image, frameCount: questions.frames.count,
          sameNameFiles: store.filesOfSameName(as: image.description)))
      return
    }
    let resolver = resolvers.resolver(for: match)
    if match.basis == .name {
      outcome.nameMatches.append(NameMatch(image: image, path: resolver.path))
    }
    outcome.usedFiles.insert(resolver.path)
    let unanswered = questions.answer(with: resolver) { frame, text in
      // A line that ends with its address has no separator yet.
      let separator = frame.contentRange.lowerBound == frame.addressRange.upperBound ? " " : ""
      edits.replace(frame.contentRange, with: separator + text)
      outcome.resolvedFrameCount += 1
    }
    if !unanswered.isEmpty {
      outcome.silentFiles.append(
        SilentFile(image: image, path: resolver.path, addresses: unanswered))
    }
  }
}

/// What came out of one input.
package struct SymbolicatedInput {
  package let output: [UInt8]
  package let outcome: SymbolicationOutcome
}
