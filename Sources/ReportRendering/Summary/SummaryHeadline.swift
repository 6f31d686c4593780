import CodeOwnership
import CrashLogParser
import CrashReading
import FunctionNames
import ReportCompletion
import ReportSymbolication
import SymbolicationModel
import Wording

/// The headline of a summary, where and why it crashed:
/// `Board.swift:25 in Board.turnTile(at:) — Swift runtime failure: Index out of range`.
struct SummaryHeadline {
  /// The greatest length in characters.
  static let lengthLimit = 300

  /// Where and why, or what is known of the two; nil if neither is known.
  package let text: StyledText?
  /// Whether the reason appears in full.
  let isWhole: Bool

  /// - Parameters:
  ///   - paint: how it looks.
  ///   - thread: the name of the thread that crashed, which says more than code without a name.
  init(_ cause: CrashCause, _ facts: ReportFacts, _ paint: SummaryPaint, thread: String? = nil) {
    // If a runtime stopped the program, its own frame says nothing more.
    let isSaid =
      cause.site?.place.library.map { library in
        cause.reason?.finding.kind.namesRuntime == true
          || cause.reason?.finding.kind == .memoryLimit
            && cause.reason?.text.hasBytes(of: library) == true
      } ?? false
    let site =
      isSaid
      ? nil
      : cause.site.flatMap {
        Self.text(of: $0.place, paint, isBehindIn: cause.activity != nil)
      }
    var reason: String? =
      switch cause.reason?.source {
      // No other line would show the codes then.
      case .exceptionType where cause.reason?.isOnlyExceptionType == true:
        facts.exception.text(withCodes: true)
      case .termination: cause.reason.map { "terminated: \($0.text)" }
      default: cause.reason?.text.withShortListUpdate.withCauseKept
      }
    // Who threw may be the place.
    let function =
      site != nil
      ? cause.site?.place.function : cause.activity == nil ? cause.systemFrame?.ownFunction : nil
    let ending = function.flatMap { name in
      Self.endings.lazy.map { "\($0)\(name)" }.first { reason?.hasSuffix($0) == true }
    }
    if let ending, let whole = reason { reason = String(whole.dropLast(ending.count)) }
    // Swift's words begin with the place, too.
    if site != nil, let place = cause.site?.place.frame.location, let whole = reason {
      reason = whole.withoutPlace(place.shortFile, place.line)
    }
    var whole = StyledText(cause.activity ?? "")
    if let site {
      if cause.activity != nil { whole.append(" ") }
      whole.append(site)
      if let thread, cause.site?.place.frame.isOfDartSnapshot == true {
        whole.append(" on thread \(shortened(thread, to: 60))")
      }
    } else if cause.activity != nil, let place = cause.site?.place {
      // It ends before the place, whose name may be that of another function.
      whole.append(" \(shortened(place.frame.imageName, to: 40))")
    } else if let frame = cause.systemFrame {
      let place = Self.text(of: frame, named: frame.ownFunction, paint)
      whole.append(place ?? StyledText(""))
      if frame.imageName != unknownImageName, frame.ownFunction != nil || place == nil {
        whole.append("\(place == nil ? "" : " ")in \(shortened(frame.imageFileName, to: 40))")
      }
    }
    // The place says where, and what it called says what.
    if site != nil, reason == nil { reason = cause.calledText }
    let hasPlace = site != nil || cause.activity != nil || cause.systemFrame != nil
    if hasPlace, reason != nil { whole.append(" — ") }
    whole.append(reason ?? "", .alarm)
    text = hasPlace || reason != nil ? whole.shortened(to: Self.lengthLimit) : nil
    isWhole = text == whole
  }

  /// What stands between a reason and a function, the longest first.
  private static let endings = [
    ": exception thrown by ", ": thrown by ", ", thrown by ", " thrown by ", " by ", ", in ",
    " in ",
  ]

  /// `the main thread was waiting for a lock, in Board.load()`, in a report that is not about a
  /// crash.
  static func text(of activity: ThreadActivity, _ paint: SummaryPaint) -> StyledText {
    var whole = StyledText(activity.text)
    if let site = activity.site {
      whole.append(" ")
      whole.append(
        text(of: site.place, paint, isBehindIn: true) ?? StyledText(site.place.frame.imageName))
    }
    return whole.shortened(to: lengthLimit)
  }

  /// `Board.swift:25 in Board.turnTile(at:)`; `Board.turnTile(at:)` if no line is known; `Board +
  /// 1234` (image and bytes from its start) if there are no symbols; with the library if no frame
  /// is in the user's own code (`in Hermes, the JavaScript engine: hermes::vm::…`).
  ///
  /// - Parameter isBehindIn: whether the words in front of the place, about what the thread did,
  ///   end with `in`.
  private static func text(
    of place: CrashSite, _ paint: SummaryPaint, isBehindIn: Bool
  ) -> StyledText? {
    let preposition = isBehindIn ? "" : "in "
    if let name = place.frame.cutName, place.frame.imageName.known != nil {
      return StyledText(
        "\(shortened(name, to: 160)) in \(shortened(place.frame.imageFileName, to: 40))", .strong)
    }
    // A thread that waits ends nothing.
    let stopsProcess =
      place.library != nil && place.frame.traits?.machinery != nil && !isBehindIn
    // What a library calls to stop the process says no more than the reason.
    let named = place.namedCaller.flatMap { caller in
      place.library != nil && caller.traits?.machinery != nil ? nil : caller
    }
    let caller = named?.ownFunction.map {
      ", below \(FittedText.function(OldSwiftName.short($0) ?? $0, columns: 100))"
    }
    guard !stopsProcess, let text = text(of: place.frame, named: place.function, paint) else {
      let image = place.frame.imageName
      if let library = place.library {
        // Without a name of its own, as far as symbols are missing.
        let isNameless = !stopsProcess && image.known != nil && image != library
        let below = isNameless ? caller ?? "" : ""
        return StyledText(
          "\(preposition)\(library)\(isNameless ? ": \(shortened(image, to: 40))" : "")\(below)")
      }
      let address = place.frame.address.map { " \($0.value.hexadecimal)" } ?? ""
      return place.frame.function == nil && image.known != nil && !image.hasPrefix("<")
        ? StyledText(shortened(image, to: 40) + address + (caller ?? ""), .strong) : nil
    }
    var whole = StyledText(place.library.map { "\(preposition)\($0): " } ?? "")
    whole.append(text)
    if place.function == nil, let caller {
      whole.append(caller, place.library == nil ? .strong : .plain)
    }
    if let own = place.ownCaller, let name = own.ownFunction, let file = own.location.shortFile,
      let line = own.location.line
    {
      whole.append(", called by ")
      whole.append(FittedText.function(name, columns: 100), .strong)
      whole.append(" (")
      whole.append("\(file):\(line)", .place, link: paint.link(to: own))
      whole.append(")")
    }
    return whole
  }

  private static func text(
    of frame: ShownFrame, named function: String?, _ paint: SummaryPaint
  ) -> StyledText? {
    let location = frame.location
    // Somebody named only the place.
    if function == "<unknown>", let file = location.shortFile, let line = location.line {
      return StyledText("\(file):\(line)", .place, link: paint.link(to: frame))
    }
    guard let function else {
      // A trap's own name is the reason.
      if frame.authorship == .trap, let file = location.shortFile, let line = location.line {
        return StyledText("\(file):\(line)", .place, link: paint.link(to: frame))
      }
      if frame.isOfDartSnapshot, frame.imageName != unknownImageName {
        let place =
          frame.imageOffset.map { " + \($0)" } ?? frame.address.map { " \($0.value.hexadecimal)" }
        return StyledText(
          "compiled Dart code (\(shortened(frame.imageName, to: 40))\(place ?? ""))", .strong)
      }
      return frame.shownImageOffset.map {
        StyledText("\(shortened(frame.imageName, to: 40)) + \($0)", .strong)
      }
    }
    // Neither the function nor the file has its name.
    if frame.hasHiddenName, frame.imageName != unknownImageName {
      return StyledText("\(function) in \(shortened(frame.imageFileName, to: 40))", .strong)
    }
    let readable = OldSwiftName.short(function) ?? function
    let name = StyledText(FittedText.function(readable, columns: 160), .strong)
    guard let file = location.shortFile else { return name }
    switch location.lineKnowledge {
    case .line:
      guard let line = location.line else { return name }
      var text = StyledText("\(file):\(line)", .place, link: paint.link(to: frame))
      text.append(" in ")
      text.append(name)
      return text
    case .zero:
      var text = name
      text.append(" in ")
      text.append(file, .place, link: paint.link(to: frame))
      return text
    case .none, .unknown: return name
    }
  }
}

extension String {
  /// `Fatal error: no cards` of `Deck/Board.swift:12: Fatal error: no cards`, if that is the place.
  fileprivate func withoutPlace(_ file: String?, _ line: Int?) -> String {
    guard let file, let line, let end = firstRange(of: ": "),
      !self[..<end.lowerBound].contains(" "),
      case let path = self[..<end.lowerBound],
      path.hasSuffix("\(file):\(line)"),
      path.dropLast("\(file):\(line)".count).last.map({ $0 == "/" }) ?? true
    else { return self }
    return String(self[end.upperBound...])
  }
}

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
    lines.append(
      count == 0
        ? "the list of processes is not in this text"
        : "\(count) \(count == 1 ? "process" : "processes"), \(ended)")
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
    let extensions = list(panic.extensions.prefix(listLimit).map(\.text), panic.extensions.count)
    let functions = list(
      panic.functions.prefix(listLimit).enumerated().map { index, name in
        ReadableName.readable(name) + (panic.owners[index].map { " (\($0))" } ?? "")
      }, panic.functions.count)
    let lines: [String?] = [
      head("kernel panic", facts), cause.reason?.text,
      extensions.isEmpty ? nil : "kernel extensions in the backtrace: \(extensions)", task,
      panic.kernelVersion.map { "kernel: \($0)" },
      panic.kernelSlide.map { "kernel slide: \($0)" },
      panic.lastExtension.map {
        "extension started last, which may have no part in it: \($0.text)"
      },
      functions.isEmpty ? nil : "functions in the backtrace: \(functions)",
      panic.addresses.isEmpty ? nil : "return addresses in the kernel: \(panic.addresses.count)",
    ]
    return lines.compactMap(\.self)
  }

  private static func list(_ first: [String], _ count: Int) -> String {
    first.joined(separator: ", ") + (count > first.count ? ", … \(count - first.count) more" : "")
  }
}
