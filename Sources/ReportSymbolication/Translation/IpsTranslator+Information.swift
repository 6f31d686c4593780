import CrashLogParser

/// What applications, libraries and the kernel put into the report as text.
extension IpsTranslator {
  /// The texts before the backtraces. That of the kernel follows the last exception.
  mutating func addInformation() {
    addApplicationSpecificInformation()
    guard layout.kind != .embedded else { return }
    addApplicationSpecificSignatures()
    addApplicationSpecificBacktraces()
    if layout.kind == .mac { addGroup { $0.addNotes(Self.notesHeading) } }
  }

  static let notesHeading = "Error Formulating Crash Report:"

  /// The strings of all images; of which image each is, the text does not say.
  private mutating func addApplicationSpecificInformation() {
    addGroup { translator in
      let lines = translator.body["asi"]?.members.flatMap { translator.strings($0.value) } ?? []
      guard !lines.isEmpty else { return }
      translator.text.addLine("Application Specific Information:")
      for line in lines { translator.text.addLine(line) }
      if translator.layout.kind != .embedded { translator.text.addBlankLine() }
    }
  }

  private mutating func addApplicationSpecificSignatures() {
    addGroup { translator in
      let signatures = translator.strings(translator.body["asiSignatures"])
      guard !signatures.isEmpty else { return }
      translator.text.addLine("Application Specific Signatures:")
      for signature in signatures { translator.text.addLine(signature) }
    }
  }

  private mutating func addApplicationSpecificBacktraces() {
    addGroup { translator in
      let backtraces = translator.report.applicationSpecificBacktraces
      guard !backtraces.isEmpty else { return }
      for (index, backtrace) in backtraces.enumerated() {
        translator.text.addLine("Application Specific Backtrace \(index):")
        translator.text.addLine(backtrace.text)
      }
      translator.text.addBlankLine()
    }
  }

  mutating func addKernelTriage() {
    addGroup { translator in
      guard let triage = translator.string("ktriageinfo") else { return }
      translator.text.addLine("Kernel Triage:")
      translator.text.addLine(triage)
    }
  }
}
