package import CodeOwnership
import CrashLogParser
import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// What the rules look at to find the reason of a crash. What several of them ask for is found
/// once.
final class CrashScene {
  package let report: Report
  /// The frames of the backtrace of the crash, innermost first; empty if there is none.
  package let frames: [ShownFrame]
  let owners: CodeOwners
  /// Where in the user's own code it happened, if that is known.
  package let site: CrashSite?
  /// Why the innermost frame traps, if the compiler said so.
  let trap: TrapMessage?

  // Rules ask for these again and again. A copy costs a reference count for each text in them.
  let facts: ReportFacts
  let exception: ReportFacts.CrashException

  /// Most reasons need none.
  private(set) lazy var registers = report.crashRegisters

  /// Nil if the crash is no bad access.
  private(set) lazy var memoryFault = MemoryFault(self)

  init(
    _ report: Report, frames: [ShownFrame], owners: CodeOwners, site: CrashSite?,
    trap: TrapMessage? = nil
  ) {
    self.report = report
    facts = report.facts
    exception = report.facts.exception
    self.frames = frames
    self.owners = owners
    self.site = site
    self.trap = trap
  }

  /// The innermost frames of the code that failed. If a signal handler ran, what failed is below
  /// it.
  private(set) lazy var innermostFrames: ArraySlice<ShownFrame> =
    frames[SignalHandler.end(frames)...].prefix(Self.innermostLimit)

  /// Whether somebody left out the innermost frames: the numbers of the others do not begin at 0.
  var lacksInnermostFrames: Bool {
    let stack = report.crashedThread ?? report.backtraces.first
    return stack?.frames.first?.index.map { $0 > 0 } ?? false
  }

  /// The names of their functions, as they are compared with signs; nil for a frame without one.
  private(set) lazy var innermostNames: [FunctionWords?] = innermostFrames.map(\.ownWords)

  /// The frames that can have ended the process: the innermost ones, up to the first frame of the
  /// user's own code. Swift's standard library may be compiled into the program.
  private(set) lazy var endingFrames: ArraySlice<ShownFrame> =
    innermostFrames.prefix { frame in
      owners.owner(of: frame) != .user
        || frame.traits?.machinery.map { match in
          Self.swiftTitles.contains(match.title)
            || match.title == FrameMachinery.assertionTitle && frame.authorship == .toolchain
        } == true
        // With all their modules and types.
        || frame.authorship == .toolchain && frame.traits?.words.lastWord == "_assertionFailure"
    }

  private static let swiftTitles: Set = [
    FrameMachinery.swiftRuntimeTitle, FrameMachinery.swiftLibraryTitle,
  ]

  /// Whether a function may have ended the process on purpose: the exception is one that processes
  /// cause themselves, or a handler ran for the signal of `abort()`. Then the exception is that of
  /// the handler, which failed in turn.
  private(set) lazy var canEndInFunction =
    exception.canEndInFunction || hasHandledAbort || isAbortOfOtherName

  /// Source: abort(3), sigaction(2).
  private var hasHandledAbort: Bool {
    innermostFrames.startIndex > 0
      && innermostFrames.prefix { frame in
        TerminateHandler.abortImages.contains(frame.imageFileName)
          || frame.imageFileName.hasPrefix("libc.so")
      }
      .contains { $0.ownFunction == "abort" }
  }

  /// Whether the innermost frames are those of `abort()`, and the report has no more of a bad
  /// access than the name: no access is bad there, so who wrote the head was wrong.
  private var isAbortOfOtherName: Bool {
    exception.type == "EXC_BAD_ACCESS" && exception.signal == nil && exception.subtype == nil
      && exception.codes.isEmpty && innermostFrames.startIndex == 0
      && innermostFrames.prefix(4).contains { $0.ownFunction == "abort" }
      && innermostFrames.first?.ownFunction?.hasSuffix("_kill") == true
  }

  /// A function that ends the process is within a few frames of the innermost one.
  private static let innermostLimit = 32

  // MARK: Evidence

  /// The first of these fields that the head has. Names in text and keys in JSON.
  func field(_ names: String...) -> CauseEvidence? {
    for name in names {
      if let field = facts.fields.first(where: { $0.name == name }) {
        return CauseEvidence(
          source: .field(name), text: field.value, byteRange: field.byteRange)
      }
      // Objects of an `.ips` are not among the fields.
      if let value = report.json?[name], value.kind == .object {
        let text = value.members.compactMap(\.value.string).joined(separator: ", ")
        return CauseEvidence(source: .field(name), text: text, byteRange: value.byteRange)
      }
    }
    return nil
  }

  /// The field that says what kind of exception it was.
  var exceptionField: CauseEvidence? {
    field("Exception Type", "exception", "exceptionType", "mach")
  }

  /// The field with the address or the words of the exception.
  var exceptionDetails: CauseEvidence? {
    field(
      "Exception Subtype", "Exception Codes", "Exception Message", "exception",
      "virtualMemoryRegionInfo", "exceptionCode", "mach")
  }

  var terminationField: CauseEvidence? {
    field("Termination Reason", "termination", "terminationReason")
  }

  package func evidence(_ frame: ShownFrame) -> CauseEvidence {
    let text = frame.readableFunction ?? "\(frame.imageName), without a name"
    return CauseEvidence(source: .frame(frame.index), text: text, byteRange: frame.byteRange)
  }

  func register(_ name: String, _ value: UInt64?) -> CauseEvidence? {
    value.map {
      CauseEvidence(source: .register(name), text: $0.hexadecimal, byteRange: nil)
    }
  }
}

/// What the reason and the signature of a crash are both found in: the frames of a backtrace, and
/// whose code each is.
package final class CrashReading {
  package let owners: CodeOwners
  private let report: SymbolicatedReport
  package let options: SymbolicationOptions
  private var known: (backtrace: Int, frames: [ShownFrame])?

  package init(_ report: SymbolicatedReport, _ options: SymbolicationOptions) {
    self.report = report
    self.options = options
    owners = CodeOwners(of: report, options.codePatterns)
  }

  /// The frames of a backtrace, innermost first. Frames that are not shown count too.
  ///
  /// - Parameter index: among all backtraces of the report.
  package func frames(ofBacktrace index: Int) -> [ShownFrame] {
    if let known, known.backtrace == index { return known.frames }
    let frames = report.backtraces[index].examinedFrames(options)
    known = (index, frames)
    return frames
  }

  /// Calls `body` for each frame to show of a backtrace, in the order of its rows. What was found
  /// out for the reading is not found out again.
  package func forEachShownFrame(ofBacktrace index: Int, _ body: (ShownFrame) -> Void) {
    if !options.onlyUserCode, let known, known.backtrace == index {
      known.frames.forEach(body)
    } else {
      report.backtraces[index].forEachShownFrame(options, body)
    }
  }
}
