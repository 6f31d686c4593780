import SymbolicationModel

/// Finds where in the user's own code a crash happened: the innermost frame that is useful to the
/// author of the code.
enum CrashSite {
  /// The first frame of the user's own code that has a line somebody wrote.
  ///
  /// Compiler-generated code, thunks and the C++ standard library are skipped, both among the calls
  /// inlined at one address and from a frame to its caller. If no function up to the next system
  /// frame has a line, the result is the first of them. A frame whose line is unknown (no debug
  /// information, or no symbols at all) is not skipped: a frame further out would be a different
  /// place.
  ///
  /// - Parameter frames: the frames of a backtrace, innermost first.
  /// - Returns: nil if no frame belongs to the user's own code.
  static func frame(among frames: [ShownFrame], in userCode: UserCode) -> ShownFrame? {
    var withoutLine: ShownFrame?
    var skipped: ShownFrame?
    // Cached per image, because backtraces may be very long.
    var answers: [ReportImage: Bool] = [:]
    for frame in frames.prefix(entryPoint(frames, userCode, &answers) ?? frames.count) {
      guard userCode.holds(frame, &answers) else {
        if withoutLine != nil { break }
        continue
      }
      switch (frame.authorship, frame.lineKnowledge) {
      case (.trap, _): break
      case (.toolchain, _): skipped = skipped ?? frame
      case (.user, .line): return frame
      case (.user, .unknown): return withoutLine ?? frame
      case (.user, .none): withoutLine = withoutLine ?? frame
      }
    }
    return withoutLine ?? skipped
  }

  /// The index of the first frame that only starts the program: `main`, and what the compiler puts
  /// around it, if a framework runs the app. These frames are outermost for every event that the
  /// framework handles, so they say nothing about the crash. Nil if there are none.
  private static func entryPoint(
    _ frames: [ShownFrame], _ userCode: UserCode, _ answers: inout [ReportImage: Bool]
  ) -> Int? {
    var index = frames.count
    while index > 0,
      isOfLoader(frames[index - 1])
        || isMain(frames[index - 1]) && userCode.holds(frames[index - 1], &answers)
    {
      index -= 1
    }
    guard index > 0, runningImages.contains(frames[index - 1].imageFileName) else { return nil }
    return index
  }

  /// Whether this is `main`, or its Swift equivalent (`static App.main()`, `static App.$main()`). A
  /// nameless frame that calls a framework that runs apps most likely is.
  private static func isMain(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function else { return true }
    return function == "main" || function.hasSuffix(".main()") || function.hasSuffix(".$main()")
  }

  private static func isOfLoader(_ frame: ShownFrame) -> Bool {
    ["dyld", "libdyld.dylib", "dyld_sim"].contains(frame.imageFileName) || frame.function == "start"
  }

  /// Images with a function that runs the program and never returns to `main`: `UIApplicationMain`,
  /// `xpc_main`, ….
  private static let runningImages: Set = [
    "UIKit", "UIKitCore", "AppKit", "SwiftUI", "WatchKit", "ExtensionFoundation", "PlugInKit",
    "libxpc.dylib",
  ]
}

extension ShownFrame {
  /// Reports of macOS 11 and earlier show bundle identifiers; the file name is in the path.
  fileprivate var imageFileName: String { image?.path?.lastPathComponent ?? imageName }
}

extension UserCode {
  fileprivate func holds(_ frame: ShownFrame, _ answers: inout [ReportImage: Bool]) -> Bool {
    guard let image = frame.image else { return holds(frame) }
    if let answer = answers[image] { return answer }
    let answer = holds(image)
    answers[image] = answer
    return answer
  }
}
