import Wording

extension ResultClash {
  /// One sentence: which two inputs, and what to do.
  package var message: String {
    let inputs =
      first.path == second.path
      ? "\(first.shownPath), which is given twice," : "\(first.shownPath) and \(second.shownPath)"
    return
      "the results of \(inputs) would both be \(result), so nothing was written; symbolicate them in separate runs, each with its own --output-dir"
      .withoutControlCharacters
  }
}

/// What is said about `-o` and `--output-dir` that do not fit what is there.
package enum OutputPathMessages {
  package static func outputIsDirectory(_ path: String) -> String {
    "\(path) is a directory, and -o names one file for the output of all reports; use --output-dir \(path) for a file for each report"
      .withoutControlCharacters
  }

  package static func outputDirectoryIsInput(_ path: String) -> String {
    "\(path) is the directory of the reports; choose another --output-dir, or use --in-place to replace the reports"
      .withoutControlCharacters
  }
}
