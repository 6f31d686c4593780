import FetchProtocol
import FileSystem
import Platform

/// libdebuginfod, for one thread. It reads its own variables (`DEBUGINFOD_URLS` and the others),
/// and keeps a cache of its own that all programs share.
@safe final class DebuginfodClient {
  private let output: ReportOutput
  private let failures: ServerFailures
  /// It lives as long as the process.
  private var client: OpaquePointer?

  /// What all its servers are called in `failures`.
  private static let server = "debuginfod"

  init(output: ReportOutput, failures: ServerFailures) {
    self.output = output
    self.failures = failures
    unsafe client = nil
  }

  func find(_ kind: DebuginfodKind, buildId: String, id: Int) {
    guard !failures.isDown(Self.server) else {
      output.write(.skipped(id: id, index: 0))
      output.write(.over(id: id))
      return
    }
    guard let library = DebuginfodLibrary.shared else {
      failures.note(Self.server, isFinal: true)
      output.write(.failed(id: id, index: 0, .missingLibrary(DebuginfodLibrary.name)))
      output.write(.over(id: id))
      return
    }
    if unsafe client == nil {
      unsafe client = library.begin()
      // A function of ours replaces the progress that `DEBUGINFOD_PROGRESS` asks for.
      if unsafe getenv("DEBUGINFOD_PROGRESS") == nil, let client = unsafe client {
        unsafe library.setUserData(client, Unmanaged.passUnretained(output).toOpaque())
        unsafe library.setProgress(client) { client, _, _ in
          if let library = DebuginfodLibrary.shared,
            let output = unsafe library.userData(client)
          {
            unsafe Unmanaged<ReportOutput>.fromOpaque(output).takeUnretainedValue().tick()
          }
          return 0
        }
      }
    }
    var path: UnsafeMutablePointer<CChar>?
    let find = unsafe kind == .debuginfo ? library.findDebuginfo : library.findExecutable
    // A length of 0: the build-id is text.
    let result = unsafe client == nil ? -ENOMEM : find(client, buildId, 0, &path)
    defer { unsafe free(path) }
    if result >= 0, let path = unsafe path {
      close(result)
      output.write(.found(id: id, path: unsafe String(pathBytes: path)))
      return
    }
    if result == -ENOENT {
      output.write(.absent(id: id, index: 0))
    } else {
      failures.note(
        Self.server,
        isFinal: [-ETIME, -ECONNREFUSED, -EHOSTUNREACH, -ENETUNREACH, -ENOSYS].contains(result))
      let text = unsafe String(cString: strerror(-result))
      output.write(.failed(id: id, index: 0, .network(text)))
    }
    output.write(.over(id: id))
  }
}

/// The functions of libdebuginfod (elfutils), opened at run time: few machines have it.
@safe struct DebuginfodLibrary: @unchecked Sendable {
  static let name = "libdebuginfod.so.1"

  typealias Find =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, CInt,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> CInt
  typealias Progress = @convention(c) (OpaquePointer?, Int, Int) -> CInt

  let begin: @convention(c) () -> OpaquePointer?
  let findDebuginfo: Find
  let findExecutable: Find
  let setProgress: @convention(c) (OpaquePointer?, Progress) -> Void
  let setUserData: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void
  let userData: @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?

  static let shared = DebuginfodLibrary()

  private init?() {
    guard let library = SharedLibrary([Self.name]),
      let begin = unsafe library.function(
        "debuginfod_begin", as: (@convention(c) () -> OpaquePointer?).self),
      let findDebuginfo = unsafe library.function("debuginfod_find_debuginfo", as: Find.self),
      let findExecutable = unsafe library.function("debuginfod_find_executable", as: Find.self),
      let setProgress = unsafe library.function(
        "debuginfod_set_progressfn",
        as: (@convention(c) (OpaquePointer?, Progress) -> Void).self),
      let setUserData = unsafe library.function(
        "debuginfod_set_user_data",
        as: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void).self),
      let userData = unsafe library.function(
        "debuginfod_get_user_data",
        as: (@convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?).self)
    else { return nil }
    unsafe self.begin = begin
    unsafe self.findDebuginfo = findDebuginfo
    unsafe self.findExecutable = findExecutable
    unsafe self.setProgress = setProgress
    unsafe self.setUserData = setUserData
    unsafe self.userData = userData
  }
}
