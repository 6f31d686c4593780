public import SymbolicationModel

/// What the address of a stack frame is.
public enum FrameAddressKind: Hashable, Sendable {
  /// The instruction that was being executed: frame 0 of a thread, and a frame that a signal
  /// interrupted (the one after the signal trampoline).
  case programCounter
  /// Where a call returns to: the instruction after the call.
  case returnAddress
  /// Where an asynchronous function will go on: the first instruction of a function that the compiler
  /// made of the rest of it. Swift's backtraces mark such frames `async`. No call stands before it.
  case asyncResumePoint

  /// The address to look up for a frame at `address`.
  ///
  /// A return address may belong to the next line, the next inlined call, or, after a call that never
  /// returns, the next function, so one byte before it is looked up: inside the call instruction. The
  /// others are looked up as they are. The lowest bit of a 32-bit arm address says thumb, not where; of
  /// every other architecture all bits count.
  public func lookupAddress(
    for address: LoadAddress, architecture: Architecture? = nil
  ) -> LoadAddress {
    var value = address.value
    if architecture?.hasThumb == true { value &= ~1 }
    return LoadAddress(self == .returnAddress && value > 0 ? value - 1 : value)
  }
}
