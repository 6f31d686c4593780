/// What is said when a signal ends the program.
enum SignalMessages {
  /// The words before and after the path of a mapped file with a page that is gone. They are
  /// written by a signal handler, so they are no `String`.
  static func lostPage(isAtos: Bool) -> (before: StaticString, after: StaticString) {
    (
      isAtos ? "atos: cannot read " : "symbolicate: error: cannot read ",
      ": the file was shortened while it was being read, or its disk failed; try again\n"
    )
  }
}
