import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// One report with the line ends and columns that transfers change it to.
struct LineEndTests {
  static let text = """
    Incident Identifier: I
    Process:             Letter Shuffle [57833]
    Path:                /var/Letter Shuffle

    Exception Type:  EXC_BREAKPOINT (SIGTRAP)
    Triggered by Thread:  0

    Thread 0 name:  Dispatch queue: com.apple.main-thread
    Thread 0 Crashed:
    0   Letter Shuffle                \t0x000000010024f19c 0x100228000 + 160156
    1   UIKitCore                     \t0x00000001f2b23224 -[UIView f] + 4 (UIView.m:3)

    Thread 0 crashed with ARM Thread State (64-bit):
        x0: 0x0000000000000006   x1: 0x0000000000000004

    Binary Images:
    0x100228000 - 0x10026bfff Letter Shuffle arm64  <b4a1de4991b33d1da64fa8d6bc44f649> /var/L S

    """

  static let variants: [String] = [
    text,
    text.replacing("\n", with: "\r\n"),
    text.replacing("\n", with: "\r\r\n"),
    "\u{feff}" + text,
    "\n\n" + text,
    String(text.dropLast(1)),
    text.replacing("\t", with: " "),
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.replacing("\t", with: " ").split(separator: " ").joined(separator: " ")
    }.joined(separator: "\n"),
    text.replacing("  ", with: " \u{a0}"),
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
      .joined(separator: "\n"),
    text.replacing("\n", with: " \t\n"),
    text.replacing("\n\n", with: "\n"),
    text.replacing("\n", with: "\n\n"),
  ]

  @Test(arguments: variants.indices)
  func theReportIsTheSame(variant: Int) throws {
    let text = try ParsedText(Self.variants[variant])
    let report = try text.report
    expectEqual(report.facts.process.name, "Letter Shuffle")
    expectEqual(report.facts.process.identifier, 57833)
    expectEqual(report.fields("Exception Type"), ["EXC_BREAKPOINT (SIGTRAP)"])
    expectEqual(report.facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(report.facts.exception.signal, "SIGTRAP")
    expectEqual(report.fields("Triggered by Thread"), ["0"])
    expectEqual(report.facts.crashedThread, 0)
    let thread = try require(report.crashedThread)
    expectEqual(report.threads.count, 1)
    expectEqual(thread.dispatchQueue, "com.apple.main-thread")
    expectEqual(thread.frames.map(\.index), [0, 1])
    expectEqual(thread.frames.map(\.imageName), ["Letter Shuffle", "UIKitCore"])
    expectEqual(thread.frames.map(\.address?.value), [0x1_0024_f19c, 0x1_f2b2_3224])
    expectEqual(
      thread.frames.map(\.line?.content),
      [
        .unsymbolicated(ImageRelativeAddress(base: LoadAddress(0x1_0022_8000), offset: 160156)),
        .symbolicated(FrameSymbol(name: "-[UIView f]", offset: 4, file: "UIView.m", line: 3)),
      ])
    expectEqual(
      thread.frames.map { text.text($0.line?.contentRange) },
      [
        "0x100228000 + 160156", "-[UIView f] + 4 (UIView.m:3)",
      ])
    expectEqual(report.threadStates.count, 1)
    let image = try require(report.image(for: thread.frames[0]))
    expectEqual(image.name, "Letter Shuffle")
    expectEqual(image.path, "/var/L S")
    expectEqual(image.identity?.description, "B4A1DE49-91B3-3D1D-A64F-A8D6BC44F649")
    expectEmpty(report.faults)
    expectNesting(report, "variant \(variant)")
  }

  /// A renderer replaces the range of a frame's content and nothing else.
  @Test(arguments: variants.indices)
  func onlyTheContentsAreReplaced(variant: Int) throws {
    let text = try ParsedText(Self.variants[variant])
    let report = try text.report
    let edits = report.allFrames.compactMap(\.line).map {
      TextEdit(range: $0.contentRange, replacement: Array("SYMBOL".utf8))
    }
    let inputEdits = try require(report.wrapping.map { $0.inputEdits(edits) } ?? edits)
    var bytes = text.input
    for edit in inputEdits.reversed() {
      bytes.replaceSubrange(edit.range, with: edit.replacement)
    }
    let expected = Self.variants[variant].replacing("0x100228000 + 160156", with: "SYMBOL")
      .replacing("-[UIView f] + 4 (UIView.m:3)", with: "SYMBOL")
    expectEqual(String(decoding: bytes, as: UTF8.self), expected)
  }

  @Test func bytesThatAreNotUtf8AreKept() throws {
    var bytes = Array("Thread 0:\n0   A".utf8)
    bytes += [0xFF, 0xC2] + Array(" 0x1010 f".utf8) + [0xC3] + Array("g + 1\n".utf8)
    let report = try require(CrashLogParser.parse(bytes).first)
    let frame = try require(report.allFrames.first)
    expectEqual(frame.imageName, "A\u{fffd}\u{fffd}")
    expectEqual(frame.line?.content, .symbolicated(FrameSymbol(name: "f\u{fffd}g", offset: 1)))
  }
}
