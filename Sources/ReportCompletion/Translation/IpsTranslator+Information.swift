import CrashLogParser

/// Texts that applications, libraries and the kernel added to the report.
extension IpsTranslator {
  /// The texts before the backtraces. That of the kernel follows the last exception.
  func addInformation() {
    // The strings of all images; the text does not say which image each belongs to.
    let lines =
      json[.applicationSpecificInformation]?.members.flatMap { strings($0.value) } ?? []
    addGroup("Application Specific Information:", lines)
    guard layout.kind != .embedded else { return }
    if !lines.isEmpty { text.addBlankLine() }
    addGroup("Application Specific Signatures:", strings(json[.applicationSpecificSignatures]))
    addApplicationSpecificBacktraces()
    if layout.kind == .mac { addGroup(Self.notesHeading, notes) }
  }

  static let notesHeading = "Error Formulating Crash Report:"

  private func addApplicationSpecificBacktraces() {
    let backtraces = report.applicationSpecificBacktraces
    guard !backtraces.isEmpty else { return }
    for backtrace in backtraces {
      text.addLine("Application Specific Backtrace \(backtrace.number ?? 0):")
      text.addLines(of: String(decoding: backtrace.embeddedText ?? [], as: UTF8.self))
    }
    text.addBlankLine()
    text.addBlankLine()
  }

  func addKernelTriage() {
    addGroup("Kernel Triage:", string(.ktriageinfo).map { [$0] } ?? [])
  }
}
