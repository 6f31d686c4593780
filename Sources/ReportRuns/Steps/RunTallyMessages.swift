import CrashLogParser
import ReportRendering
import ReportSymbolication
import SymbolicationModel
package import Wording

extension RunTally {
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

extension RunTally.Files {
  /// `a.txt, b/c.log and 3 more`.
  fileprivate var shown: String {
    let rest = count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
