import CrashLogParser

/// Texts that applications, libraries and the kernel added to the report.
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

  /// The strings of all images; the text does not say which image each belongs to.
  private mutating func addApplicationSpecificInformation() {
    addGroup { translator in
      let lines =
        translator.json[.applicationSpecificInformation]?.members.flatMap {
          translator.strings($0.value)
        } ?? []
      guard !lines.isEmpty else { return }
      translator.text.addLine("Application Specific Information:")
      for line in lines { translator.text.addLines(of: line) }
      if translator.layout.kind != .embedded { translator.text.addBlankLine() }
    }
  }

  private mutating func addApplicationSpecificSignatures() {
    addGroup { translator in
      let signatures = translator.strings(translator.json[.applicationSpecificSignatures])
      guard !signatures.isEmpty else { return }
      translator.text.addLine("Application Specific Signatures:")
      for signature in signatures { translator.text.addLines(of: signature) }
    }
  }

  private mutating func addApplicationSpecificBacktraces() {
    addGroup { translator in
      let backtraces = translator.report.applicationSpecificBacktraces
      guard !backtraces.isEmpty else { return }
      for backtrace in backtraces {
        translator.text.addLine("Application Specific Backtrace \(backtrace.number ?? 0):")
        let text = String(decoding: backtrace.embeddedText ?? [], as: UTF8.self)
        translator.text.addLines(of: text)
      }
      translator.text.addBlankLine()
    }
  }

  mutating func addKernelTriage() {
    addGroup { translator in
      guard let triage = translator.string(.ktriageinfo) else { return }
      translator.text.addLine("Kernel Triage:")
      translator.text.addLines(of: triage)
    }
  }
}
