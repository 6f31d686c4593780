import CrashLogParser
import CrashReading
import FunctionNames
import ReportCompletion
import ReportSymbolication
import Wording

/// The lines of a summary about a report without stacks: what an expert reads from it.
enum SummaryEvent {
  /// Nil for reports with stacks.
  static func lines(_ facts: ReportFacts, _ cause: CrashCause) -> [String]? {
    if let memory = facts.memory { return lines(memory, facts, cause) }
    if let panic = facts.panic { return lines(panic, facts, cause) }
    return nil
  }

  /// What a report without stacks is: `jetsam event`, `kernel panic`. Nil for the others.
  static func title(_ facts: ReportFacts) -> String? {
    if facts.memory != nil { return "jetsam event" }
    return facts.panic == nil ? nil : "kernel panic"
  }

  private static let listLimit = 10

  private static func head(_ title: String, _ facts: ReportFacts) -> String {
    [title, facts.system.text, facts.hardwareModel, facts.date].compactMap(\.self)
      .joined(separator: ", ")
  }

  // MARK: Memory

  private static func lines(
    _ memory: MemoryEvent, _ facts: ReportFacts, _ cause: CrashCause
  ) -> [String] {
    var lines = [head("jetsam event", facts), cause.reason?.text].compactMap(\.self)
    if let name = memory.largestProcess ?? memory.largest?.name {
      lines.append("largest process: \(memory.largest.map { memory.text(of: $0) } ?? name)")
    }
    let pages = memory.pages.compactMap { entry in
      memory.size(pages: entry.count).map { "\(entry.name) \($0)" }
    }
    if !pages.isEmpty {
      let size = memory.pageSize.map { " (pages of \($0) bytes)" } ?? ""
      lines.append("memory: \(pages.joined(separator: ", "))\(size)")
    }
    let killed = memory.killed
    let ended = killed.isEmpty ? "none of them ended" : "\(killed.count) of them ended:"
    let count = memory.processes.count
    lines.append("\(count) \(count == 1 ? "process" : "processes"), \(ended)")
    for process in killed.prefix(listLimit) {
      let peak = memory.size(pages: process.greatestPages).map { "at most \($0)" }
      let notes = [process.reason, peak].compactMap(\.self) + process.states
      let text = notes.joined(separator: ", ")
      lines.append("  \(memory.text(of: process)) — \(text)")
    }
    if killed.count > listLimit { lines.append("  … \(killed.count - listLimit) more") }
    return lines
  }

  // MARK: Panics

  private static func lines(
    _ panic: PanicDescription, _ facts: ReportFacts, _ cause: CrashCause
  ) -> [String] {
    let task = panic.task.map { name in
      "panicked task: \(name)\(panic.taskIdentifier.map { " (pid \($0))" } ?? "")"
    }
    let extensions = panic.extensions.prefix(listLimit).map(\.text).joined(separator: ", ")
    let lines: [String?] = [
      head("kernel panic", facts), cause.reason?.text, task,
      panic.kernelVersion.map { "kernel: \($0)" },
      panic.kernelSlide.map { "kernel slide: \($0)" },
      extensions.isEmpty ? nil : "kernel extensions in the backtrace: \(extensions)",
      panic.addresses.isEmpty ? nil : "return addresses in the kernel: \(panic.addresses.count)",
    ]
    return lines.compactMap(\.self)
  }
}
