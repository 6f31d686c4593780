package import CodeOwnership
import CrashLogParser
import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// What a thread did, and where.
package struct ThreadActivity {
  /// `the main thread was waiting for a lock, in`, which the place follows if there is one.
  package let text: String
  /// The index of the backtrace among those shown, and the place in it.
  package let site: (backtrace: Int, place: CrashSite)?
}

extension SymbolicatedReport {
  /// What a report is about that is neither of a crash nor only of what processes did while they
  /// were watched: a hang, or a limit that was exceeded. Nil for the others.
  package var eventReason: CrashCause.Reason? {
    let facts = source.facts
    let kind: CauseKind
    switch facts.event {
    case .hang, .launch: kind = .hang
    case .cpuUsage, .wakeups, .diskWrites: kind = .resourceLimit
    case .memory: kind = .memoryLimit
    case .crash, .leak, .panic, .sample: return nil
    }
    guard !facts.isBystander, let text = facts.eventHeadline else { return nil }
    let evidence = ["Event", "CPU", "Wakeups", "Writes", "Duration"].compactMap { name in
      facts.fields.first { $0.name == name }.map { field in
        CauseEvidence(source: .field(name), text: field.value, byteRange: field.byteRange)
      }
    }
    return CrashCause.Reason(
      CauseFinding(kind, text, .certain, evidence), .event, contradicts: [])
  }

  /// What the main thread did in a report that is not about a crash, such as a hang.
  package func mainThreadActivity(_ options: SymbolicationOptions) -> ThreadActivity? {
    guard source.facts.eventHeadline != nil else { return nil }
    let selected = backtraces.filter(\.isSelected)
    let threads = selected.indices.filter { selected[$0].source.kind == .thread }
    // The first one of a process is the main thread, whatever its number.
    guard
      var index = threads.first(where: { selected[$0].source.isOfMainQueue })
        ?? threads.first(where: { selected[$0].source.number == 0 }) ?? threads.first
        ?? selected.indices.first(where: { selected[$0].source.isDigestOfMainThread })
    else { return nil }
    let thread = selected[index]
    var frames = thread.innermostFirst(options)
    // The text may end within the thread, below its heaviest stack.
    if thread.source.isOfMainQueue,
      let digest = selected.firstIndex(where: \.source.isDigestOfMainThread),
      case let shown = selected[digest].innermostFirst(options), shown.count > frames.count
    {
      (index, frames) = (digest, shown)
    }
    // Where a process was that did not hang is no place to look for a fault.
    let isHang = source.facts.event == .hang && !source.facts.isBystander
    let place = isHang ? CrashSite(among: frames, CodeOwners(of: self, options.codePatterns)) : nil
    return CrashCause.activity(of: name(of: thread.source, frames), frames, at: place).map {
      ThreadActivity(text: $0, site: place.map { (backtrace: index, place: $0) })
    }
  }
}

extension SymbolicatedBacktrace {
  /// Its frames, or those of its heaviest stack.
  fileprivate func innermostFirst(_ options: SymbolicationOptions) -> [ShownFrame] {
    source.isCallTree ? heaviestStack(options).reversed() : shownFrames(options)
  }
}

extension CrashCause {
  /// - Parameter place: what follows, if anything does.
  static func activity(
    of thread: Backtrace, _ frames: [ShownFrame], at place: CrashSite?
  ) -> String? {
    let isMain = thread.number == 0 || thread.isOfMainQueue
    let name = thread.number.map { "thread \($0)" } ?? "the thread"
    return activity(of: isMain ? "the main thread" : name, frames, at: place)
  }

  fileprivate static func activity(
    of name: String, _ frames: [ShownFrame], at place: CrashSite?
  ) -> String? {
    let wait = Waiting.meaning(of: frames, isMain: name == "the main thread", at: place)
    if place != nil { return "\(name) was \(wait.map { "\($0), " } ?? "")in" }
    if Waiting.isLoading(frames) {
      let what = wait ?? frames.first?.readableFunction.map { String($0.drop { $0 == "_" }) }
      return "\(name) was in dyld, which loads the libraries before the program begins"
        + (what.map { " (\($0))" } ?? "")
    }
    if let wait { return "\(name) was \(wait)" }
    if let drawing = Waiting.drawing(frames) { return "\(name) was \(drawing)" }
    let frame = frames.first { !$0.imageFileName.hasPrefix("libsystem_") }
    return (frame ?? frames.first)?.readableFunction.map { "\(name) was in \($0)" }
  }
}

extension SymbolicatedReport {
  /// `the main thread`, or `thread 0x1f3` if it begins where only other threads do: it is the first
  /// one in a piece of a report.
  ///
  /// Source: github.com/apple-oss-distributions/libpthread, src/pthread.c and pthread_asm.s.
  fileprivate func name(of thread: Backtrace, _ frames: [ShownFrame]) -> String {
    let starts = [
      "thread_start", "_pthread_start", "_pthread_body", "start_wqthread", "_pthread_wqthread",
    ]
    let isOther = frames.last?.function.map { starts.contains($0) } == true
    guard isOther || isUnknown(thread, frames), !thread.isOfMainQueue else {
      return "the main thread"
    }
    guard let number = thread.number else { return "a thread" }
    let isHexadecimal = source.format.has(.hasHexadecimalThreads)
    return "thread \(isHexadecimal ? "0x" + String(number, radix: 16) : String(number))"
  }

  /// Whether a thread is in a piece of a sample, and nothing shows that it is the main thread: in a
  /// whole one its heading says so (`DispatchQueue_1: com.apple.main-thread`, `: Main Thread`).
  private func isUnknown(_ thread: Backtrace, _ frames: [ShownFrame]) -> Bool {
    guard source.format == .sample else { return false }
    let roots = ["start", "_start", "_dyld_start", "main", "NSApplicationMain"]
    if let root = frames.last?.function, roots.contains(root) { return false }
    if let name = thread.name { return name != "Main Thread" }
    return thread.dispatchQueue != nil || thread.number == nil
  }
}

extension Backtrace {
  var isOfMainQueue: Bool { dispatchQueue == "com.apple.main-thread" }
}

/// What the innermost frames of a thread that waits say about what for.
enum Waiting {
  static func meaning(of frames: [ShownFrame], isMain: Bool, at place: CrashSite?) -> String? {
    let inner = frames.prefix(12)
    if let processor = graphics(inner, frames) { return processor }
    for sign in WaitingFunctions.signs {
      let index = inner.firstIndex { frame in
        frame.function.map { sign.functions.contains($0) } ?? false
          // Programs have functions of such names, too.
          && (![WaitingFunctions.events, WaitingFunctions.sleep].contains(sign.meaning)
            || isOfSystem(frame))
      }
      guard let index else { continue }
      if sign.meaning == WaitingFunctions.events, let name = frames[index].function {
        return "\(sign.meaning) (\(name.drop { $0 == "_" }.prefix { $0 != "$" }))"
      }
      if sign.meaning == WaitingFunctions.lock {
        return sign.meaning + owner(frames[index...], place)
      }
      let isLoop = sign.meaning == WaitingFunctions.ownLoop && isMain
      return isLoop ? loop(frames[index...]) : sign.meaning
    }
    return nil
  }

  /// Whether dyld loads libraries, from where the process begins: no initializer runs, which would
  /// be in an image of its own.
  ///
  /// Source: github.com/apple-oss-distributions/dyld, dyld/dyldMain.cpp (`start`, `prepare`).
  static func isLoading(_ frames: [ShownFrame]) -> Bool {
    guard let root = frames.last?.function, ["start", "_dyld_start"].contains(root) else {
      return false
    }
    return frames.allSatisfy { $0.imageFileName == "dyld" }
  }

  /// What the innermost function does that lays out or draws what is in windows, and its name:
  /// `laying out views (-[NSView _layoutSubtreeWithOldSize:])`. Nil if there is none.
  ///
  /// Source: developer.apple.com/documentation/appkit/nsview/layout(), …/uikit/uiview,
  /// `layoutSubviews()`; …/quartzcore/catransaction; the private names as in samples of such apps.
  static func drawing(_ frames: [ShownFrame]) -> String? {
    for frame in frames where DrawingFunctions.images.contains(frame.imageFileName) {
      guard let name = frame.ownFunction,
        let sign = DrawingFunctions.signs.first(where: {
          $0.parts.contains { name.hasBytes(of: $0) }
        })
      else { continue }
      return "\(sign.meaning) (\(withoutParameters(name)))"
    }
    return nil
  }

  /// Whether a frame is of the C library or of the kernel's, or of Go's runtime, whose functions
  /// have the same names.
  private static func isOfSystem(_ frame: ShownFrame) -> Bool {
    frame.imageFileName.hasPrefix("libsystem_") || frame.imageFileName.hasPrefix("libSystem.")
      || frame.function?.hasPrefix("runtime.") == true
  }

  /// `waiting for the GPU (IOAccelEventMachine2::waitForStamp), called by CGXShutdownDisplays`; nil
  /// if no function is one that waits for it.
  ///
  /// Source: developer.apple.com, MTLCommandBuffer.waitUntilCompleted() and
  /// CAMetalLayer.nextDrawable(), which block the thread; the kernel's names as in spindumps.
  private static func graphics(
    _ inner: ArraySlice<ShownFrame>, _ frames: [ShownFrame]
  ) -> String? {
    let index = inner.firstIndex { frame in
      frame.function.map { name in
        WaitingFunctions.graphicsEnds.contains { name.hasSuffix($0) }
          || WaitingFunctions.graphicsParts.contains { name.hasBytes(of: $0) } || name == "glFinish"
      } ?? false
    }
    guard let index, let function = frames[index].ownFunction else { return nil }
    // Who asked for it, outside the kernel and what talks to it.
    let caller = frames[index...].dropFirst().first { frame in
      frame.address.map { $0.value < kernelStart } ?? true && frame.ownFunction != nil
        && !frame.imageFileName.hasPrefix("libsystem_")
        && !["IOKit", "IOAccelerator", "Metal", "QuartzCore", "IOGPU"].contains(frame.imageFileName)
    }
    let name = caller?.ownFunction.map { ", called by \(withoutParameters($0))" }
    return "waiting for the GPU (\(withoutParameters(function)))\(name ?? "")"
  }

  private static func withoutParameters(_ name: String) -> Substring {
    ["-", "+"].contains(name.first) ? name[...] : name.prefix { $0 != "(" }
  }

  /// Of Intel's processors and of ARM.
  private static let kernelStart: UInt64 = 0xffff_0000_0000_0000

  /// ` (Store.save())`, who asked for the lock; empty if that is not known, or is the place.
  private static func owner(_ frames: ArraySlice<ShownFrame>, _ place: CrashSite?) -> String {
    let caller = frames.first { frame in
      !["libsystem_", "libdispatch", "libobjc", "libc++"].contains {
        frame.imageFileName.hasPrefix($0)
      } && frame.function.map { WaitingFunctions.lockingOrBlocking.contains($0) } != true
    }
    guard let caller, caller.index != place?.frame.index, let function = caller.ownFunction else {
      return ""
    }
    return " (\(function))"
  }

  /// The main thread waits for events in the loop that its frameworks run. In one that something
  /// else started it waits for that, and handles nothing else.
  private static func loop(_ frames: ArraySlice<ShownFrame>) -> String {
    let callers = frames.dropFirst().drop { $0.imageFileName == "CoreFoundation" }
    guard let runner = callers.first else { return "waiting in a run loop" }
    let isOfFoundation = runner.imageFileName == "Foundation"
    let starters = callers.drop { isOfFoundation && $0.imageFileName == "Foundation" }
    let isOfProgram =
      !starters.isEmpty
      && starters.allSatisfy { ["main", "start"].contains($0.function) || $0.function == nil }
    if isOfProgram || eventImages.contains(runner.imageFileName) {
      return WaitingFunctions.ownLoop
    }
    return "waiting in a run loop\(isOfFoundation ? " that -[NSRunLoop run…] started" : "")"
  }

  private static let eventImages: Set = [
    "GraphicsServices", "HIToolbox", "AppKit", "UIKitCore", "UIKit", "libxpc.dylib", "WatchKit",
  ]
}
