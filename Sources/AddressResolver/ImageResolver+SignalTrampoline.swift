import ObjectFiles
package import SymbolicationModel

extension ImageResolver {
  /// The signal trampoline that begins at `address`; nil if none does.
  ///
  /// Linux makes the trampoline the return address of the handler without a call: the address is
  /// its first byte, and the byte before it is padding or another function. (Apple's trampoline
  /// calls the handler like any function.) So this is asked about return addresses if the call is
  /// not certain.
  package func signalTrampoline(beginningAt address: LinkAddress) -> ResolvedAddress? {
    guard objectFile.format != .machO, let resolved = resolve(address),
      resolved.inlinedFrames.isEmpty, resolved.function.rangeStart == address,
      SignalTrampoline.isName(resolved.function.name)
    else { return nil }
    return resolved
  }
}
