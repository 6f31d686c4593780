import CrashLogParser
import ReportSymbolication
import SymbolicationModel

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

/// The last exception and the threads.
extension IpsTranslator {
  func addBacktraces() {
    // Apple's text does not show the last exception on macOS up to 15: the backtrace that the
    // application added, if there is one, takes its place.
    for backtrace in symbolicated.backtraces
    where layout.kind != .mac && backtrace.source.kind == .lastException && backtrace.isSelected
      && !backtrace.frames.isEmpty
    {
      text.addLine("Last Exception Backtrace:")
      text.add(symbolicated.translatedFrames(of: backtrace))
      text.addBlankLine()
    }
    addKernelTriage()
    for backtrace in symbolicated.backtraces
    where backtrace.source.kind == .thread && backtrace.isSelected {
      addHeading(of: backtrace.source)
      text.add(symbolicated.translatedFrames(of: backtrace))
      text.addBlankLine()
    }
    text.addBlankLine()
  }

  private func addHeading(of thread: Backtrace) {
    let label = Self.label(of: thread)
    let number = thread.number ?? 0
    let state = thread.json?[.triggered]?.isAffirmative == true ? " Crashed" : ""
    if layout.hasDeviceLines, let label {
      text.append("Thread \(number) name:  ")
      text.append(name: label)
      text.endLine()
    }
    text.append("Thread \(number)\(state):")
    if !layout.hasDeviceLines, let label {
      text.append(": ")
      text.append(name: label)
    }
    text.endLine()
  }

  /// The name of the thread and its queue. Without a name, the space before the queue stays.
  private static func label(of thread: Backtrace) -> String? {
    let name = thread.name ?? ""
    guard let queue = thread.dispatchQueue, !queue.isEmpty else { return name.isEmpty ? nil : name }
    return "\(name) Dispatch queue: \(queue)"
  }
}
