import Wording
import CrashLogParser
import CrashReading
import ReportSymbolication

/// The words of pages: headings, labels and sentences.
package enum PageWords {
  // MARK: The page

  static let contents = "Contents"
  static let filter = "Search threads and frames"
  static let addresses = "Show addresses"
  static let legend =
    "Bold functions are the app’s own code, grey ones are the operating system’s. Characters that cannot be seen are named, such as U+202E."
  package static let noReport = "No report found"

  static func title(_ name: String, reportCount: Int) -> String {
    "\(counted(reportCount, "report")) in \(name)"
  }

  /// `Game 1.2: 4 reports`
  static func title(ofProcess name: String, reportCount: Int) -> String {
    "\(name): \(counted(reportCount, "report"))"
  }

  /// `Sample of 10.00s: 291 processes`
  static func title(ofEvent event: String, processCount: Int) -> String {
    "\(event): \(processCount) processes"
  }

  static func label(_ heading: String, ofReport number: Int) -> String {
    "\(heading), report \(number)"
  }

  // MARK: Headings

  static let summary = "Summary"
  package static let missing = "What is missing"
  static let notes = "Notes"
  static let threads = "Threads"
  static let firstThread = "First thread"
  static let event = "Details"
  static let registers = "Registers"
  static let images = "Images"
  package static let report = "Report"
  static let noReason = "The report does not say why it crashed"
  static let seeWhy =
    "This command says where symbols were looked for, and why what was found does not fit:"

  /// The section of the backtraces that are open.
  static func crashHeading(_ event: ReportEvent) -> String {
    switch event {
    case .crash: "Crashed thread"
    case .leak: "Where it was allocated"
    default: "Most sampled thread"
    }
  }

  static func moreReports(_ count: Int) -> String {
    "\(counted(count, "more report")) left out, to keep the text short enough for an issue."
  }
  static func moreThreads(_ count: Int) -> String {
    "\(counted(count, "more thread")) left out, to keep the text short enough for an issue."
  }
  static func moreLines(_ count: Int) -> String { "… \(counted(count, "more line")) …" }
  static func threadsHeading(_ count: Int) -> String { "Other threads (\(count))" }
  static func imagesHeading(_ count: Int) -> String { "Images (\(count))" }

  // MARK: Labels of facts

  static let exception = "Exception"
  static let thrown = "Thrown"
  static let termination = "Ended by"
  static let information = "Written by the app"
  package static let memory = "Memory"
  static let evidence = "Because of"
  static let launchDate = "Launched"
  static let awake = "Awake since boot"
  static let parent = "Parent"
  static let responsible = "Responsible"
  static let ender = "Ended by process"
  static let triage = "Kernel triage"
  static let process = "Process"
  static let system = "System"
  static let date = "Date"
  static let signature = "Signature"
  static let path = "Path"
  static let frames = "Frames"
  static let input = "Report"
  static let incident = "Incident"

  static func sureness(_ confidence: CauseFinding.Confidence) -> String? {
    switch confidence {
    case .certain: nil
    case .likely: "likely"
    case .possible: "possibly"
    }
  }

  static func partOf(_ library: String) -> String { "in \(library)" }

  static func naming(_ counts: FrameCounts) -> String {
    "\(counts.frames - counts.unresolved) of \(counted(counts.frames, "frame")) \(counts.frames == 1 ? "has" : "have") a name"
  }

  // MARK: Frames

  static let inlined = "inlined"
  static let crashSite = "crash site"
  static let here = "here"
  static func depth(_ depth: Int) -> String { "depth \(depth)" }
  static let noFrames = "no frames"

  /// What stands for frames that the report does not have.
  static func leftOut(_ count: Int) -> String {
    "… \(counted(count, "frame")) left out by the report …"
  }

  /// What stands for the rounds of a recursion after the first.
  static func repetition(period: Int, times: Int) -> String {
    period == 1
      ? "The frame above repeats \(times) times"
      : "The \(period) frames above repeat \(times) times"
  }

  /// `Thread 0 crashed`, `Last exception`, or what the report calls the frames.
  static func title(of backtrace: Backtrace, _ report: Report) -> String {
    switch backtrace.kind {
    case .lastException: return "Last exception"
    case .applicationSpecific:
      return "Application specific backtrace\(backtrace.number.map { " \($0)" } ?? "")"
    case .digest: return backtrace.name ?? "Digest"
    case .thread:
      let hasCrashed = backtrace.isCrashed && report.facts.wasEnded
      guard let number = backtrace.number.map({ "Thread \(report.format.threadText($0))" }) else {
        return hasCrashed ? "Crashed thread" : "Frames"
      }
      let mark = report.facts.onlyHighlightsThread ? "highlighted" : "crashed"
      return hasCrashed ? "\(number) \(mark)" : number
    }
  }

  // MARK: Images

  static let foundByIdentity = "symbols found by UUID"
  static let foundByBuildId = "symbols found by build-id"
  static let foundByName = "symbols matched by name alone"
  static let ofSystem = "operating system"
  static let nothingToLookUp = "named by the report"

  static func noSymbols(_ frameCount: Int) -> String {
    "no symbols for \(counted(frameCount, "frame"))"
  }

  static func otherImages(_ count: Int) -> String {
    "\(counted(count, "more image")) without frames"
  }

  static func fieldsHeading(_ count: Int) -> String {
    "Head of the report (\(counted(count, "field")))"
  }
}
