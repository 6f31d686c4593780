import CLibCurl
import Platform

/// The system's libcurl: HTTP, TLS and proxies as everywhere on the machine, with the certificates
/// and the security updates of its distribution.
@safe struct CurlLibrary: @unchecked Sendable {
  /// Its names: with OpenSSL, and with GnuTLS in Debian, which is installed more often. Both have
  /// the same interface.
  static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  let create: @convention(c) () -> UnsafeMutableRawPointer?
  let reset: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let perform: @convention(c) (UnsafeMutableRawPointer?) -> CURLcode
  let explanation: @convention(c) (CURLcode) -> UnsafePointer<CChar>?
  /// `curl_easy_setopt` and `curl_easy_getinfo`, for the functions of `CLibCurl`.
  let setOption: UnsafeMutableRawPointer
  let getInformation: UnsafeMutableRawPointer

  /// Opened when it is first needed; nil if it is not installed.
  static let shared = CurlLibrary()

  private init?() {
    typealias Handle = UnsafeMutableRawPointer?
    guard let library = SharedLibrary(Self.names),
      let initialize = library.function(
        "curl_global_init", as: (@convention(c) (Int) -> CURLcode).self),
      let create = unsafe library.function(
        "curl_easy_init", as: (@convention(c) () -> Handle).self),
      let reset = unsafe library.function(
        "curl_easy_reset", as: (@convention(c) (Handle) -> Void).self),
      let perform = unsafe library.function(
        "curl_easy_perform", as: (@convention(c) (Handle) -> CURLcode).self),
      let explanation = unsafe library.function(
        "curl_easy_strerror", as: (@convention(c) (CURLcode) -> UnsafePointer<CChar>?).self),
      let setOption = unsafe library.symbol("curl_easy_setopt"),
      let getInformation = unsafe library.symbol("curl_easy_getinfo"),
      // CURL_GLOBAL_ALL
      initialize(3) == CURLE_OK
    else { return nil }
    unsafe self.create = create
    unsafe self.reset = reset
    unsafe self.perform = perform
    unsafe self.explanation = explanation
    unsafe self.setOption = setOption
    unsafe self.getInformation = getInformation
  }
}

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
