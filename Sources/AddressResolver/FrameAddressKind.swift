public import SymbolicationModel

/// What the address of a stack frame is.
public enum FrameAddressKind: Hashable, Sendable {
  /// The instruction that was being executed: frame 0 of a thread, and a frame that a signal
  /// interrupted (the one after the signal trampoline).
  case programCounter
  /// Where a call returns to: the instruction after the call.
  case returnAddress

  /// The address to look up for a frame at `address`.
  ///
  /// A return address may belong to the next line, the next inlined call, or, after a call that never
  /// returns, the next function, so one byte before it is looked up: inside the call instruction. The
  /// lowest bit of a 32-bit arm address says thumb, not where.
  public func lookupAddress(
    for address: LoadAddress, architecture: Architecture? = nil
  ) -> LoadAddress {
    var value = address.value
    if architecture?.hasThumb == true { value &= ~1 }
    return LoadAddress(self == .returnAddress && value > 0 ? value - 1 : value)
  }
}
