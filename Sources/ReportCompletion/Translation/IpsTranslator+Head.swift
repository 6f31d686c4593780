import CrashLogParser

/// The lines before the exception: the process, the system, the times.
extension IpsTranslator {
  func addHead() {
    switch layout.kind {
    case .embedded: addEmbeddedHead()
    case .mac: addMacHead()
    case .unified: addUnifiedHead()
    }
  }

  // MARK: Layouts

  private func addEmbeddedHead() {
    let column = 21
    text.addField("Incident Identifier", string(.incident), column: column)
    text.addField("CrashReporter Key", string(.crashReporterKey), column: column)
    text.addField("Beta Identifier", betaIdentifier, column: column)
    text.addField("Distributor ID", storeInfo(.distributorID), column: column)
    text.addField("Hardware Model", string(.modelCode), column: column)
    addProcess(column: column)
    addStoreInfo(column: column)
    text.addField("Code Type", codeType, column: column)
    addParents(column: column)
    text.addBlankLine()
    text.addField("Date/Time", string(.captureTime), column: column)
    text.addField("Launch Time", string(.procLaunch), column: column)
    text.addField("OS Version", systemVersion(json[.osVersion]), column: column)
    text.addField("Release Type", releaseType, column: column)
    text.addField("Baseband Version", string(.basebandVersion), column: column)
    text.addField("Report Version", "104", column: column)
    text.addBlankLine()
  }

  private func addMacHead() {
    let column = 23
    addProcess(column: column)
    text.addField("Code Type", codeType, column: column)
    text.addField("Parent Process", parentProcess, column: column)
    text.addField("Responsible", responsibleProcess, column: column)
    text.addField("User ID", number(json[.userID]), column: column)
    text.addBlankLine()
    text.addField("Date/Time", string(.captureTime), column: column)
    text.addField("OS Version", systemVersion(json[.osVersion]), column: column)
    text.addField("Report Version", "12", column: column)
    text.addField("Bridge OS Version", systemVersion(json[.bridgeVersion]), column: column)
    text.addField("Anonymous UUID", string(.crashReporterKey), column: column)
    text.addBlankLine()
    text.addField("Sleep/Wake UUID", string(.sleepWakeUUID), column: column)
    text.addBlankLine()
    addGroup { addTimesAwake() }
    addSystemIntegrityProtection()
    addGroup("Notes:", notes)
    addGroup {
      let thread = crashedThread(separator: "  Dispatch queue: ")
      text.addField("Crashed Thread", thread, column: column)
    }
  }

  private func addUnifiedHead() {
    let column = 21
    addProcess(column: column)
    addStoreInfo(column: column)
    text.addField("Code Type", codeType, column: column)
    addParents(column: column)
    text.addField("User ID", number(json[.userID]), column: column)
    text.addBlankLine()
    text.addField("Date/Time", string(.captureTime), column: column)
    text.addField("Launch Time", string(.procLaunch), column: column)
    text.addField("Hardware Model", string(.modelCode), column: column)
    text.addField("OS Version", systemVersion(json[.osVersion]), column: column)
    text.addField("Release Type", releaseType, column: column)
    text.addBlankLine()
    addGroup {
      text.addField("Crash Reporter Key", string(.crashReporterKey), column: column)
      text.addField("Beta Identifier", betaIdentifier, column: column)
      text.addField("Incident Identifier", string(.incident), column: column)
    }
    addGroup {
      text.addField("Sleep/Wake UUID", string(.sleepWakeUUID), column: 23)
    }
    addGroup { addTimesAwake() }
    addSystemIntegrityProtection()
    addGroup {
      let thread = crashedThread(separator: ", Dispatch Queue: ")
      text.addField("Triggered by Thread", thread, column: column)
    }
  }

  /// Adds lines, followed by a blank line if there are any.
  func addGroup(_ add: () -> Void) {
    let start = text.bytes.count
    add()
    if text.bytes.count > start { text.addBlankLine() }
  }

  /// Adds lines below a heading, and a blank line; nothing if there are no lines.
  func addGroup(_ heading: String, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    text.addLine(heading)
    for line in lines { text.addLines(of: line) }
    text.addBlankLine()
  }

  // MARK: Lines that layouts share

  private func addProcess(column: Int) {
    text.addField("Process", name(json[.procName], withNumber: json[.pid]), column: column)
    text.addField("Path", string(.procPath), column: column)
    text.addField("Identifier", body.bundleIdentifier ?? string(.procName), column: column)
    text.addField("Version", version, column: column)
  }

  /// Adds the lines about the App Store or TestFlight.
  private func addStoreInfo(column: Int) {
    text.addField("AppStoreTools", json[.bundleInfo]?[.appStoreTools]?.string, column: column)
    text.addField("AppVariant", storeInfo(.applicationVariant), column: column)
    let isBeta = isTrue(json[.storeInfo]?[.entitledBeta])
    text.addField("Beta", isBeta ? "YES" : nil, column: column)
  }

  private func addParents(column: Int) {
    text.addField("Role", string(.procRole), column: column)
    text.addField("Parent Process", parentProcess, column: column)
    let coalition = name(json[.coalitionName], withNumber: json[.coalitionID])
    text.addField("Coalition", coalition, column: column)
    text.addField("Responsible Process", responsibleProcess, column: column)
  }

  private func addTimesAwake() {
    let sinceBoot = number(json[.uptime]).map { "\($0) seconds" }
    text.addField("Time Awake Since Boot", sinceBoot, column: 23)
    text.addField("Time Since Wake", number(json[.wakeTime]).map { "\($0) seconds" }, column: 23)
  }

  private func addSystemIntegrityProtection() {
    addGroup { text.addField("System Integrity Protection", string(.sip), column: 29) }
  }

  // MARK: Values

  /// What went wrong when the report was made.
  var notes: [String] { strings(json[.reportNotes]) }

  private func storeInfo(_ key: IpsKey) -> String? { json[.storeInfo]?[key]?.string }

  /// Replaces the reporter key in a tester's report that has none.
  private var betaIdentifier: String? {
    string(.crashReporterKey) == nil ? storeInfo(.deviceIdentifierForVendor) : nil
  }

  private var parentProcess: String? {
    name(json[.parentProc], withNumber: json[.parentPid])
  }

  private var responsibleProcess: String? {
    name(json[.responsibleProc], withNumber: json[.responsiblePid])
  }

  private var releaseType: String? { json[.osVersion]?[.releaseType]?.string }

  private var version: String {
    let (short, bundle) = (body.bundleShortVersion, body.bundleVersion)
    return short == nil && bundle == nil ? "???" : "\(short ?? "???") (\(bundle ?? "???"))"
  }

  private var codeType: String? {
    string(.cpuType).map { $0 + (isTrue(json[.translated]) ? " (Translated)" : " (Native)") }
  }

  /// The number of the crashed thread, and what `legacyInfo` says about it.
  private func crashedThread(separator: String) -> String? {
    guard let index = body.faultingThread ?? crashedThread?.number else { return nil }
    let thread = json[.legacyInfo]?[.threadTriggered]
    var description = String(index)
    if let name = thread?[.name]?.string, !name.isEmpty { description += "  \(name)" }
    if let queue = thread?[.queue]?.string, !queue.isEmpty { description += separator + queue }
    return description
  }
}
