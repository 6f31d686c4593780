package import ReportRuns
package import ReportSymbolication
import TestSupport

/// Reports that tests put together, and their output.
package enum ReportFixture {
  /// The load address of the images in the reports. The example report has the app there, too.
  package static let storyBase: UInt64 = 0x1_0022_8000
  package static let storyLine =
    "0x100228000 - 0x10026bfff Letter Shuffle arm64  <a4b1de4970b3301da64458d6bc22f513> /var/containers/Bundle/Application/1/Letter Shuffle.app/Letter Shuffle"

  package static let sampleHead = """
    Sampling process 7 for 3 seconds with 1 millisecond of run time between samples
    Analysis of sampling Letter Shuffle (pid 7) every 1 millisecond
    Process:         Letter Shuffle [7]
    Code Type:       ARM64

    Call graph:
        2705 Thread_9   DispatchQueue_1: com.apple.main-thread  (serial)
        + 2705 start  (in dyld) + 1  [0x7fff6fbfecc9]

    """
  package static let sampleImages = """

    Binary Images:
           0x100228000 -        0x10026bfff +Letter Shuffle (1.3) <A4B1DE49-70B3-301D-A644-58D6BC22F513> /var/Letter Shuffle

    """

  /// What `sample` prints for a process with the app at ``storyBase``.
  package static let sample =
    sampleHead + """
          +   2705 ???  (in Letter Shuffle)  load address 0x100228000 + 0x1d520  [0x100245520]
          +     2000 GameViewController.viewDidLoad()  (in Letter Shuffle) + 40  [0x1002453f4]
          +     ! 2000 0x10024563c
          +     ! : 2000 ???  (in Letter Shuffle)  load address 0x100228000 + 0x2719c  [0x10024f19c]
          +     705 ???  (in <unknown binary>)  [0x4800047383]

      Total number in stack (recursive counted multiple, when >=5):
              31       ???  (in Letter Shuffle)  load address 0x100228000 + 0x1d520  [0x100245520]

      Sort by top of stack, same collapsed (when >= 5):
              ???  (in Letter Shuffle)  load address 0x100228000 + 0x2719c  [0x10024f19c]        12

      """ + sampleImages

  /// A report of one crashed thread, in the layout of iOS.
  package static func report(frames: [String], images: [String] = [storyLine]) -> String {
    """
    Incident Identifier: 1
    Process:             Letter Shuffle [1]
    Code Type:           ARM-64 (Native)
    Report Version:      104

    Thread 0 Crashed:
    \(frames.joined(separator: "\n"))

    Binary Images:
    \(images.joined(separator: "\n"))

    """
  }

  /// `0   Letter Shuffle                0x000000010024f19c 0x100228000 + 160156`
  package static func frame(
    _ index: Int, _ address: UInt64, image: String = "Letter Shuffle", base: UInt64 = storyBase
  ) -> String {
    line(index, address, image: image, "0x\(String(base, radix: 16)) + \(address &- base)")
  }

  /// The same frame with other content.
  package static func line(
    _ index: Int, _ address: UInt64, image: String = "Letter Shuffle", _ content: String
  ) -> String {
    let digits = String(address, radix: 16)
    let padding = String(repeating: "0", count: 16 - digits.count)
    return "\(padded("\(index)", 4))\(padded(image, 30))0x\(padding)\(digits) \(content)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  /// One line for each frame, so that tests of other things can count them.
  package static var withoutInlinedFrames: SymbolicationOptions {
    var options = SymbolicationOptions()
    options.showsInlinedFrames = false
    return options
  }

  package static func symbolicate(
    _ text: String, with symbols: [String] = [Fixtures.storyBundle]
  ) -> ReportJob.Result {
    var job = ReportJob(symbolPaths: symbols, options: withoutInlinedFrames)
    return job.symbolicate(Array(text.utf8), shownPath: "report")
  }

  /// The text after the address in each frame of the output's first thread.
  package static func contents(
    _ frames: [String], images: [String] = [storyLine],
    with symbols: [String] = [Fixtures.storyBundle]
  ) -> [String] {
    let result = symbolicate(report(frames: frames, images: images), with: symbols)
    let lines = String(decoding: result.output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.hasPrefix("Thread 0") }.map { $0 + 1 } ?? 0
    // Index and image take 34 columns, the address 18, and a space follows.
    return lines[start..<min(start + frames.count, lines.count)].map { String($0.dropFirst(53)) }
  }
}
