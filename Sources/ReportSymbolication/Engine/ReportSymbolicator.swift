package import AddressResolver
package import CrashLogParser
package import SymbolStore
import SymbolicationModel

// Joins reports with symbol files.
//
// How a report is processed:
//   `PreparedInput` holds the reports of an input with their frames prepared (`BacktraceReader`:
//   what each address is, and which image it lies in) and grouped by image (`ImageQuestions`);
//   `ReportSymbolicator` has `SymbolStore` find each image's file and an `ImageResolver` answer;
//   `SymbolicatedInput` adds the tally and what is missing (`SymbolicationOutcome`);
//   modules above put the answers into the bytes of the report (`ReportCompletion`), or write
//   another output form (`ReportRendering`).
//
// Only the second step depends on symbol files and on the inputs before: the others may happen on
// any thread. `ReportRuns` joins the steps.

/// Looks up the frames of crash reports, one input after the other.
package struct ReportSymbolicator {
  package let store: SymbolStore
  package let options: SymbolicationOptions
  package var resolvers: ResolverCache
  /// The answers for earlier inputs, if they are kept.
  package var memory: AnswerMemory?

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
    SymbolicatedInput(
      resolve(try PreparedInput(input, options)), givenFiles: store.givenFiles, options)
  }

  /// - Parameter input: prepared with the same options.
  package mutating func resolve(_ input: consuming PreparedInput) -> ResolvedInput {
    var outcome = SymbolicationOutcome()
    var allowance = AnswerAllowance(
      options.limits,
      frameCount: input.reports.reduce(0) { $0 + $1.questions.reduce(0) { $0 + $1.frames.count } })
    for index in input.reports.indices {
      resolve(&input.reports[index], &outcome, &allowance)
    }
    outcome.shortenedCount = allowance.shortenedCount
    outcome.answerSize = allowance.size
    outcome.symbolFileProblems = (store.problems + resolvers.problems).withoutRepetitions
    outcome.searchProblems = store.searchProblems
    outcome.serverProblems = store.serverProblems
    return ResolvedInput(
      input: input.input, wrapping: input.wrapping, reports: input.reports.map(\.report),
      outcome: outcome, wasCompressed: input.wasCompressed)
  }

  private mutating func resolve(
    _ prepared: inout PreparedReport, _ outcome: inout SymbolicationOutcome,
    _ allowance: inout AnswerAllowance
  ) {
    placeFrames(of: &prepared)
    if !prepared.report.source.format.has(.listsNoImages) {
      outcome.framesWithoutImage += prepared.framesWithoutImage
      if !prepared.report.source.images.isEmpty { outcome.hasImageList = true }
    }
    if prepared.framesWithoutImage > 0, prepared.report.source.omitsImages {
      outcome.lacksImageList = true
    }
    var askable: [(questions: ImageQuestions, match: SymbolMatch)] = []
    store.prefetch(prepared.images)
    for (questions, description) in zip(prepared.questions, prepared.images) {
      let image = questions.image
      do throws(JoinRefusal) {
        askable.append((questions, try symbolFile(for: description, of: prepared)))
      } catch {
        guard questions.namelessCount > 0 || error.isAboutFile else { continue }
        prepared.report.missingImages.append(
          MissingImage(
            image: image, frameCount: questions.namelessCount,
            sameNameFiles: error.isAboutFile ? [] : store.filesOfSameName(as: description),
            refusal: error))
      }
    }
    var paths: [String] = []
    var rest = askable[...]
    while !rest.isEmpty {
      answer(rest.prefix(imagesAtATime), of: &prepared.report, &outcome, &allowance, &paths)
      rest = rest.dropFirst(imagesAtATime)
      if resolvers.forget(above: options.limits.decodedSize) { memory?.forgetAll() }
    }
    askAgainAfterTrampolines(&prepared, &allowance)
    for ((questions, match), path) in zip(askable, paths) {
      let unanswered = prepared.report.unansweredAddresses(of: questions)
      guard !unanswered.isEmpty else { continue }
      if match.reportCount != nil {
        // Reports have not shown these functions yet: their image is still without symbols.
        prepared.report.missingImages.append(
          MissingImage(image: questions.image, frameCount: unanswered.count, sameNameFiles: []))
      } else {
        outcome.silentFiles.append(
          SilentFile(
            image: questions.image, path: path, addresses: unanswered,
            remedy: remedy(for: match, of: prepared.report)))
      }
    }
    if options.explains {
      let byImage = askable.map {
        ($0.questions.image, resolver(for: $0.match, of: prepared.report))
      }
      let explainer = FrameExplainer(
        options: options, store: store,
        resolvers: Dictionary(byImage, uniquingKeysWith: { first, _ in first }))
      explainer.explain(&prepared.report)
    }
  }

  /// What to give in place of a file that has no name for some addresses.
  private mutating func remedy(
    for match: SymbolMatch, of report: SymbolicatedReport
  ) -> SilentFile.Remedy? {
    guard match.isStripped, resolver(for: match, of: report).separateDebugFilePath == nil else {
      return nil
    }
    return match.isElf ? .debugFile : .dsym
  }

  /// How many images are decoded before memory is looked at: all, unless it is scarce.
  private var imagesAtATime: Int {
    options.limits.decodedSize < ResourceLimits().decodedSize ? 8 : .max
  }

  /// - Parameter paths: gets the path of the symbol file of each image.
  private mutating func answer(
    _ askable: ArraySlice<(questions: ImageQuestions, match: SymbolMatch)>,
    of report: inout SymbolicatedReport, _ outcome: inout SymbolicationOutcome,
    _ allowance: inout AnswerAllowance, _ paths: inout [String]
  ) {
    let resymbolicates = options.resymbolicates
    let answerable = askable.map {
      (questions: $0.questions, match: $0.match, resolver: resolver(for: $0.match, of: report))
    }
    ImageResolver.prepare(
      answerable.map {
        $0.questions.announcement(for: $0.resolver, basis: $0.match.basis, memory)
      },
      jobs: options.jobs)
    for (questions, match, resolver) in answerable {
      let image = questions.image
      if match.basis == .name {
        outcome.nameMatches.append(NameMatch(image: image, path: resolver.path))
      }
      outcome.usedFiles.insert(resolver.path)
      paths.append(resolver.path)
      report.symbolFiles[image] = UsedSymbolFile(
        path: resolver.path, basis: match.basis, reportCount: match.reportCount)
      questions.answer(
        with: resolver, basis: match.basis, options, &memory,
        wantsShort: { allowance.isUsedUp }
      ) { question, shared in
        report.take(shared, to: question, &allowance, resymbolicates: resymbolicates)
      }
    }
  }

  package mutating func resolver(
    for match: SymbolMatch, of report: SymbolicatedReport
  ) -> ImageResolver {
    // No index holds columns.
    resolvers.resolver(
      for: match,
      indexUse: report.source.format.has(.showsColumns) ? .never : options.indexUse)
  }
}

/// An input whose frames were looked up.
package struct ResolvedInput: Sendable {
  let input: [UInt8]
  package let wrapping: ReportWrapping?
  /// In the order of the input.
  package let reports: [SymbolicatedReport]
  /// What the symbol files and the store know.
  package let outcome: SymbolicationOutcome
  /// Whether the input was compressed in its file.
  package let wasCompressed: Bool
}

extension SymbolicatedReport {
  /// The frame at `place`. Reading one of its properties does not copy the frame.
  subscript(position: FramePosition) -> SymbolicatedFrame {
    _read { yield backtraces[position.backtrace].frames[position.frame] }
  }

  /// Gives the frame of a question its answer, unless the report already says as much.
  mutating func take(
    _ shared: SharedAnswer, to question: ImageQuestions.Question,
    _ allowance: inout AnswerAllowance, resymbolicates: Bool
  ) {
    let position = question.position
    guard let answer = shared.answer(to: question, stated: self[position].stated) else { return }
    backtraces[position.backtrace].frames[position.frame].answer = allowance.charged(
      answer, isShortened: shared.isShortened)
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
    where !question.isNamed && self[question.position].answer == nil {
      addresses.append(question.address)
    }
    return addresses.sorted()
  }
}
