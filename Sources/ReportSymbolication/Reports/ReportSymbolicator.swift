import AddressResolver
package import CrashLogParser
package import SymbolStore
import SymbolicationModel

// Joins reports with symbol files, and answers single addresses.
//
// How a report is processed:
//   `BacktraceReader` prepares the frames: what each address is, and which image it lies in;
//   `ReportSymbolicator` groups the frames that lack something by image (`ImageQuestions`), has
//   `SymbolStore` find each image's file and an `ImageResolver` answer, and returns a
//   `SymbolicatedReport`;
//   `Rendering/` puts the answers into the bytes of the report, or writes another output form;
//   `SymbolicationOutcome` holds the tally and what is missing, and `Messages/` makes the sentences
// about it. For `atos`, see `AtosSession`.

/// Symbolicates the frames of crash reports.
package struct ReportSymbolicator {
  let store: SymbolStore
  let options: SymbolicationOptions
  var resolvers: ResolverCache

  package init(store: SymbolStore, options: SymbolicationOptions = SymbolicationOptions()) {
    self.store = store
    self.options = options
    self.resolvers = ResolverCache(options, store: store)
  }

  /// Looks up the frames of the reports in `input` that show no name, or a name without a line.
  ///
  /// - Throws: `CrashLogParseError` if `input` holds no report.
  package mutating func symbolicate(
    _ input: [UInt8]
  ) throws(CrashLogParseError) -> SymbolicatedInput {
    let parsed = try CrashLogParser.parse(input)
    var outcome = SymbolicationOutcome()
    var reports: [SymbolicatedReport] = []
    for report in parsed {
      var reader = BacktraceReader(report: report, options: options)
      reports.append(symbolicate(&reader, &outcome))
    }
    // A text and the JSON that it was made from count once.
    for report in reports.ofDistinctIncidents {
      outcome.counts += FrameCounts(report, options)
      outcome.missingImages += report.missingImages
      outcome.contradictedImages += report.contradictedImages
    }
    outcome.breakOffsets = parsed.flatMap(\.breakOffsets)
    if case .numbered(let numbers) = options.threads {
      outcome.absentThreads = numbers.sorted().filter { number in
        !parsed.contains { $0.hasThread(number) }
      }
    }
    outcome.compare(store.givenFiles, with: parsed)
    outcome.symbolFileProblems = (store.problems + resolvers.problems).withoutRepetitions
    outcome.searchProblems = store.searchProblems
    outcome.serverProblems = store.serverProblems
    return SymbolicatedInput(
      bytes: input, reports: reports, outcome: outcome, options: options)
  }

  private mutating func symbolicate(
    _ reader: inout BacktraceReader, _ outcome: inout SymbolicationOutcome
  ) -> SymbolicatedReport {
    var report = reader.read()
    var askable: [(questions: ImageQuestions, match: SymbolMatch, resolver: ImageResolver)] = []
    let questionsByImage = questionsByImage(report, &outcome)
    store.prefetch(questionsByImage.map(\.image.description))
    for questions in questionsByImage {
      let image = questions.image
      guard let match = store.symbolFile(for: image.description) else {
        if questions.namelessCount > 0 {
          report.missingImages.append(
            MissingImage(
              image: image, frameCount: questions.namelessCount,
              sameNameFiles: store.filesOfSameName(as: image.description)))
        }
        continue
      }
      askable.append((questions, match, resolver(for: match, of: report)))
    }
    ImageResolver.prepare(
      askable.map { $0.questions.announcement(for: $0.resolver) }, jobs: options.jobs)
    for (questions, match, resolver) in askable {
      let image = questions.image
      if match.basis == .name {
        outcome.nameMatches.append(NameMatch(image: image, path: resolver.path))
      }
      outcome.usedFiles.insert(resolver.path)
      report.symbolFiles[image] = UsedSymbolFile(path: resolver.path, basis: match.basis)
      questions.answer(with: resolver, basis: match.basis, options) { position, answer in
        report.take(answer, at: position, resymbolicates: options.resymbolicates)
      }
    }
    askAgainAfterTrampolines(&report, &reader)
    for (questions, _, resolver) in askable {
      let unanswered = report.unansweredAddresses(of: questions)
      if !unanswered.isEmpty {
        outcome.silentFiles.append(
          SilentFile(image: questions.image, path: resolver.path, addresses: unanswered))
      }
    }
    report.contradictedImages = report.foundContradictions
    if options.explains {
      let byImage = askable.map { ($0.questions.image, $0.resolver) }
      let explainer = FrameExplainer(
        options, store: store,
        resolvers: Dictionary(byImage, uniquingKeysWith: { first, _ in first }))
      explainer.explain(&report)
    }
    return report
  }

  mutating func resolver(
    for match: SymbolMatch, of report: SymbolicatedReport
  ) -> ImageResolver {
    // No index holds columns.
    resolvers.resolver(
      for: match, indexUse: report.splicer.showsColumns ? .never : options.indexUse)
  }

  /// The frames to look up, grouped by image, in the order in which images first occur.
  private func questionsByImage(
    _ report: SymbolicatedReport, _ outcome: inout SymbolicationOutcome
  ) -> [ImageQuestions] {
    var questions: [ImageQuestions] = []
    var indices: [ReportImage: Int] = [:]
    for backtrace in report.backtraces.indices where report.backtraces[backtrace].isSelected {
      for frame in report.backtraces[backtrace].frames.indices {
        let position = FramePosition(backtrace: backtrace, frame: frame)
        guard report[position].wantsAnswer(options) else { continue }
        let image = report[position].image
        if options.onlyUserCode, image?.belongsToSystem == true { continue }
        guard let image, let question = question(at: position, report[position]) else {
          if report[position].statement == nil {
            outcome.framesWithoutImage += 1
            if report.source.omitsImages { outcome.lacksImageList = true }
          }
          continue
        }
        if let index = indices[image] {
          questions[index].frames.append(question)
        } else {
          indices[image] = questions.count
          questions.append(ImageQuestions(image: image, frames: [question]))
        }
      }
    }
    return questions
  }

  /// Nil if there is nothing to find out about the frame, or if it lies in no image.
  func question(at position: FramePosition, _ frame: SymbolicatedFrame) -> ImageQuestions.Question?
  {
    guard frame.wantsAnswer(options), let image = frame.image, let address = frame.codeAddress
    else {
      return nil
    }
    return ImageQuestions.Question(
      position: position, address: address,
      lookupAddress: frame.addressKind.lookupAddress(
        for: address, hasThumb: image.hasThumb ?? false),
      stated: frame.statement, hasStatedInlinedFrames: frame.hasStatedInlinedFrames)
  }
}

/// The result for one input.
package struct SymbolicatedInput {
  /// The input.
  package let bytes: [UInt8]
  /// In the order of the input.
  package internal(set) var reports: [SymbolicatedReport]
  package let outcome: SymbolicationOutcome
  package let options: SymbolicationOptions
}

extension SymbolicatedFrame {
  /// Whether there is something to find out.
  fileprivate func wantsAnswer(_ options: SymbolicationOptions) -> Bool {
    guard let stated = statement?.symbol else { return true }
    // An inlined call is answered with the frame that it is inlined into.
    return !stated.isInlined && (options.resymbolicates || stated.line == nil)
  }
}

extension SymbolicatedReport {
  /// The frame at `place`. Reading one of its properties does not copy the frame.
  subscript(position: FramePosition) -> SymbolicatedFrame {
    _read { yield backtraces[position.backtrace].frames[position.frame] }
  }

  mutating func take(
    _ answer: FrameAnswer, at position: FramePosition, resymbolicates: Bool
  ) {
    backtraces[position.backtrace].frames[position.frame].answer = answer
    if resymbolicates { supersedeInlinedFrames(before: position, true) }
  }

  /// Marks the frames that the report shows as inlined into one.
  mutating func supersedeInlinedFrames(before position: FramePosition, _ isSuperseded: Bool) {
    guard self[position].hasStatedInlinedFrames else { return }
    for index in (0..<position.frame).reversed() {
      let earlier = FramePosition(backtrace: position.backtrace, frame: index)
      guard self[earlier].stated?.isInlined == true, self[earlier].address == self[position].address
      else { return }
      backtraces[position.backtrace].frames[index].isSuperseded = isSuperseded
    }
  }

  /// The addresses of the frames that still have no name, ascending.
  fileprivate func unansweredAddresses(of questions: ImageQuestions) -> [LoadAddress] {
    var addresses: [LoadAddress] = []
    for question in questions.frames
    where question.stated == nil && self[question.position].answer == nil {
      addresses.append(question.address)
    }
    return addresses.sorted()
  }

  /// Images with frames that contradict themselves, in the order of the selected frames.
  fileprivate var foundContradictions: [ContradictedImage] {
    var found: [ContradictedImage] = []
    var indices: [ReportImage: Int] = [:]
    for backtrace in backtraces where backtrace.isSelected {
      for index in backtrace.frames.indices {
        // Most frames have none, and a frame is large to copy.
        guard let contradiction = backtrace.frames[index].contradiction,
          let image = backtrace.frames[index].image,
          let address = backtrace.frames[index].address
        else { continue }
        if let index = indices[image] {
          found[index].frameCount += 1
        } else {
          indices[image] = found.count
          found.append(
            ContradictedImage(
              image: image, frameCount: 1, address: address, contradiction: contradiction))
        }
      }
    }
    return found
  }
}
