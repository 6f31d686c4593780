import ArgumentParser

/// The reports, directories and symbol files that `symbolicate` is given.
struct PathOperands: OptionList {
  /// Hidden because of the completions (see `CompletionScript`); the discussion describes them.
  @Argument(help: .hidden) var paths: [String] = []

  var options: [Mirror.Child] { [("_paths", _paths)] }
}
