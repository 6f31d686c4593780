import SymbolicationModel

/// Where in the user's own code a crash happened: the innermost frame of a backtrace that is of use
/// to the code's author.
enum CrashPlace {
  /// The first frame of the user's own code with a line that somebody wrote.
  ///
  /// What the compiler made up, thunks and the C++ standard library are looked past, among the
  /// calls inlined at one address as from a frame to its caller. Where none of the functions that
  /// call each other has a line, before the system's code comes, it is the first of them. A frame
  /// of which nothing tells the line (there is no debug information, or no symbols at all) is the
  /// one, too: any other would be another place.
  ///
  /// - Parameter frames: those of a backtrace, innermost first.
  /// - Returns: nil where no frame is of the user's own code.
  static func frame(among frames: [ShownFrame], in userCode: UserCode) -> ShownFrame? {
    var withoutLine: ShownFrame?
    var lookedPast: ShownFrame?
    // An answer for each image, not for each frame: backtraces may be very long.
    var answers: [ReportImage: Bool] = [:]
    for frame in frames.prefix(entryPoint(frames, userCode, &answers) ?? frames.count) {
      guard userCode.holds(frame, &answers) else {
        if withoutLine != nil { break }
        continue
      }
      switch (frame.authorship, frame.sourcePlace) {
      case (.trap, _): break
      case (.toolchain, _): lookedPast = lookedPast ?? frame
      case (.user, .line): return frame
      case (.user, .unknown): return withoutLine ?? frame
      case (.user, .none): withoutLine = withoutLine ?? frame
      }
    }
    return withoutLine ?? lookedPast
  }

  /// Where the frames begin that only start the program: those of `main` and what the compiler puts
  /// around it, where a framework runs the app that `main` handed it. Of every event that it
  /// handles they are the outermost, and say nothing of what happened. Nil where there are none.
  private static func entryPoint(
    _ frames: [ShownFrame], _ userCode: UserCode, _ answers: inout [ReportImage: Bool]
  ) -> Int? {
    var place = frames.count
    while place > 0,
      isOfLoader(frames[place - 1])
        || isMain(frames[place - 1]) && userCode.holds(frames[place - 1], &answers)
    {
      place -= 1
    }
    guard place > 0, runningImages.contains(frames[place - 1].imageFileName) else { return nil }
    return place
  }

  /// `main`, or what stands for it in Swift (`static App.main()`, `static App.$main()`). A frame
  /// without a name below a framework that runs apps is that, most likely.
  private static func isMain(_ frame: ShownFrame) -> Bool {
    guard let function = frame.function else { return true }
    return function == "main" || function.hasSuffix(".main()") || function.hasSuffix(".$main()")
  }

  private static func isOfLoader(_ frame: ShownFrame) -> Bool {
    ["dyld", "libdyld.dylib", "dyld_sim"].contains(frame.imageFileName) || frame.function == "start"
  }

  /// Those whose functions `main` calls that do not return: `UIApplicationMain`, `xpc_main`, ….
  private static let runningImages: Set = [
    "UIKit", "UIKitCore", "AppKit", "SwiftUI", "WatchKit", "ExtensionFoundation", "PlugInKit",
    "libxpc.dylib",
  ]
}

extension ShownFrame {
  /// Reports of macOS 11 and earlier show bundle identifiers; the file's name is in the path.
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
