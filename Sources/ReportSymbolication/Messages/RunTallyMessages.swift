import CrashLogParser
import SymbolicationModel

extension RunTally {
  /// How many images without symbols are listed.
  static let imagesShown = 20

  /// The lines at the end of a run over several reports or directories.
  ///
  /// - Parameter searched: the directories and archives that were searched for symbols.
  package func messages(searched: [String] = []) -> [Message] {
    [reportText, frameText].compactMap { $0.map { .plain($0) } } + fileMessages
      + missing.messages(
        remedy: searched.isEmpty
          ? "give their dSYMs or ELF files with -d"
          : "not found in \(searched.shownDirectories)")
  }

  private var reportText: String? {
    guard reportCount > 0 else { return "no report was symbolicated" }
    let kinds = formats.map { (name: $0.shortName, count: $1) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      .map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    let files = reportCount == inputCount ? "" : " in \(counted(inputCount, "file"))"
    return "\(counted(reportCount, "report"))\(files): \(kinds)"
  }

  private var frameText: String? {
    guard reportCount > 0 else { return nil }
    return counts.frames == 0
      ? "no stack frames to resolve" : counts.text
  }

  private var fileMessages: [Message] {
    var messages: [Message] = []
    if skippedCount > 0 {
      messages.append(
        .plain("\(counted(skippedCount, "report")) skipped, because the results exist"))
    }
    if damaged.count > 0 {
      messages.append(
        .warning(
          "\(counted(damaged.count, "file")) damaged, cut or larger than a limit, so read in part: \(damaged.shown)"
        ))
    }
    if unconverted.count > 0 {
      messages.append(
        .error(
          "\(counted(unconverted.count, "file")) cannot be written in this format: \(unconverted.shown)"
        ))
    }
    if withoutReport.count > 0 {
      let verb = withoutReport.count == 1 ? "holds" : "hold"
      messages.append(
        .note("\(counted(withoutReport.count, "file")) \(verb) no report: \(withoutReport.shown)"))
    }
    if unreadable.count > 0 {
      messages.append(
        .error("\(counted(unreadable.count, "file")) cannot be read: \(unreadable.shown)"))
    }
    let left = [
      symbolFileCount > 0 ? counted(symbolFileCount, "symbol file") : nil,
      bundleCount > 0 ? counted(bundleCount, "bundle") : nil,
      specialFileCount > 0
        ? (specialFileCount == 1 ? "1 pipe or device" : "\(specialFileCount) pipes and devices")
        : nil,
    ].compactMap(\.self)
    if !left.isEmpty { messages.append(.note("not read: \(left.joined(separator: ", "))")) }
    return messages
  }
}

extension WantedSymbolsCount {
  /// A headline and a line for each image, the most wanted first; then one line for all images of
  /// the operating system.
  ///
  /// - Parameter remedy: what to do about the images of the app.
  func messages(remedy: String) -> [Message] {
    var messages: [Message] = []
    let images = sorted(ofSystem: false)
    if !images.isEmpty {
      messages.append(
        .warning("no symbols for \(counted(images.count, "image")); \(remedy):"))
      // One more takes no more room than saying so.
      let shown = images.count == RunTally.imagesShown + 1 ? images.count : RunTally.imagesShown
      messages += images.prefix(shown).map { .plain("  \($0.message)") }
      if images.count > shown { messages.append(.plain("  and \(images.count - shown) more")) }
    }
    let system = sorted(ofSystem: true)
    if !system.isEmpty {
      let most = system.map(\.inputCount).max() ?? 0
      let libraries =
        system.count == 1 ? "1 system library" : "\(system.count) system libraries"
      let wanting = most > 1 ? ", wanted by up to \(most) reports" : ""
      messages.append(
        .note(
          "no symbols for \(libraries)\(wanting): this is normal, because an app's dSYMs do not have them"
        ))
    }
    return messages
  }
}

extension WantedSymbolsCount.Entry {
  /// `UUID A4B1DE49-… (arm64) Letter Shuffle: 12 reports, 340 frames`.
  fileprivate var message: String {
    let kind = image.identity.map { $0.bytes.count == 16 ? "UUID" : "build-id" } ?? "UUID"
    let identity = image.identity.map { "\($0)" } ?? "unknown"
    let architecture = image.architecture.map { " (\($0.name))" } ?? ""
    let name = image.name.isEmpty ? "" : " \(image.name)"
    let shown = "\(kind) \(identity)\(architecture)\(name)"
    // A list of UUIDs does not say which reports want them.
    guard inputCount > 0 else { return shown }
    return "\(shown): \(counted(inputCount, "report")), \(counted(frameCount, "frame"))"
  }
}

extension RunTally.Files {
  /// `a.txt, b/c.log and 3 more`.
  fileprivate var shown: String {
    let rest = count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// `1 report`, `2 reports`.
private func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
