import CrashLogParser
import ReportSymbolication
import SymbolicationModel

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
