package import SymbolicationModel

/// What to do with a report's frames.
package struct SymbolicationOptions: Hashable, Sendable {
  /// Put the calls that were inlined at an address in front of its frame.
  package var showsInlinedFrames = true
  /// Look up frames that show a name and a line too, and put what is found in place of them.
  package var resymbolicates = false
  package var threads = ThreadSelection.all
  /// Look up frames of images that are no part of the operating system alone.
  package var onlyUserCode = false
  /// Whether each frame is to say what it rests on.
  package var explains = false
  /// How the paths of source files are shown.
  package var sourcePaths = SourcePathRules()
  /// The source lines to show around each frame's; nil for none.
  package var sourceContext: SourceContext?
  /// What decodes the DWARF of symbol files.
  package var dwarfReader = DwarfReaderChoice.builtIn
  /// Whether indexes that were made before answer. Columns of source lines are only found without.
  package var indexUse = IndexUse.never
  /// How the names of symbol files are shown. Those that the report states stay as they are.
  package var demangling = DemanglingStyle.simplified
  /// How many threads may work at a time.
  package var jobs = ParallelWork.processorCount

  package init() {}

  /// Which threads to symbolicate. Backtraces that belong to no thread, such as the last
  /// exception's, go with the crashed one.
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
