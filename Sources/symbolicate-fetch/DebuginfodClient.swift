import FetchProtocol
import FileSystem
import Platform

/// libdebuginfod, for one thread. It reads its own variables (`DEBUGINFOD_URLS` and the others),
/// and keeps a cache of its own that all programs share.
@safe final class DebuginfodClient {
  private let output: ReportOutput
  private let failures: ServerFailures
  private let budget: DownloadBudget
  /// What the library tells about the file that is under way.
  private let transfer: LibraryTransfer
  /// It lives as long as the process.
  private var client: OpaquePointer?

  /// What all its servers are called in `failures`.
  private static let server = "debuginfod"

  init(output: ReportOutput, failures: ServerFailures, budget: DownloadBudget) {
    self.output = output
    self.failures = failures
    self.budget = budget
    transfer = LibraryTransfer(output: output, budget: budget)
    unsafe client = nil
  }

  func find(_ kind: DebuginfodKind, buildId: String, id: Int, limits: FetchLimits) {
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
    if let limit = budget.reached(limits) {
      output.write(.failed(id: id, index: 0, .runLimit(limit)))
      output.write(.over(id: id))
      return
    }
    budget.begin()
    defer { budget.end() }
    transfer.begin(limits)
    if unsafe client == nil {
      unsafe client = library.begin()
      // A function of ours replaces the progress that `DEBUGINFOD_PROGRESS` asks for.
      if unsafe getenv("DEBUGINFOD_PROGRESS") == nil, let client = unsafe client {
        unsafe library.setUserData(client, Unmanaged.passUnretained(transfer).toOpaque())
        unsafe library.setProgress(client) { client, done, _ in
          guard let library = DebuginfodLibrary.shared,
            let transfer = unsafe library.userData(client)
          else { return 0 }
          // Anything but 0 ends the download.
          return unsafe Unmanaged<LibraryTransfer>.fromOpaque(transfer).takeUnretainedValue()
            .mayGoOn(done: done) ? 0 : 1
        }
      }
    }
    var path: UnsafeMutablePointer<CChar>?
    let find = unsafe kind == .debuginfo ? library.findDebuginfo : library.findExecutable
    // A length of 0: the build-id is text.
    let result = unsafe client == nil ? -ENOMEM : find(client, buildId, 0, &path)
    defer { unsafe free(path) }
    if result >= 0, let path = unsafe path {
      transfer.end(result)
      close(result)
      output.write(.found(id: id, path: unsafe String(pathBytes: path)))
      return
    }
    if result == -ENOENT {
      output.write(.absent(id: id, index: 0))
    } else if let limit = transfer.reached {
      output.write(.failed(id: id, index: 0, .runLimit(limit)))
    } else {
      let isFinal = [-ETIME, -ECONNREFUSED, -EHOSTUNREACH, -ENETUNREACH, -ENOSYS].contains(result)
      failures.note(Self.server, isFinal: isFinal)
      let text = unsafe String(cString: strerror(-result))
      output.write(.failed(id: id, index: 0, isFinal ? .unreachable(text) : .network(text)))
    }
    output.write(.over(id: id))
  }
}

/// One file on its way through libdebuginfod.
private final class LibraryTransfer {
  /// The limit of the run that ended it.
  private(set) var reached: FetchFailure.RunLimit?
  private let output: ReportOutput
  private let budget: DownloadBudget
  private var limits = FetchLimits(
    seconds: 0, totalSeconds: 0, bytes: 0, runSeconds: .max, runBytes: .max)
  private var counted = 0

  init(output: ReportOutput, budget: DownloadBudget) {
    self.output = output
    self.budget = budget
  }

  func begin(_ limits: FetchLimits) {
    self.limits = limits
    reached = nil
    counted = 0
  }

  /// Counts what is left of the file behind a descriptor, if nothing was told about it.
  func end(_ descriptor: CInt) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return }
    _ = budget.take(max(0, Int(status.st_size) - counted), limits)
  }

  /// Called several times a second: whether the file may come in further.
  ///
  /// - Parameter done: the bytes that have come in; a small number before there are any.
  func mayGoOn(done: Int) -> Bool {
    if done > counted {
      if !budget.take(done - counted, limits) { reached = .bytes }
      output.count(done - counted)
      counted = done
    }
    output.tick()
    reached = reached ?? budget.reached(limits)
    return reached == nil
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
