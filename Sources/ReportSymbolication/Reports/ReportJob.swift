import CrashLogParser
import SymbolStore
import SymbolicationModel

/// Symbolicates one input, and says what came of it in sentences: what the tool prints.
package struct ReportJob {
  private let store: SymbolStore

  /// - Parameter symbolPaths: symbol files and directories of them, most wanted first.
  package init(symbolPaths: [String]) {
    self.store = SymbolStore(paths: symbolPaths)
  }

  /// - Parameter shownPath: what to call the input in messages.
  package func symbolicate(_ input: [UInt8], shownPath: String) -> Result {
    var symbolicator = ReportSymbolicator(store: store)
    do {
      let symbolicated = try symbolicator.symbolicate(input)
      let outcome = symbolicated.outcome
      return Result(
        output: symbolicated.output, hasReport: true,
        problems: (outcome.symbolFileProblems + outcome.searchProblems)
          .map(\.message.withoutControlCharacters),
        notes: outcome.messages.map(\.withoutControlCharacters),
        hasUnreadableSymbolFile: outcome.symbolFileProblems.contains { $0.makesUnreadable },
        hasUnfitSymbolFile: outcome.unfitFiles.contains { $0.imageOfSameName != nil },
        isComplete: outcome.isComplete)
    } catch {
      let problems = store.problems
      return Result(
        output: input, hasReport: false,
        problems: (problems.map(\.message) + [error.message(path: shownPath)])
          .map(\.withoutControlCharacters),
        notes: [],
        hasUnreadableSymbolFile: problems.contains { $0.makesUnreadable },
        hasUnfitSymbolFile: false, isComplete: false)
    }
  }

  package struct Result {
    /// The report with what could be resolved; the input itself where it holds no report.
    package let output: [UInt8]
    package let hasReport: Bool
    /// What went wrong, a sentence each.
    package let problems: [String]
    /// How far the report was resolved and what is missing, a sentence each.
    package let notes: [String]
    package let hasUnreadableSymbolFile: Bool
    /// A symbol file given by name is for no image, while an image of its name stayed unresolved.
    package let hasUnfitSymbolFile: Bool
    /// Every frame has a name.
    package let isComplete: Bool
  }
}

extension SymbolFileProblem {
  /// Whether it is the user's input that could not be read: no file, no symbol file, or a damaged one.
  /// The others leave the file usable, or are no damage.
  fileprivate var makesUnreadable: Bool {
    switch kind {
    case .unreadableDebugInformation, .mislabelledSlice, .missingSegment, .noSymbols,
      .noSymbolFiles:
      false
    default: true
    }
  }
}
