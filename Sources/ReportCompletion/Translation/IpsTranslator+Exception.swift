import CrashLogParser

/// The exception, and what ended the process.
extension IpsTranslator {
  mutating func addException() {
    switch layout.kind {
    case .embedded: addEmbeddedException()
    case .mac: addMacException()
    case .unified: addUnifiedException()
    }
  }

  private mutating func addEmbeddedException() {
    text.addField("Exception Type", exceptionType, column: 17)
    text.addField("Exception Subtype", exception(.subtype), column: 19)
    text.addTextField("Exception Message", exception(.message), column: 19)
    text.addField("Exception Codes", exception(.codes), column: 17)
    text.addField("Exception Note", corpseNote, column: 17)
    // Here it is part of the exception, without a blank line before or after it.
    text.addTextField("VM Region Info", string(.vmRegionInfo), column: 16)
    addGroup { translator in
      let reason = translator.terminationReason { "\($0) \($1) " }
      translator.addTermination(reason, column: 20)
    }
    addGroup { translator in
      let index = translator.body.faultingThread ?? translator.crashedThread?.number
      translator.text.addField("Triggered by Thread", index.map { String($0) }, column: 22)
    }
  }

  private mutating func addMacException() {
    let column = 23
    addGroup { translator in
      translator.text.addField("Exception Type", translator.exceptionType, column: column)
      let subtype = translator.exception(.subtype)
      translator.text.addField("Exception Codes", subtype, column: column)
      let codes = translator.exception(.codes)
      translator.text.addField("Exception Codes", codes, column: column)
      translator.text.addField("Exception Note", translator.corpseNote, column: column)
    }
    addGroup { translator in
      let reason = translator.terminationReason { "Namespace \($0), Code \($1) " }
      translator.addTermination(reason, column: column)
    }
    addVirtualMemoryRegion()
  }

  private mutating func addUnifiedException() {
    let column = 19
    addGroup { translator in
      translator.text.addField("Exception Type", translator.exceptionType, column: column)
      let subtype = translator.exception(.subtype)
      translator.text.addField("Exception Subtype", subtype, column: column)
      let message = translator.exception(.message)
      translator.text.addTextField("Exception Message", message, column: column)
      let codes = translator.exception(.codes)
      translator.text.addField("Exception Codes", codes, column: column)
      let reason = translator.json[.exceptionReason]?[.composedMessage]?.string
      translator.text.addTextField("Exception Reason", reason, column: column)
    }
    addGroup { translator in
      let reason = translator.terminationReason { "Namespace \($0), Code \($1), " }
      translator.addTermination(reason, column: 21)
    }
    addGroup { translator in
      guard let value = translator.number(translator.json[.fatalDyldError]) else { return }
      translator.text.addLine("Dyld Error Message:")
      translator.text.addLine("  \(value)")
    }
    text.addBlankLine()
    addVirtualMemoryRegion()
  }

  private mutating func addVirtualMemoryRegion() {
    addGroup { translator in
      let region = translator.string(.vmRegionInfo)
      translator.text.addTextField("VM Region Info", region, column: 16)
    }
  }

  /// The reason, the lines that go with it, and the process that ended this one.
  private mutating func addTermination(_ reason: String?, column: Int) {
    let termination = json[.termination]
    text.addField("Termination Reason", reason, column: column)
    for line in strings(termination?[.reasons]) { text.addLines(of: line) }
    for line in strings(termination?[.details]) { text.addLines(of: line) }
    let process = name(termination?[.byProc], withNumber: termination?[.byPid])
    text.addField("Terminating Process", process, column: max(column, 21))
  }

  // MARK: Values

  private func exception(_ key: IpsKey) -> String? { json[.exception]?[key]?.string }

  private var exceptionType: String? {
    exception(.type).map { type in exception(.signal).map { "\(type) (\($0))" } ?? type }
  }

  private var corpseNote: String? { isTrue(json[.isCorpse]) ? "EXC_CORPSE_NOTIFY" : nil }

  /// Namespace and code as `prefix` writes them, and the indicator. Without an indicator, Apple's
  /// line ends with the separator before it.
  private func terminationReason(_ prefix: (String, String) -> String) -> String? {
    let termination = json[.termination]
    guard let namespace = termination?[.namespace]?.string, let code = number(termination?[.code])
    else { return nil }
    return prefix(namespace, code) + (termination?[.indicator]?.string ?? "")
  }
}
