import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Reads the trees of a diagnostic into backtraces.
///
/// Frames are nested in two ways, and no key says in which:
///
/// - A crash has one stack for each thread. The first frame is the innermost, and each frame holds
///   its caller.
/// - Stacks that were sampled are merged into a tree. The first frame is the outermost, such as
///   `dyld`, and each frame holds what it called. That is so if `callStackPerThread` is false, but
///   also in real hangs of one thread, where it is true (iOS 18.6).
struct CallStackReader {
  static let stackKeys = ["callStacks", "callStackThreads"]
  private static let frameKeys = ["callStackRootFrames", "rootFrames", "callStackFrames"]

  /// What the diagnostic is about, if it says so.
  let event: ReportEvent?
  let isIntel: Bool
  private(set) var images: MetricKitImages
  let allowance: ReportAllowance
  private(set) var backtraces: [Backtrace] = []
  private(set) var faults: [ParseFault] = []

  mutating func read(_ tree: JsonValue) {
    if let info = tree["binaryInfo"] { images.takeNames(from: info) }
    let isPerThread = tree["callStackPerThread"]?.isAffirmative ?? true
    let lists = Self.stackKeys.lazy.compactMap { tree[$0] }
    guard let list = lists.first(where: { $0.kind == .array }) else {
      addFault(.unexpectedJsonValue, tree)
      return
    }
    for stack in list.elements {
      guard stack.kind == .object else {
        addFault(.unexpectedJsonValue, stack)
        continue
      }
      guard allowance.takeThread(at: stack.byteRange, &faults) else { return }
      read(stack, number: isPerThread ? backtraces.count : nil)
    }
  }

  private mutating func read(_ stack: JsonValue, number: Int?) {
    let key = Self.frameKeys.first { stack[$0]?.kind == .array }
    let list = key.flatMap { stack[$0] }
    let isFlat = key == "callStackFrames"
    let found = list.map { walk($0, isFlat: isFlat) } ?? Walk()
    let isTree = !isFlat && isCallTree(found, isPerThread: number != nil)
    var frames: [StackFrame] = []
    frames.reserveCapacity(found.frames.count)
    for index in found.frames.indices {
      let frame = found.frames[index]
      let calls = index + 1 < found.frames.count && found.frames[index + 1].depth > frame.depth
      frames.append(self.frame(frame, index: index, calls: isTree ? calls : nil))
    }
    // Hangs and the like are attributed to a thread too, which did not crash.
    let mayHaveCrashed = event == .crash || event == nil && !isTree
    backtraces.append(
      Backtrace(
        kind: .thread, number: number,
        isCrashed: mayHaveCrashed && stack["threadAttributed"]?.isAffirmative == true,
        frames: frames,
        isCallTree: isTree, sampleCount: isTree ? found.sampleCount : nil,
        byteRange: (list ?? stack).byteRange, json: stack))
  }

  // MARK: Walking

  private struct Walk {
    /// In the order of the document: a frame comes before the frames in it.
    var frames: [CallStackFrame] = []
    /// Whether a frame holds several.
    var isBranching = false

    /// In how many samples the frames at the root were seen.
    var sampleCount: Int? {
      var sum: Int?
      for frame in frames where frame.depth == 0 {
        guard let count = frame.sampleCount else { continue }
        sum = (sum ?? 0).addingReportingOverflow(count).partialValue
      }
      return sum.map { max(0, $0) }
    }
  }

  /// Reads all frames in a list. Stacks may be hundreds of frames deep, and a document can have any
  /// depth, so there is no recursion.
  ///
  /// - Parameter isFlat: whether the frames of the list are callers, and hold none.
  private mutating func walk(_ list: JsonValue, isFlat: Bool) -> Walk {
    var walk = Walk()
    var open: [(elements: JsonElements, hasFrame: Bool)] = [(list.elements, false)]
    while var level = open.popLast() {
      guard let element = level.elements.next() else { continue }
      guard element.kind == .object else {
        addFault(.unexpectedJsonValue, element)
        open.append(level)
        continue
      }
      guard allowance.takeFrame(at: element.byteRange, &faults) else { break }
      let frame = CallStackFrame(element, depth: open.count)
      for range in frame.unexpectedValues {
        faults.append(ParseFault(kind: .unexpectedJsonValue, byteRange: range))
      }
      if level.hasFrame, !isFlat { walk.isBranching = true }
      level.hasFrame = true
      open.append(level)
      walk.frames.append(frame)
      if !isFlat, let subFrames = frame.subFrames { open.append((subFrames.elements, false)) }
    }
    return walk
  }

  /// Whether frames hold what they called, and not their callers.
  private func isCallTree(_ walk: Walk, isPerThread: Bool) -> Bool {
    if walk.isBranching || !isPerThread { return true }
    if event == .crash { return false }
    // Where threads begin is at the outer end.
    switch (walk.frames.first?.beginsThread, walk.frames.last?.beginsThread) {
    case (true?, false?): return true
    case (false?, true?): return false
    default: return event != nil || walk.frames.contains { $0.sampleCount ?? 0 > 1 }
    }
  }

  // MARK: Frames

  /// - Parameter calls: in a call tree, whether the frame called another one.
  private mutating func frame(_ frame: CallStackFrame, index: Int, calls: Bool?) -> StackFrame {
    var values = FrameValues(byteRange: frame.byteRange)
    values.index = index
    values.symbol = frame.symbol
    values.isInlined = frame.symbol?.isInlined ?? false
    values.sampleCount = frame.sampleCount
    values.json = frame.object
    if let calls {
      values.depth = frame.depth
      values.addressKind = calls ? .returnAddress : .programCounter
    }
    let place = frame.offset.map {
      FramePlace(address: frame.address, offset: $0, isIntel: isIntel)
    }
    guard let place else {
      values.imageName = frame.imageName?.string
      return StackFrame(
        address: frame.address.map { LoadAddress($0) }, carrier: .values(values))
    }
    if place.isContradictory { addFault(.unexpectedJsonValue, frame.object["address"]) }
    if let kind = place.kind { values.addressKind = kind }
    let offset = place.address.value - place.base.value
    if let uuid = frame.uuid,
      let image = images.index(of: frame, uuid: uuid, base: place.base, allowance, &faults)
    {
      values.imageIndex = image
      values.imageOffset = offset
    } else {
      values.imageName = frame.imageName?.string
      values.imageRelativeAddress = ImageRelativeAddress(base: place.base, offset: offset)
    }
    return StackFrame(address: place.address, carrier: .values(values))
  }

  private mutating func addFault(_ kind: ParseFault.Kind, _ value: JsonValue?) {
    guard let value else { return }
    faults.append(ParseFault(kind: kind, byteRange: value.byteRange))
  }
}

extension CallStackFrame {
  /// Whether its image is one in which threads begin.
  fileprivate var beginsThread: Bool {
    switch imageName?.string {
    case "dyld", "libdyld.dylib", "libsystem_pthread.dylib": true
    default: false
    }
  }
}

/// Where a frame of a call stack tree lies: in the process, and in its image.
///
/// The frame states an address and `offsetIntoBinaryTextSegment`, which has meant different things.
/// Images begin at a page, so the difference of the two tells which:
///
/// - Since iOS 15 it is the distance from the start of the image. The difference is the start.
/// - In iOS 14 it is the start of the image itself.
/// - Stacks that were sampled (hangs, since iOS 16 at the latest) count to the byte before a return
///   address, while the address is the return address: the difference is one more than the start.
///   So it tells return addresses from others.
struct FramePlace {
  /// The address in the process; from the start of the image if the frame states none.
  let address: LoadAddress
  /// The start of the image; 0 if it is not known.
  let base: LoadAddress
  /// Nil if the numbers do not tell.
  let kind: FrameAddressKind?
  /// The stated address cannot be one of the image.
  let isContradictory: Bool

  private static let pageMask: UInt64 = 0xfff

  /// - Parameters:
  ///   - address: as stated.
  ///   - offset: as stated.
  ///   - isIntel: whether instructions begin at any byte.
  init(address: UInt64?, offset: UInt64, isIntel: Bool) {
    guard let address, offset <= address else {
      // On Arm, instructions begin at multiples of four.
      let isBeforeReturn = !isIntel && offset & 3 == 3
      self.address = LoadAddress(isBeforeReturn ? offset &+ 1 : offset)
      base = LoadAddress(0)
      kind = isBeforeReturn ? .returnAddress : nil
      isContradictory = address != nil
      return
    }
    self.address = LoadAddress(address)
    isContradictory = false
    let difference = address - offset
    if offset > address / 2, offset & Self.pageMask == 0 {
      base = LoadAddress(offset)
      kind = nil
    } else if difference & Self.pageMask == 1 {
      base = LoadAddress(difference - 1)
      kind = .returnAddress
    } else {
      base = LoadAddress(difference)
      kind = nil
    }
  }
}
