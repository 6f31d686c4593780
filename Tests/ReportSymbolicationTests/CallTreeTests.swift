import CrashLogParser
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

@testable import ReportSymbolication

/// Frames of call trees: the order of inlined calls, and the heaviest stack.
struct CallTreeTests {
  /// A frame of a tree with as many inlined calls as named, innermost first.
  private func frame(depth: Int, samples: Int, _ name: String, inlined: [String] = [])
    -> SymbolicatedFrame
  {
    func text(_ name: String) -> FrameAnswer.FrameText {
      FrameAnswer.FrameText(
        name: name, rawName: nil, offset: 0, location: nil, fileName: nil, shownFile: nil,
        sourceLine: nil)
    }
    var values = FrameValues(byteRange: 0..<0)
    values.depth = depth
    values.sampleCount = samples
    var frame = SymbolicatedFrame(
      source: StackFrame(address: nil, carrier: .values(values)), addressKind: .returnAddress,
      imageName: "App", located: nil, statement: .none, hasStatedInlinedFrames: false)
    frame.answer = FrameAnswer(
      function: text(name), inlined: inlined.map(text), keepsStatedName: false, origin: .dwarf,
      symbolFile: "App", basis: .identity, trapMessage: nil)
    return frame
  }

  private func backtrace(_ frames: [SymbolicatedFrame], isTree: Bool) -> SymbolicatedBacktrace {
    SymbolicatedBacktrace(
      source: Backtrace(
        kind: .thread, frames: frames.map(\.source), isCallTree: isTree, byteRange: 0..<0),
      frames: frames, isSelected: true)
  }

  /// A caller comes before what it calls, and an inlined call is called by the function that it is
  /// inlined into: so it comes after it, the outermost first.
  @Test func inlinedCallsFollowTheirFunction() {
    let frames = [
      frame(depth: 0, samples: 9, "main", inlined: ["inner", "outer"]),
      frame(depth: 1, samples: 5, "leaf"), frame(depth: 1, samples: 4, "other", inlined: ["last"]),
    ]
    let tree = backtrace(frames, isTree: true).shownFrames(SymbolicationOptions())
    expectEqual(tree.map(\.function), ["main", "outer", "inner", "leaf", "other", "last"])
    expectEqual(tree.map(\.index), [0, 1, 2, 3, 4, 5])
    expectEqual(tree.map(\.depth), [0, 0, 0, 1, 1, 1])
    expectEqual(tree.map(\.sampleCount), [9, 9, 9, 5, 4, 4])
    expectEqual(tree.map(\.isInlined), [false, true, true, false, false, true])
    let stack = backtrace(frames, isTree: false).shownFrames(SymbolicationOptions())
    expectEqual(stack.map(\.function), ["inner", "outer", "main", "leaf", "last", "other"])
  }

  @Test func theHeaviestStackEndsAtALeaf() {
    let frames = [
      frame(depth: 0, samples: 3, "light"), frame(depth: 1, samples: 3, "below"),
      frame(depth: 0, samples: 9, "root", inlined: ["in root"]),
      frame(depth: 1, samples: 4, "first"), frame(depth: 2, samples: 4, "first leaf"),
      frame(depth: 1, samples: 5, "second"), frame(depth: 2, samples: 2, "second leaf"),
      frame(depth: 2, samples: 2, "third leaf"), frame(depth: 1, samples: 5, "equal"),
    ]
    let heaviest = backtrace(frames, isTree: true).heaviestStack(SymbolicationOptions())
    expectEqual(heaviest.map(\.function), ["root", "in root", "second", "second leaf"])
  }

  /// A damaged report has any depths.
  @Test(
    arguments: [
      ([(5, 1), (7, 1)], [0, 1]),
      ([(-3, 1), (1, 1), (9, 2), (1, 1)], [0, 1, 2]),
      ([(nil, nil), (nil, nil)], [0]),
      ([], []),
    ] as [([(Int?, Int?)], [Int])])
  func strangeDepths(frames: [(Int?, Int?)], path: [Int]) {
    expectEqual(
      SymbolicatedBacktrace.heaviestPath(frames.map { (depth: $0.0, count: $0.1) }), path)
  }
}
