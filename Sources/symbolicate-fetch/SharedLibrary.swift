import Platform

/// A shared library of the system that is opened at run time and stays open.
@safe struct SharedLibrary: @unchecked Sendable {
  /// Soundness: `dlopen`'s handle is never closed, and `dlsym` may be called from any thread.
  private let handle: UnsafeMutableRawPointer

  /// The first of `names` that is installed; nil if none is.
  init?(_ names: [String]) {
    for name in names {
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        unsafe self.handle = handle
        return
      }
    }
    return nil
  }

  func symbol(_ name: String) -> UnsafeMutableRawPointer? { unsafe dlsym(handle, name) }

  /// The function `name` as `type`; nil if the library does not have it.
  ///
  /// Soundness: `type` is that of the function in the library's documentation.
  func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    unsafe symbol(name).map { unsafe unsafeBitCast($0, to: type) }
  }
}
