import CrashLogParser
import SymbolicationModel

/// The last exception and the threads.
extension IpsTranslator {
  mutating func addBacktraces(_ frames: (Backtrace) -> [Frame]?) {
    // On macOS up to 15, Apple's text does not show it: the text of the application's backtrace, if the
    // report has one, is its place.
    if layout.kind != .mac, report.lastExceptionBacktrace?.isEmpty == false,
      let shown = frames(.lastException)
    {
      text.addLine("Last Exception Backtrace:")
      add(shown)
      text.addBlankLine()
    }
    addKernelTriage()
    for thread in report.threads {
      guard let shown = frames(.thread(thread.index)) else { continue }
      addHeading(of: thread)
      add(shown)
      text.addBlankLine()
    }
    text.addBlankLine()
  }

  private mutating func addHeading(of thread: IpsThread) {
    let label = Self.label(of: thread)
    let state = thread.isTriggered ? " Crashed" : ""
    if layout.hasDeviceLines, let label {
      text.append("Thread \(thread.index) name:  ")
      text.append(name: label)
      text.endLine()
    }
    text.append("Thread \(thread.index)\(state):")
    if !layout.hasDeviceLines, let label {
      text.append(": ")
      text.append(name: label)
    }
    text.endLine()
  }

  /// The name of the thread and its queue. A queue without a name has the space before it all the same.
  private static func label(of thread: IpsThread) -> String? {
    let name = thread.name ?? ""
    guard let queue = thread.dispatchQueue, !queue.isEmpty else { return name.isEmpty ? nil : name }
    return "\(name) Dispatch queue: \(queue)"
  }

  private mutating func add(_ frames: [Frame]) {
    for (index, frame) in frames.enumerated() {
      text.append(name: String(index), paddedTo: 3)
      text.append(" ")
      text.append(name: frame.imageName, paddedTo: 30)
      text.append("\t")
      text.append(address: frame.address?.value ?? 0)
      text.append(" ")
      add(frame.content)
      text.endLine()
    }
  }

  private mutating func add(_ content: Frame.Content) {
    switch content {
    case .unknown: text.append(Self.unknownName)
    case .unsymbolicated(let loadAddress, let offset):
      text.append(hexadecimal: loadAddress.value)
      text.append(" + ")
      text.append(decimal: offset)
    case .symbol(let symbol):
      text.append(symbol.name)
      if let offset = symbol.offset {
        text.append(" + ")
        text.append(decimal: offset)
      }
      if let file = symbol.file, let line = symbol.line, line != 0 {
        text.append(" (")
        text.append(name: file)
        text.append(":\(line))")
      }
      if symbol.isInlined { text.append(" [inlined]") }
      for line in symbol.sourceLines {
        text.endLine()
        text.append(name: line)
      }
    }
  }
}
