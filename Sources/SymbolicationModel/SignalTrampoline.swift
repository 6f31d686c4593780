/// The function into which a signal handler returns. The frame after it in a backtrace was
/// interrupted by the signal and has called nothing.
package enum SignalTrampoline {
  /// Apple's `_sigtramp` in libsystem_platform (its symbol is `__sigtramp`); `__restore_rt` of
  /// glibc and musl, with `__restore` and `__default_…` for 32-bit programs; those of the kernel's
  /// vDSO, vdso(7).
  private static let names = [
    "_sigtramp", "__sigtramp", "__restore_rt", "__restore", "__default_rt_sa_restorer",
    "__default_sa_restorer", "__kernel_rt_sigreturn", "__kernel_sigreturn", "__vdso_rt_sigreturn",
    "__kernel_sigtramp_rt64", "__kernel_sigtramp_rt32", "__kernel_sigtramp32",
  ]

  /// Whether `name` is the name of a signal trampoline.
  package static func isName(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "_") && name.withBytes { isName($0) }
  }

  /// The same for the bytes of a name.
  package static func isName(_ name: Span<UInt8>) -> Bool {
    guard name.count > 0, name[0] == UInt8(ascii: "_") else { return false }
    for candidate in names where candidate.utf8.count == name.count {
      let isEqual = candidate.withBytes { expected in
        expected.indices.allSatisfy { name[$0] == expected[$0] }
      }
      if isEqual { return true }
    }
    return false
  }
}
