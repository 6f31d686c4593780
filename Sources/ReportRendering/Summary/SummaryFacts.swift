import CrashLogParser
import CrashReading
import SymbolicationModel
import Wording

/// What a report says besides where and why it crashed, for a summary: each fact once, in a fixed
/// order.
struct SummaryFacts {
  private let facts: ReportFacts
  /// What the headline says in full.
  private let said: CrashCause.Reason?

  init(_ facts: ReportFacts, said: CrashCause.Reason?) {
    self.facts = facts
    self.said = said
  }

  var lines: [Line] {
    [exception, thrown, termination].compactMap { $0.map { Line(text: $0) } }
      + information.map { Line(text: $0, isQuoted: true) }
      + [diagnosis, memoryRegion, kernelTriage, circumstances].compactMap {
        $0.map { Line(text: $0) }
      }
  }

  struct Line {
    let text: String
    /// Whether it is a line of a text in the report, which may have written anything.
    var isQuoted = false
  }

  private var exception: String? {
    said?.saysExceptionType == true ? nil : facts.exception.text(withCodes: true)
  }

  private var thrown: String? {
    said?.source == .thrownException ? nil : facts.exception.thrownText
  }

  /// `terminated: RUNNINGBOARD 0xdead10cc (…), by runningboardd [33]`.
  private var termination: String? {
    // The signal in words, where the exception is missing.
    let isSignal =
      facts.termination.namespace == "SIGNAL" && facts.termination.details.isEmpty
      && said?.finding.kind == .sentSignal && facts.exception.type == nil
    let reason =
      said?.source == .termination || facts.endsBySignalAlone || isSignal
      ? nil : facts.terminationText(beside: said)
    let ender = facts.otherEnder?.text
    guard let reason else { return ender.map { "terminated by \($0)" } }
    return "terminated: \(reason)\(ender.map { ", by \($0)" } ?? "")"
  }

  private static let informationLimit = 3

  /// What the app and its libraries wrote, if it is neither boilerplate nor said by another line.
  private var information: [String] {
    let told = [said?.text, facts.exception.thrownText].compactMap(\.self)
    let lines = facts.applicationInformation.filter { line in
      !ReportFacts.isBoilerplate(line) && !ReportFacts.isNoteOfSdk(line)
        && !told.contains { text in
          let words = ReportFacts.withoutWriter(line)
          // A headline leaves out a colon that nothing follows.
          return text.contains(words) || words == text + ":"
        }
        && !(facts.exception.name.map { line.contains($0) } ?? false)
    }
    return Array(lines.withoutRepetitions.prefix(Self.informationLimit))
  }

  /// Of a line with all regions, which somebody joined: the marked one, up to its size.
  private static func markedRegion(inLine line: String, near: UInt64?) -> String? {
    guard line.hasBytes(of: "--> "), let arrow = line.firstRange(of: "--> "),
      let end = line[arrow.upperBound...].firstIndex(of: "]"),
      !ReportFacts.isBelowRegion(near, line[arrow.upperBound...end])
    else { return nil }
    let words = line[arrow.upperBound...end].split(whereSeparator: \.isWhitespace)
    return "memory region: \(words.joined(separator: " "))"
  }

  /// `memory region: 0x10 is not in any region`; `memory region: STACK GUARD 16f0ac000-1728b0000
  /// [56.0M] ---/rwx SM=NUL stack guard for thread 0`.
  private var memoryRegion: String? {
    let lines = facts.memoryRegion
    guard let first = lines.first else { return nil }
    let arrow = lines.first { line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("--->") || text.hasPrefix("-->")
    }
    let near = first.word(after: "VM Regions Near 0x", of: \.isHexDigit)
      .flatMap { UInt64($0, radix: 16) }
    if arrow == nil, let region = Self.markedRegion(inLine: first, near: near) { return region }
    let region = arrow?.drop { $0 == " " || $0 == "-" || $0 == ">" }
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // A page may join the arrow between two regions with the one that follows.
    let isBetween = arrow.map { ReportFacts.isBelowRegion(near, $0) } ?? false
    if let region, !region.isEmpty, !region.hasPrefix("GAP OF "), !isBetween {
      return "memory region: \(region)"
    }
    if first.hasPrefix("VM Regions Near "), arrow != nil {
      let address = first.dropFirst("VM Regions Near ".utf8.count).prefix { $0 != ":" }
      return "memory region: \(address) is not in any region"
    }
    // `VM Region Info: 0x10 is not in any region.  Bytes before following region: 4343201776`.
    var text = first[...]
    if text.hasPrefix("VM Region Info: ") { text = text.dropFirst("VM Region Info: ".utf8.count) }
    let sentence = text[..<(text.firstRange(of: ".  ")?.lowerBound ?? text.endIndex)]
    return sentence.isEmpty ? nil : "memory region: \(sentence)"
  }

  /// What KSCrash makes of the crash: a guess, often from the same evidence as the headline.
  private var diagnosis: String? {
    facts.fields.first { $0.name == "diagnosis" }.map { field in
      "KSCrash's diagnosis: \(field.value.split(whereSeparator: \.isNewline).joined(separator: "; "))"
    }
  }

  /// The kernel often notes the same several times.
  private var kernelTriage: String? {
    let notes = facts.kernelTriage.withoutRepetitions
    return notes.isEmpty ? nil : "kernel triage: \(notes.prefix(3).joined(separator: "; "))"
  }

  /// `iPhone14,2, incident 37EF06C9-…, 3.450 s after launch, system awake for 14000 s, Foreground,
  /// parent launchd [1], responsible Terminal [82], translated (Rosetta), TestFlight`.
  private var circumstances: String? {
    let parts = [
      facts.hardwareModel, facts.incident.map { "incident \($0)" },
      facts.timeSinceLaunch.map { "\($0) after launch" },
      facts.timeAwake.map { "system awake for \($0) s" }, facts.process.role,
      facts.parent.text.map { "parent \($0)" },
      facts.otherResponsible?.text.map { "responsible \($0)" },
      facts.isTranslated == true ? "translated (Rosetta)" : nil, facts.distribution?.text,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension ReportFacts {
  /// Whether the termination says only what the exception says too: `SIGNAL 6, Abort trap: 6`
  /// besides `EXC_CRASH (SIGABRT)`.
  var endsBySignalAlone: Bool {
    guard exception.signal != nil, termination.details.isEmpty else { return false }
    if let namespace = termination.namespace { return namespace == "SIGNAL" }
    // `Termination Signal: Abort trap: 6` of old reports.
    return termination.code == nil
  }

  /// The process that ended this one, if it is another. The kernel's `exc handler` acts for the
  /// process itself, and only a process itself calls `abort()`.
  var otherEnder: ProcessReference? {
    let ender = termination.process
    let isItself =
      ender.name == "exc handler" || process.name == nil && exception.signal == "SIGABRT"
    return isAnother(ender) && !isItself ? ender : nil
  }

  var otherResponsible: ProcessReference? { isAnother(responsible) ? responsible : nil }

  private func isAnother(_ other: ProcessReference) -> Bool {
    if let identifier = other.identifier, let own = process.identifier { return identifier != own }
    return other.name != nil && other.name != process.name
  }

  /// How long the process had run: `3.450 s`. Nil if the report does not say it.
  var timeSinceLaunch: String? {
    guard let end = date.flatMap({ ReportDate($0) }),
      let start = launchDate.flatMap({ ReportDate($0) }),
      end >= start
    else { return nil }
    let milliseconds = end.milliseconds - start.milliseconds
    return "\(milliseconds / 1000).\(CivilTime.digits(milliseconds % 1000, 3)) s"
  }
}

extension ReportFacts.ProcessReference {
  /// `launchd [1]`, or `pid 1`; nil if nothing of it is known.
  var text: String? {
    guard let name else { return identifier.map { "pid \($0)" } }
    return name + (identifier.map { " [\($0)]" } ?? "")
  }
}

extension ReportFacts.Distribution {
  var text: String {
    switch self {
    case .appStore: "App Store"
    case .testFlight: "TestFlight"
    case .beta: "beta"
    }
  }
}

// What is known of a thread whose frames the text does not have.

extension Report {
  /// Whether the text begins within the thread that crashed, behind its heading and its innermost
  /// frames: the next heading is that of the thread with the next number. Apple's reports have them
  /// in order.
  var beginsBelowCrash: Bool {
    guard format == .crashText, let crashed = facts.statedCrashedThread, backtraces.count > 1,
      let next = backtraces[1].number, next > 0, next - 1 == crashed
    else { return false }
    let first = backtraces[0]
    return first.kind == .thread && first.number == nil && !first.isCrashed
      && first.frames.first?.index.map { $0 > 0 } == true
  }
}

extension ReportFacts {
  /// The same if the text has the outer frames of the thread: `thread 0 crashed below Board.turn()
  /// in Board; its innermost frames are not in this text`.
  ///
  /// - Parameter caller: the innermost function of the program that is there.
  func unknownFramesText(below caller: String?) -> String {
    let place = caller.map { " below \($0)" } ?? ""
    let thread = "thread \(statedCrashedThread ?? 0)\(threadNote)"
    if isEndedByOthers {
      return place.isEmpty
        ? "the innermost frames of \(thread) are not in this text"
        : "\(thread) was\(place); its innermost frames are not in this text"
    }
    return wasEnded
      ? "\(thread) crashed\(place); its innermost frames are not in this text"
      : "\(thread) did it\(place); its innermost frames are not in this text"
  }

  /// Why the summary accuses no frame: `thread 30 crashed; its frames are not in this text`.
  ///
  /// - Parameter isUnread: whether the text may have them.
  func unknownThreadText(isUnread: Bool) -> String {
    guard let number = statedCrashedThread else {
      return statesUnknownThread
        ? Self.unknownThread : "which thread crashed is not in this text"
    }
    let absence = isUnread ? "could not be read" : "are not in this text"
    if isEndedByOthers {
      return "the frames of thread \(number)\(threadNote) \(absence)"
    }
    return
      "thread \(number)\(threadNote) \(wasEnded ? "crashed" : "did it"); its frames \(absence)"
  }

  /// Whether somebody else ended the process: then a thread is only where it was at that time.
  private var isEndedByOthers: Bool {
    // Who misuses a guarded resource is at work.
    exception.signal == "SIGKILL" || exception.type == "00000020"
      || termination.isByOthers && exception.type != "EXC_GUARD" && termination.namespace != "GUARD"
  }

  /// `Backtrace not available` in the place of the threads.
  var absentBacktraceText: String {
    statedCrashedThread.map { number in
      "thread \(number)\(threadNote) crashed; the system could take no backtrace"
    } ?? "\(Self.unknownThread), and could take no backtrace"
  }

  /// `Crashed Thread:  Unknown`.
  var statesUnknownThread: Bool {
    statedCrashedThread == nil
      && fields.contains { field in
        ["Triggered by Thread", "Crashed Thread"].contains(field.name)
          && field.value.hasPrefix("Unknown")
      }
  }

  private static let unknownThread = "the system does not know which thread crashed"

  /// ` (com.apple.main-thread)` of `Crashed Thread:  0  Dispatch queue: com.apple.main-thread`.
  private var threadNote: String {
    let stated = fields.first { ["Triggered by Thread", "Crashed Thread"].contains($0.name) }
    guard let text = stated?.value else { return "" }
    var words = text.drop { $0.isNumber || $0 == " " || $0 == "," }
    if let mark = words.firstRange(of: "Dispatch queue: ")
      ?? words.firstRange(of: "Dispatch Queue: ")
    {
      words = words[mark.upperBound...]
    }
    return words.isEmpty ? "" : " (\(shortened(String(words), to: 100)))"
  }
}
