import ReportModel
import SymbolicationModel

/// Collects the frames of one call tree in the order of the report, and finds out from their
/// columns which of them calls which.
///
/// It also decides what each address is. In the samples and spindumps that were looked at, the
/// addresses of callers are return addresses, and those of leaves are program counters:
///
/// - In samples of two programs whose code is known, each of the five addresses of callers is the
///   instruction after a call (`0x100003d94 callq`, sampled as `+ 0x3d9a`).
/// - Of 14,921 callers in spindumps that name a function, 14,542 are 4 bytes or more after its
///   start, 370 are `start + 1`, which dyld pushes, and 9 (0.06 %) are at its first two bytes: no
///   call is so short. Of 634 leaves, 67 are at the first byte (11 %), and 38 at the next three.
/// - Where the kernel was entered, the frame above is where the thread was interrupted: 15 of 1,757
///   are at the first byte of a function. In the kernel, 1,538 of 1,905 leaves are, where a thread
///   will continue; none of 2,046 callers is within 8 bytes of the start.
struct CallTreeBuilder {
  private struct Node {
    let address: LoadAddress?
    var values: FrameValues
    let isKernel: Bool
  }

  private var nodes: [Node] = []
  /// The columns of the frames that may call the next one, outermost first.
  private var callers: [Int] = []

  var isEmpty: Bool { nodes.isEmpty }

  /// Adds a frame.
  ///
  /// - Parameter column: where the line has its count: the further to the right, the deeper.
  mutating func add(_ values: FrameValues, at address: LoadAddress?, column: Int, isKernel: Bool) {
    leave(column: column)
    var values = values
    values.depth = callers.count
    callers.append(column)
    nodes.append(Node(address: address, values: values, isKernel: isKernel))
  }

  /// Adds the next frame of a single stack, which the line before calls.
  mutating func addCallee(_ values: FrameValues, at address: LoadAddress?, isKernel: Bool) {
    add(values, at: address, column: callers.count, isKernel: isKernel)
  }

  /// Notes a line at `column` that is not a frame, such as `<truncated backtrace>`. What follows
  /// further to the right is not called by the frames before it.
  mutating func leave(column: Int) {
    while let last = callers.last, last >= column { callers.removeLast() }
  }

  /// The addresses of the frames that call others.
  var callerAddresses: Set<LoadAddress> {
    var addresses: Set<LoadAddress> = []
    for index in nodes.indices where kind(at: index) == .returnAddress {
      if let address = nodes[index].address { addresses.insert(address) }
    }
    return addresses
  }

  /// Hands over the frames. They are large, so each is changed where it is. The tree is empty then.
  mutating func takeFrames() -> [StackFrame] {
    var frames: [StackFrame] = []
    frames.reserveCapacity(nodes.count)
    for index in nodes.indices {
      nodes[index].values.addressKind = kind(at: index)
      frames.append(
        StackFrame(address: nodes[index].address, carrier: .values(nodes[index].values)))
    }
    self = CallTreeBuilder()
    return frames
  }

  private func kind(at index: Int) -> FrameAddressKind {
    let next = index + 1
    guard next < nodes.count, let depth = nodes[index].values.depth,
      let nextDepth = nodes[next].values.depth, nextDepth > depth
    else { return .programCounter }
    return nodes[next].isKernel && !nodes[index].isKernel ? .programCounter : .returnAddress
  }
}
