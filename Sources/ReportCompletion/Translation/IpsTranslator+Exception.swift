import CrashLogParser

/// The exception, and what ended the process.
extension IpsTranslator {
  func addException() {
    switch layout.kind {
    case .embedded: addEmbeddedException()
    case .mac: addMacException()
    case .unified: addUnifiedException()
    }
  }

  private func addEmbeddedException() {
    text.addField("Exception Type", exceptionType, column: 17)
    text.addField("Exception Subtype", exception(.subtype), column: 19)
    text.addTextField("Exception Message", exception(.message), column: 19)
    text.addField("Exception Codes", exception(.codes), column: 17)
    text.addField("Exception Note", corpseNote, column: 17)
    // Here it is part of the exception, without a blank line before or after it.
    text.addTextField("VM Region Info", string(.vmRegionInfo), column: 16)
    addGroup {
      let reason = terminationReason { "\($0) \($1) " }
      addTermination(reason, column: 20)
    }
    addGroup {
      let index = body.faultingThread ?? crashedThread?.number
      text.addField("Triggered by Thread", index.map { String($0) }, column: 22)
    }
  }

  private func addMacException() {
    let column = 23
    addGroup {
      text.addField("Exception Type", exceptionType, column: column)
      text.addField("Exception Codes", exception(.subtype), column: column)
      text.addField("Exception Codes", exception(.codes), column: column)
      text.addField("Exception Note", corpseNote, column: column)
    }
    addGroup {
      let reason = terminationReason { "Namespace \($0), Code \($1) " }
      addTermination(reason, column: column)
    }
    addVirtualMemoryRegion()
  }

  private func addUnifiedException() {
    let column = 19
    addGroup {
      text.addField("Exception Type", exceptionType, column: column)
      text.addField("Exception Subtype", exception(.subtype), column: column)
      text.addTextField("Exception Message", exception(.message), column: column)
      text.addField("Exception Codes", exception(.codes), column: column)
      let reason = json[.exceptionReason]?[.composedMessage]?.string
      text.addTextField("Exception Reason", reason, column: column)
    }
    addGroup {
      let reason = terminationReason { "Namespace \($0), Code \($1), " }
      addTermination(reason, column: 21)
    }
    addGroup("Dyld Error Message:", number(json[.fatalDyldError]).map { ["  \($0)"] } ?? [])
    text.addBlankLine()
    addVirtualMemoryRegion()
  }

  private func addVirtualMemoryRegion() {
    addGroup { text.addTextField("VM Region Info", string(.vmRegionInfo), column: 16) }
  }

  /// The reason, the lines that go with it, and the process that ended this one.
  private func addTermination(_ reason: String?, column: Int) {
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
