import ObjectFiles
package import SymbolicationModel

/// The function through which the kernel runs a signal handler: the handler returns into it. The frame
/// after it in a backtrace was interrupted, and called nothing.
package enum SignalTrampoline {
  /// Apple's `_sigtramp` in libsystem_platform (its symbol is `__sigtramp`); `__restore_rt` of glibc and
  /// musl, with `__restore` and `__default_…` for 32-bit programs; those of the kernel's vDSO, vdso(7).
  private static let names: Set<String> = [
    "_sigtramp", "__sigtramp", "__restore_rt", "__restore", "__default_rt_sa_restorer",
    "__default_sa_restorer", "__kernel_rt_sigreturn", "__kernel_sigreturn", "__vdso_rt_sigreturn",
    "__kernel_sigtramp_rt64", "__kernel_sigtramp_rt32", "__kernel_sigtramp32",
  ]

  /// Whether a function of that name is one.
  package static func isName(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "_") && names.contains(name)
  }
}

extension ImageResolver {
  /// The signal trampoline that begins at `address`, if one does.
  ///
  /// Linux makes the trampoline the return address of the handler without a call: the address is its
  /// first byte, and the byte before it is filling or another function. (Apple's calls the handler, as
  /// any function does.) So this is asked for return addresses whose call nothing certain is known of.
  package func signalTrampoline(beginningAt address: LinkAddress) -> ResolvedAddress? {
    guard objectFile.format != .machO, let resolved = resolve(address),
      resolved.inlinedFrames.isEmpty, resolved.function.rangeStart == address,
      SignalTrampoline.isName(resolved.function.name)
    else { return nil }
    return resolved
  }
}
