import ObjectFiles
package import SymbolicationModel

/// The function into which a signal handler returns. The frame after it in a backtrace was
/// interrupted by the signal and has called nothing.
package enum SignalTrampoline {
  /// Apple's `_sigtramp` in libsystem_platform (its symbol is `__sigtramp`); `__restore_rt` of
  /// glibc and musl, with `__restore` and `__default_…` for 32-bit programs; those of the kernel's
  /// vDSO, vdso(7).
  private static let names: Set<String> = [
    "_sigtramp", "__sigtramp", "__restore_rt", "__restore", "__default_rt_sa_restorer",
    "__default_sa_restorer", "__kernel_rt_sigreturn", "__kernel_sigreturn", "__vdso_rt_sigreturn",
    "__kernel_sigtramp_rt64", "__kernel_sigtramp_rt32", "__kernel_sigtramp32",
  ]

  /// Whether `name` is the name of a signal trampoline.
  package static func isName(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "_") && names.contains(name)
  }
}

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
