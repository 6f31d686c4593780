import CrashLogParser
package import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// Where a crash happened: the innermost frame that is useful to the author of the code.
package struct CrashSite {
  package let frame: ShownFrame
  /// The library that the frame belongs to, if no frame belongs to the user's own code; nil for the
  /// user's own.
  package let library: String?
  /// Names the function, if the frame is a trap, whose name is none.
  private let trapFunction: ShownFrame?
  /// The function of the same image that called this one, if the frame has no name: that of its
  /// caller says more than a distance in the image, and text from a debugger has nothing else.
  package private(set) var namedCaller: ShownFrame?
  /// The user's own code with its line that called the image which is the place, directly or not,
  /// if no line is known there: what the author of the program can look at. Of a library, it is
  /// `main`.
  package private(set) var ownCaller: ShownFrame?

  /// The function that it happened in; nil if it has no name of its own.
  package var function: String? {
    guard frame.authorship == .trap else { return frame.ownFunction }
    // A thunk is not where the trap is, but what it calls.
    let wrapped = trapFunction?.wrapsFunction == true ? trapFunction?.traits?.normalized : nil
    return wrapped ?? trapFunction?.ownFunction
  }

  /// The first frame of the user's own code that names a place somebody wrote.
  ///
  /// Compiler-generated code, thunks, merged and outlined code and the C++ standard library are
  /// skipped, both among the calls inlined at one address and from a frame to its caller. If no
  /// function up to the next frame of others has a place, the result is the first of them.
  ///
  /// - A frame whose line is unknown (no debug information, or no symbols at all) is not skipped: a
  ///   frame further out would be a different place.
  /// - A function with line 0 in a file that somebody wrote is not skipped either. The optimiser
  ///   merged its lines, but it is nearer to the crash than any caller with a line. A call inlined
  ///   into it counts only if it has a line.
  /// - A thunk that names a function of the user's (`@objc Board.draw()`) stands for it if the
  ///   function itself has no frame.
  /// - Frames of libraries are skipped like the system's. If the user's own code has no frame, or
  ///   only `main` and code that the compiler generated, the innermost frame of a library is the
  ///   place. A crash SDK is one only if it failed itself: if its frame is innermost.
  /// - Frames above a signal handler, or above the runtime that ends the process for an exception
  ///   that nobody caught, are the handler's. What failed is below it.
  /// - A trap with a line of its own is nearer than all others (``TrapPlace``).
  /// - A library that called through a null pointer is the place itself (``NullCall``).
  ///
  /// - Parameter frames: the frames of a backtrace, innermost first.
  /// - Returns: nil if every frame belongs to the operating system.
  package init?(among frames: [ShownFrame], _ owners: CodeOwners) {
    var withoutLine: ShownFrame?
    var skipped: ShownFrame?
    var ofLibrary: (frame: ShownFrame, title: String)?
    var ofHandler: (frame: ShownFrame, title: String)?
    var found: ShownFrame?
    /// The index of the frame that called a function that only ends the process.
    var endingIndex: Int?
    let start = Self.start(frames, owners)
    let limit = RunLoop.start(frames[start...]) ?? frames.count
    let end = max(start, min(limit, Self.entryPoint(frames, owners) ?? frames.count))
    if let call = NullCall.caller(frames[start..<end], owners),
      owners.isOfMemoryFault || !SignalHandler.isEmptySlot(at: start, frames)
    {
      (frame, library, trapFunction) = (call.frame, call.library, nil)
      return
    }
    search: for (index, frame) in zip(start..., frames[start..<end]) {
      switch owners.owner(of: frame) {
      case .user: break
      case .library(let title) where LibraryCode.isCrashHandler(title):
        // What threw is no handler of that exception.
        let isAtWork =
          frame.ownFunction != nil
          && (frame.traits?.machinery == nil || TerminateHandler.throwsException(frames[start])
            || owners.isUnexplained && WaitingFunctions.areBlocked(frames.first?.function))
        if ofHandler == nil, frame.index == frames[start].index || isAtWork {
          ofHandler = (frame, title)
        }
        continue
      case .library(let title):
        // What stops the process says less about the place than what it was called by.
        let stops = { (frame: ShownFrame) in
          frame.traits?.machinery != nil || ThrowHelper.makesException(frame, owners)
        }
        // A frame without a name or a place in its image is nothing that could be looked up.
        let isBetter = { (other: ShownFrame) in
          stops(other) && !stops(frame)
            || owners.version != .first && other.function == nil && other.imageOffset == nil
              && frame.ownFunction != nil && frame.imageFileName == other.imageFileName
              && !stops(frame)
        }
        if ofLibrary.map({ isBetter($0.frame) }) ?? true {
          ofLibrary = (frame, title)
        }
        if withoutLine != nil { break search }
        continue
      case .system:
        if withoutLine != nil { break search }
        if let thunk = skipped, thunk.wrapsFunction {
          withoutLine = thunk
          break search
        }
        continue
      }
      // A name that is another function's makes nothing of it.
      let isMisnamed = owners.version != .first && frame.isFarFromNamedFunction
      switch (isMisnamed ? .user : frame.authorship, frame.lineKnowledge) {
      case (.trap, _): break
      // Nobody knows the function, and one that called it nearby has a name.
      case (.user, _)
      where owners.version != .first && frame.hasHiddenName
        && Self.namedCaller(index, frames[..<end]) != nil:
        skipped = skipped ?? frame
      case (.toolchain, _):
        if skipped?.wrapsFunction != true {
          skipped = frame.wrapsFunction ? frame : skipped ?? frame
        }
      case (.user, .line):
        found = frame
        break search
      // The page has no symbols of it, and the program's own call of it is just below.
      case (.user, .unknown)
      where owners.isOfCrashlytics && Self.isCalledByNamed(index, frames[..<end], owners):
        skipped = skipped ?? frame
      case (.user, .unknown)
      where ofLibrary != nil && frame.isCutInName || ThrowHelper.isCutInAddress(index, frames):
        skipped = skipped ?? frame
      // Generic code of Swift's standard library is compiled into the program that uses it.
      case (.user, .unknown)
      where owners.version != .first
        && frame.traits?.machinery?.title == FrameMachinery.swiftRuntimeTitle:
        skipped = skipped ?? frame
      // The function that it called ends the process, so its name, and where it is in its image,
      // are not in the text. The next one is nearly as good.
      case (.user, .unknown)
      where owners.version != .first && frame.imageOffset == nil
        && (frame.isNamedAfterNextFunction
          || frame.function == nil && index > 0
            && (index == endingIndex || frames[index - 1].traits?.machinery != nil))
        && Self.namedCaller(index, frames[..<end]) != nil:
        skipped = skipped ?? frame
        endingIndex = index + 1
      case (.user, .unknown):
        found = withoutLine ?? frame
        break search
      case (.user, .zero) where !frame.isInlined:
        found = withoutLine ?? frame
        break search
      // Linkers fold equal code that the compiler generated, so its name may be that of another
      // function. A library nearer to the crash says more.
      case (.user, .none) where ofLibrary != nil: skipped = skipped ?? frame
      case (.user, .zero), (.user, .none): withoutLine = withoutLine ?? frame
      }
    }
    let trap =
      owners.version == .first
      ? nil : TrapPlace(frames[start..<end], orElse: found ?? withoutLine, owners)
    trapFunction = trap?.function
    if let trap {
      frame = trap.trap
      if case .library(let title) = owners.owner(of: trap.trap) {
        library = title
      } else {
        library = nil
      }
    } else if let frame = found ?? withoutLine ?? (ofLibrary == nil ? skipped : nil),
      ofLibrary == nil && ofHandler == nil || frame.function == nil || !Self.isMain(frame),
      // A function far away from its name, in an image that is not known, is no place.
      ofLibrary == nil || frame.function == nil || frame.ownFunction != nil
        || frame.imageOffset != nil
    {
      self.frame = frame
      library = nil
    } else if let ofOthers = ofLibrary ?? ofHandler {
      frame = ofOthers.frame
      library = ofOthers.title
      ownCaller = ofLibrary != nil && found?.lineKnowledge == .line ? found : nil
    } else {
      return nil
    }
    let place = frame
    if library == nil, trapFunction == nil, place.lineKnowledge == .unknown {
      ownCaller = frames[..<end].drop { $0.index != place.index }.prefix(24).first { caller in
        caller.lineKnowledge == .line && caller.authorship == .user
          && caller.imageFileName != place.imageFileName && owners.owner(of: caller) == .user
      }
    }
    guard place.function == nil || library != nil && place.isFarFromNamedFunction,
      place.imageName.known != nil,
      let index = frames.firstIndex(where: { $0.index == place.index })
    else { return }
    namedCaller = Self.namedCaller(index, frames[..<end])
  }

  /// The named function of the same image that called a frame without a name of its own, maybe
  /// through others like it; nil if it is only `main`.
  static func namedCaller(_ index: Int, _ frames: ArraySlice<ShownFrame>) -> ShownFrame? {
    let callers = frames[index...].dropFirst().prefix(8)
      .prefix { $0.imageFileName == frames[index].imageFileName }
    return callers.first { $0.ownFunction != nil && !$0.hasHiddenName }
      .flatMap { isMain($0) ? nil : $0 }
  }

  /// Whether a frame and those around it in its image have no names, and the next frame is in
  /// another image of the program, with its place. Crashlytics' pages have symbols of what the
  /// program's author built, and not of the libraries that others built.
  static func isCalledByNamed(
    _ index: Int, _ frames: ArraySlice<ShownFrame>, _ owners: CodeOwners
  ) -> Bool {
    let image = frames[index].imageFileName
    let callers = frames[index...].prefix(16)
    guard let caller = callers.first(where: { $0.imageFileName != image }),
      callers.prefix(while: { $0.imageFileName == image }).allSatisfy({ $0.function == nil })
    else { return false }
    return caller.lineKnowledge == .line && caller.ownFunction != nil
      && owners.owner(of: caller) == .user
  }

  /// The index of the first frame that can be the place: behind handlers, and behind functions that
  /// only end the process.
  package static func start(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int {
    let start = max(
      SignalHandler.end(frames), TerminateHandler.end(frames, owners),
      TerminateHandler.endByNames(frames, owners), FatalHelper.end(frames, owners),
      owners.version == .first
        ? 0
        : max(
          AllocatorCall.end(frames, owners), FatalMemory.end(frames), KotlinThrowable.end(frames),
          RepeatedPanic.end(frames), RustPanicHook.end(frames), MonoHandler.end(frames),
          NodeAddon.end(frames), SignalHandler.endOfCleanUp(frames)))
    return ThrowHelper.end(frames, from: start, owners)
  }

  /// The index of the first frame that only starts the program: `main`, and what the compiler puts
  /// around it, if a framework runs the app. These frames are outermost for every event that the
  /// framework handles, so they say nothing about the crash. Nil if there are none.
  package static func entryPoint(_ frames: [ShownFrame], _ owners: CodeOwners) -> Int? {
    var index = frames.count
    var isStart = false
    // Whether a name says that the program starts here.
    var isNamed = false
    while index > 0 {
      let frame = frames[index - 1]
      if isStart, runningLibraries.contains(frame.imageFileName), owners.version != .first {
        return index
      }
      let startsProgram =
        switch owners.owner(of: frame) {
        case .system: isOfLoader(frame)
        case .user: isMain(frame) || isOfLoader(frame)
        // A runtime that calls the app's own `main`.
        case .library: true
        }
      guard startsProgram else { break }
      if case .library = owners.owner(of: frame) {} else { isStart = true }
      if frame.function != nil || isOfLoader(frame) { isNamed = true }
      index -= 1
    }
    guard isStart || owners.version == .first, index > 0 else { return nil }
    let runner = frames[index - 1]
    let name =
      owners.version == .first
      ? runner.image?.fileName ?? runner.imageName : runner.imageFileName
    // Where the text ends, any code of the program may be outermost.
    if !isNamed, owners.version != .first, name.hasPrefix("UIKit"),
      !runsEvents(frames[..<index])
    {
      return nil
    }
    // What runs the views that a program shows in others.
    let isViewService = owners.version != .first && name == "ViewBridge"
    return runningImages.contains(name) || isViewService ? index : nil
  }

  /// Whether the outermost frames are those of `UIApplicationMain`: a few of UIKit, which
  /// GraphicsServices called back, as in all versions of iOS.
  private static func runsEvents(_ frames: ArraySlice<ShownFrame>) -> Bool {
    let loop = frames.suffix(4).reversed().first { !$0.imageFileName.hasPrefix("UIKit") }
    return loop.map { $0.imageFileName == "GraphicsServices" } ?? false
  }

  /// Whether this is `main`, its Swift equivalent (`static App.main()`, `static App.$main()`) or
  /// that of .NET (`Game_Application_Main_string__`). A nameless frame that calls a framework that
  /// runs apps most likely is.
  private static func isMain(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function else { return true }
    return function == "main" || function == "__debug_main_executable_dylib_entry_point"
      // SwiftPM names it after the module, so that tests can be linked with it.
      || function.hasSuffix("_main") && function.dropLast(5) == frame.imageFileName
      || mainEndings.contains { function.hasSuffix($0) }
      || managedMains.contains { function.hasBytes(of: $0) }
  }

  private static let mainEndings = [".main()", ".$main()", "_Main_string__"]
  private static let managedMains = [".Main(String[]", ".Main (System.String[]"]

  private static func isOfLoader(_ frame: ShownFrame) -> Bool {
    loaders.contains(frame.imageFileName) || frame.function == "start"
      || frame.function == nil && frame.imageName == unknownImageName
  }

  private static let loaders = ["dyld", "libdyld.dylib", "dyld_sim"]

  /// Images with a function that runs the program and never returns to `main`: `UIApplicationMain`,
  /// `xpc_main`, …; and the runtimes that call the app's code from their own `main`.
  private static let runningImages: Set = [
    "UIKit", "UIKitCore", "AppKit", "SwiftUI", "WatchKit", "ExtensionFoundation", "PlugInKit",
    "libxpc.dylib", "libhostfxr.dylib",
  ]

  /// Runtimes in which the whole app runs, and whose frames are its only ones.
  private static let runningLibraries: Set = ["Electron Framework", "nwjs Framework"]
}

extension ShownFrame {
  /// The function of this frame, readable; nil if the name that the report or the symbol file gives
  /// is that of another function.
  package var ownFunction: String? { ownWords?.readable }

  /// Whether a build with bitcode hid the name, and nobody translated it: `__hidden#12_`. Some
  /// pages drop underscores.
  package var hasHiddenName: Bool {
    function.map { name in
      let word = name.utf8.drop { $0 == UInt8(ascii: "_") }
      return word.starts(with: "hidden#".utf8)
    } ?? false
  }

  /// That name in the forms that rules compare.
  package var ownWords: FunctionWords? {
    isNamedAfterNextFunction || isFarFromNamedFunction ? nil : traits?.words
  }

  /// Whether the compiler made it around one function that somebody wrote, whose name it has.
  var wrapsFunction: Bool {
    guard let readable = traits?.readable, !readable.hasBytes(of: "thunk for ") else {
      return false
    }
    return Self.wrappings.contains { readable.hasPrefixBytes($0) }
  }

  private static let wrappings = [
    "@objc ", "@nonobjc ", "partial apply for ", "protocol witness for ", "vtable thunk for ",
    "dispatch thunk of ",
  ]
}

/// What calls out for events, timers and blocks. Whoever started it, further out, is no place of
/// what they do.
///
/// Source: CoreFoundation, CFRunLoop.c; Qt, qtbase/src/corelib/kernel/qeventloop.cpp and
/// src/plugins/platforms/cocoa/qcocoaeventdispatcher.mm.
package enum RunLoop {
  /// The index of the innermost frame of a run loop that called something; nil if there is none, or
  /// if it only waits.
  package static func start(_ frames: ArraySlice<ShownFrame>) -> Int? {
    let index = frames.firstIndex { frame in
      frame.function.map { name in
        firstBytes.contains(name.utf8.first ?? 0)
          && runners.contains { name.hasPrefixBytes($0) }
      } ?? false
    }
    guard let index else {
      return frames.suffix(8).firstIndex { $0.function?.hasBytes(of: threadStart) == true }
    }
    guard index > frames.startIndex,
      frames[index - 1].function.map({ waits.contains($0) }) != true,
      !throwsItself(index, frames)
    else { return nil }
    return index
  }

  /// Whether the loop did not begin, but threw an exception for how it was called: nothing is above
  /// its frame but what throws, with one function without a name of its own at most.
  private static func throwsItself(_ index: Int, _ frames: ArraySlice<ShownFrame>) -> Bool {
    let above = frames[..<index].suffix(4)
    let others = above.filter { $0.traits?.machinery == nil }
    return above.contains { $0.traits?.words.lastWord == "objc_exception_throw" }
      && (others.isEmpty || others.count == 1 && others[0].ownFunction == nil)
  }

  /// SwiftNIO's start of all its threads (apple/swift-nio, ThreadPosix.swift).
  private static let threadStart = ".ThreadOpsPosix.run("

  private static let runners = [
    "__CFRunLoopRun", "CFRunLoopRun", "_CFRunLoopRun", "-[NSRunLoop(NSRunLoop) run",
    "-[NSRunLoop run", "-[NSApplication run]", "QEventLoop::exec(", "QEventLoop::processEvents(",
    "QCocoaEventDispatcher::processEvents(",
  ]
  /// They rule most names out.
  private static let firstBytes = runners.compactMap(\.utf8.first)
  private static let waits: Set = ["__CFRunLoopServiceMachPort", "mach_msg", "mach_msg_trap"]
}
