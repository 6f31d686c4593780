import CrashLogParser
package import SymbolicationModel

/// How to symbolicate the frames of a report.
package struct SymbolicationOptions: Hashable, Sendable {
  /// Whether to show the calls inlined at an address before its frame.
  package var showsInlinedFrames = true
  /// Whether to look up frames that already show a name and a line, too, and replace these.
  package var resymbolicates = false
  /// The field with the text, in a log whose lines are JSON of no known shape.
  package var logField: String?
  package var threads = ThreadSelection.all
  /// The processes to symbolicate, each by its name or its number; empty for all.
  package var processes: Set<String> = []
  /// Where the user says that images of traces were loaded, by their names.
  package var loadAddresses: [String: LoadAddress] = [:]
  /// Whether to skip frames in images of the operating system.
  package var onlyUserCode = false
  /// What the user says about whose code an image or a function is.
  package var codePatterns = CodePatterns()
  /// What the user adds to the rules of signatures.
  package var signatureRules = SignatureRules()
  package var signatureVersion = SignatureVersion.current
  /// Whether each frame explains what its answer is based on.
  package var explains = false
  /// Whether messages say which symbol file was used for each image.
  package var namesFiles = false
  /// Whether JSON and messages show the explanations. If not, they are only for callers.
  package var writesExplanations = true
  /// How to show the paths of source files.
  package var sourcePaths = SourcePathRules()
  /// The lines of C# to show in place of lines of C++ that Unity made; nil for none.
  package var il2cppMap: Il2CppLineMap?
  /// How many source lines to show around each frame's line; nil for none.
  package var sourceContext: SourceContext?
  /// The reader that decodes DWARF.
  package var dwarfReader = DwarfReaderChoice.builtIn
  /// Whether to use existing indexes. Indexes have no columns.
  package var indexUse = IndexUse.never
  /// How to show names from symbol files. Names in the report are unchanged.
  package var demangling = DemanglingStyle.simplified
  /// The greatest number of threads that work at the same time.
  package var jobs = ParallelWork.processorCount
  /// How much is read of inputs and symbol files.
  package var limits = ResourceLimits()

  package init() {}

  /// Whether a report is about one of ``processes``.
  func selects(_ process: ReportFacts.Process) -> Bool {
    processes.isEmpty
      || process.name.map { processes.contains($0) } == true
      || process.identifier.map { processes.contains(String($0)) } == true
  }

  /// The same, with the frames in images of the operating system.
  package var ofAllCode: SymbolicationOptions {
    guard onlyUserCode else { return self }
    var options = self
    options.onlyUserCode = false
    return options
  }

  /// Which threads to symbolicate. Backtraces that belong to no thread, such as the last
  /// exception's, count as part of the crashed thread.
  package enum ThreadSelection: Hashable, Sendable {
    case all
    case crashed
    case numbered(Set<Int>)

    func selects(number: Int?, isCrashed: Bool) -> Bool {
      switch self {
      case .all: true
      case .crashed: isCrashed
      case .numbered(let numbers): number.map { numbers.contains($0) } ?? false
      }
    }
  }
}

/// The form in which reports are written.
package enum OutputForm: String, CaseIterable, Sendable {
  /// The input with the resolved frames filled in: text stays text, and JSON stays JSON.
  case auto
  /// Apple's text. Apple's JSON is translated.
  case crash
  /// Apple's JSON (`.ips`). Text cannot be turned into it.
  case ips
  /// One JSON document for all reports of an input, in this program's own schema.
  case json
  /// One line of JSON for each report, in this program's own schema.
  case ndjson
  /// A few lines for people: what happened, and the crashed thread.
  case summary
  /// A page for browsers: everything that is known about the reports of an input.
  case html
  /// Markdown for an issue of GitHub or GitLab, at most 60,000 characters.
  case markdown

  /// Whether the output is still a report, which can be read again. The others leave out most of
  /// it.
  package var isReport: Bool { [.auto, .crash, .ips].contains(self) }

  /// Whether it shows the columns of source locations, which no index holds.
  package var showsColumns: Bool { [.json, .ndjson].contains(self) }
}
