import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Collects the stacks of one report of a sanitizer, line by line.
struct SanitizerBuilder {
  private let source: TextSource
  private let allowance: ReportAllowance
  private let start: Int
  private var head: SanitizerHead
  private var end: Int
  private var boundary: ReportBoundary
  private var images: SanitizerImages
  private var backtraces: [Backtrace] = []
  private var faults: [ParseFault] = []
  private var open: Stack?
  /// The last line that is not a frame: the heading of the frames below it.
  private var heading: TextLine?
  /// The lines in a row that are no frames.
  private var looseCount = 0
  private(set) var isClosed = false
  /// The variable that was accessed, or was the nearest.
  private var variable: String?
  /// The function whose variables are listed below it.
  private var owner: String?
  /// Whether the text begins within a stack, which may be any of the report.
  private let isCut: Bool
  /// What the shadow of the address says, or the heading of a stack, if the head is missing.
  private var shadowProblem: String?
  private var isFreed = false

  private struct Stack {
    let heading: TextLine?
    var frames: [SanitizerStackFrame] = []
    var end: Int
  }

  /// Below a summary are the shadow bytes and their legend, fewer than 40 lines, and sometimes the
  /// stacks that created threads.
  private static let looseLimit = 80

  /// - Parameter rule: the line of equal signs above the head, if there is one.
  init(_ input: ReportInput, _ head: SanitizerHead, at line: TextLine, rule: TextLine?) {
    source = input.source
    allowance = input.allowance
    self.head = head
    end = line.end
    // A stack without a head begins with a frame. What is above it may say that it is not the one
    // of the crash.
    let frame = SanitizerFrame(input.source, line)
    let isFrame = frame != nil
    isCut = frame.map { $0.number != 0 } ?? false
    let above = isFrame ? input.source.lineAbove(line) : nil
    let title = above.flatMap { above in
      input.source.isStackOfOthers(above.start..<above.end) ? above : nil
    }
    heading = isFrame ? title : line
    start = rule?.start ?? title?.start ?? line.start
    boundary = ReportBoundary(source, input.signs)
    images = SanitizerImages(at: isFrame ? line.end : start)
  }

  mutating func consume(_ line: TextLine) {
    if let frame = SanitizerFrame(source, line) {
      looseCount = 0
      add(frame, line)
      end = line.end
      return
    }
    if source.isBlank(line) {
      closeStack()
      return
    }
    if boundary.isReached(at: line) || looseCount == Self.looseLimit {
      isClosed = true
      return
    }
    if let last = open?.frames.last?.frame.content.takingPath(source, line),
      let index = open?.frames.indices.last
    {
      open?.frames[index].frame.content = last
      return
    }
    looseCount += 1
    closeStack()
    takeVariable(line)
    takeShadow(line)
    heading = line
    let first = source.skipSeparators(from: line.start, limit: line.end)
    if source.has("SUMMARY: ", at: first, limit: line.end) {
      end = line.end
      takeSummary(source.trimmed(first + 9..<line.end))
    }
    if source.has("==", at: first, limit: line.end),
      source.find("==ABORTING", from: first, limit: line.end) != nil
    {
      isClosed = true
    }
  }

  /// Takes what the poisoned byte means whose access was reported, if no head says it. It is in
  /// brackets in the marked row:
  ///
  /// ```text
  /// =>0x0c0e7fff9da0: fa fa fa fa[fd]fd fd fd fd fd fd fd fd fd fa fa
  /// ```
  ///
  /// Source: llvm-project, compiler-rt/lib/asan/asan_errors.cpp (`ErrorGeneric`,
  /// `PrintShadowBytes`) and asan_internal.h; asan_descriptions.cpp prints who freed the memory.
  private mutating func takeShadow(_ line: TextLine) {
    guard head.tool == nil else { return }
    let range = source.trimmed(line.start..<line.end)
    if source.has("freed by thread ", at: range.lowerBound, limit: range.upperBound) {
      isFreed = true
    }
    guard shadowProblem == nil, range.count < 128,
      source.has("=>0x", at: range.lowerBound, limit: range.upperBound),
      let open = source.bytes[range].firstIndex(of: Ascii.openBracket)
    else { return }
    // Of a byte that is poisoned in part, the next one says what is behind it.
    for start in [open + 1, open + 4] where start + 2 < range.upperBound {
      if let problem = Self.shadowProblems[source.string(start..<start + 2)] {
        shadowProblem = problem
        return
      }
    }
  }

  private static let shadowProblems = [
    "fa": "heap-buffer-overflow", "ac": "heap-buffer-overflow", "fd": "heap-use-after-free",
    "f1": "stack-buffer-underflow", "f2": "stack-buffer-overflow", "f3": "stack-buffer-overflow",
    "f5": "stack-use-after-return", "f6": "initialization-order-fiasco", "f7": "use-after-poison",
    "f8": "stack-use-after-scope", "f9": "global-buffer-overflow", "fc": "container-overflow",
    "bb": "intra-object-overflow", "ca": "dynamic-stack-buffer-overflow",
    "cb": "dynamic-stack-buffer-overflow",
  ]

  /// Takes which variable of a function, or which global one, the access met:
  ///
  /// ```text
  ///     [32, 64) 'title' (line 12) <== Memory access at offset 64 overflows this variable
  /// 0x6020 is located 0 bytes after global variable 'table' defined in 'page.c:3:5' (0x6000) of …
  /// ```
  ///
  /// Source: llvm-project, compiler-rt/lib/asan/asan_descriptions.cpp.
  private mutating func takeVariable(_ line: TextLine) {
    guard variable == nil else { return }
    let range = source.trimmed(line.start..<line.end)
    if let match = Self.ofFunction.match(source, range), let name = match.text(.symbol, source) {
      let line = match.integer(.line, source).map { " (line \($0))" } ?? ""
      variable = "variable \(name)\(line)\(owner.map { " of \($0)" } ?? "")"
    } else if let match = Self.global.match(source, range),
      let name = match.text(.symbol, source), let file = match.text(.file, source)
    {
      variable = "global variable \(name) (\(file.lastPathComponent))"
    }
  }

  private static let ofFunction = LinePattern(
    "[{skip:d}, {skip:d}) '{symbol}'{? (line {line})?} <== Memory access at offset {skip}")
  private static let global = LinePattern(
    "{skip:x} is located {skip} global variable '{symbol}' defined in '{file}'{? {skip}?}")

  /// Keeps the function whose variables are on the stack, if the heading says that they follow.
  private mutating func takeOwner(_ frame: SanitizerFrame, below heading: Range<Int>?) {
    let sign = " is located in stack of thread T"
    guard let heading, let function = frame.content.function,
      source.find(sign, from: heading.lowerBound, limit: heading.upperBound) != nil
    else { return }
    owner = source.string(function)
    if let symbol = frame.content.symbol(source), let file = symbol.file {
      owner = "\(symbol.name) (\(file.lastPathComponent)\(symbol.line.map { ":\($0)" } ?? ""))"
    }
  }

  /// Takes `AddressSanitizer: heap-use-after-free a.cc:12 in f(int)`, which says what the head says
  /// too, if that is not in the text.
  private mutating func takeSummary(_ range: Range<Int>) {
    guard head.tool == nil,
      let colon = source.find(": ", from: range.lowerBound, limit: range.upperBound)
    else { return }
    head.tool = source.string(range.lowerBound..<colon)
    head.problem = source.string(colon + 2..<range.upperBound)
    // The module of the sanitizer itself says nothing.
    if let problem = head.problem,
      let start = [" (libclang_rt.", " (libasan.", " (libtsan."].lazy.compactMap({
        problem.firstRange(of: $0)?.lowerBound
      }).first,
      let end = problem[start...].firstRange(of: ") in ")?.lowerBound
    {
      head.problem = "\(problem[..<start])\(problem[problem.index(after: end)...])"
    }
  }

  private mutating func add(_ frame: SanitizerFrame, _ line: TextLine) {
    // The numbers of a stack begin anew.
    if frame.number == 0, open?.frames.isEmpty == false { closeStack() }
    if open == nil {
      guard allowance.takeThread(at: line.start..<line.end, &faults) else { return }
      open = Stack(heading: heading, end: line.end)
      heading = nil
    }
    guard allowance.takeFrame(at: line.start..<line.end, &faults) else { return }
    let lineEnd = source.trimEnd(from: line.start, to: line.end)
    open?.frames.append(
      SanitizerStackFrame(
        frame: frame, text: source.string(frame.content.range), byteRange: line.start..<lineEnd,
        place: frame.content.module.flatMap {
          images.place($0, of: frame, source, allowance, &faults)
        }))
    open?.end = lineEnd
  }

  private mutating func closeStack() {
    guard let stack = open, let first = stack.frames.first else { return }
    open = nil
    let heading = stack.heading.map { source.trimmed($0.start..<$0.end) }
    takeOwner(first.frame, below: heading)
    let isFirst = backtraces.isEmpty
    backtraces.append(
      Backtrace(
        kind: .thread, number: heading.flatMap { source.sanitizerThread($0) },
        name: isFirst ? nil : heading.map { source.string($0).sanitizerTitle },
        isCrashed: isFirst && !isCut && !isLeak
          && heading.map { source.isStackOfOthers($0) } != true,
        frames: stack.frames.marked(source),
        byteRange: (heading?.lowerBound ?? first.byteRange.lowerBound)..<stack.end))
  }

  private static let freed = "memory was used after it was freed, or freed twice"
  private var isLeak: Bool { head.tool == "LeakSanitizer" }

  /// Nil for a head without stacks.
  mutating func finish() -> Report? {
    closeStack()
    guard !backtraces.isEmpty else { return nil }
    if head.tool == nil, let problem = shadowProblem ?? (isFreed ? Self.freed : nil) {
      head.tool = "AddressSanitizer"
      head.problem = problem
    }
    var facts = ReportFacts()
    facts.event = isLeak ? .leak : .crash
    facts.process.identifier = head.process
    facts.architecture = images.architecture
    facts.exception.type = head.tool
    facts.exception.subtype = head.problem
    facts.exception.message = variable
    facts.crashedThread = backtraces.first(where: \.isCrashed)?.number
    if let tool = head.tool {
      facts.fields.append(.init(name: tool, value: head.problem ?? "", byteRange: nil))
    }
    return Report(
      format: .sanitizer, byteRange: start..<end, facts: facts, images: images.images,
      backtraces: backtraces, faults: faults)
  }
}

/// A frame before it is known which frames are calls inlined into the next one.
struct SanitizerStackFrame {
  var frame: SanitizerFrame
  /// What follows the address.
  let text: String
  let byteRange: Range<Int>
  let place: SanitizerImages.Place?

  /// ThreadSanitizer does not print the address; it is then that in the module itself, as if the
  /// module were loaded there.
  fileprivate var address: UInt64? { frame.address?.value ?? place?.address }
}

extension [SanitizerStackFrame] {
  /// The frames. Several in a row with the same address and different functions are calls inlined
  /// into the last of them. A recursion has the same address again, too, but also the same text.
  fileprivate func marked(_ source: TextSource) -> [StackFrame] {
    var frames: [StackFrame] = []
    frames.reserveCapacity(count)
    var next = 0
    while next < count {
      var end = next + 1
      while end < count, let address = self[next].address, self[end].address == address,
        self[end].frame.content.function != nil
      {
        end += 1
      }
      let run = self[next..<end]
      // In a recursion, the calls of one round are inlined into the last of the round.
      let round = run.dropFirst().firstIndex { $0.text == self[next].text }.map { $0 - next }
      let length = round ?? run.count
      for index in run.indices {
        let isLast = (index - next + 1) % length == 0 || index == end - 1
        frames.append(
          self[index].stackFrame(
            source, isInlined: !isLast && self[index].frame.content.function != nil))
      }
      next = end
    }
    return frames
  }
}

extension SanitizerStackFrame {
  fileprivate func stackFrame(_ source: TextSource, isInlined: Bool) -> StackFrame {
    var values = FrameValues(byteRange: byteRange)
    values.index = frame.number
    // What is printed is the address of the call, not the one it returns to.
    values.addressKind = .programCounter
    values.isInlined = isInlined
    values.symbol = frame.content.symbol(source)
    values.symbol?.isInlined = isInlined
    values.imageIndex = place?.image
    values.imageOffset = place?.offset
    values.imageName = place?.name
    values.parts = FrameValues.Parts(
      index: frame.index, attributes: nil, address: frame.address?.range,
      content: frame.content.range)
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }
}

extension TextSource {
  /// Whether a heading is that of a stack which says where something came from.
  fileprivate func isStackOfOthers(_ heading: Range<Int>) -> Bool {
    ["created by ", "freed by ", "allocated by "].contains {
      find($0, from: heading.lowerBound, limit: heading.upperBound) != nil
    }
  }

  /// The number of the thread that a heading names: `READ of size 4 at 0x6020 thread T0`.
  fileprivate func sanitizerThread(_ heading: Range<Int>) -> Int? {
    for word in ["thread T", "Thread T"] {
      if let found = find(word, from: heading.lowerBound, limit: heading.upperBound),
        let (number, _) = number(at: found + 8, limit: heading.upperBound)
      {
        return Int(exactly: number)
      }
    }
    let isMain = find("main thread", from: heading.lowerBound, limit: heading.upperBound) != nil
    return isMain ? 0 : nil
  }
}

extension String {
  /// `freed by thread T0 here` of `freed by thread T0 here:`.
  fileprivate var sanitizerTitle: String { hasSuffix(":") ? String(dropLast()) : self }
}
