import CLibCurl
import FetchProtocol
import FileSystem
import Platform
import SystemPackage

/// Downloads files over HTTP and HTTPS, one after the other, for one thread.
@safe final class Downloader {
  private let output: ReportOutput
  private let failures: ServerFailures
  private let budget: DownloadBudget
  /// Kept between downloads, and with it the connection. It lives as long as the process.
  private var handle: UnsafeMutableRawPointer?

  private static let mostRedirects = 5
  private static let connectSeconds = 30
  /// What a server must deliver in the time limit: as debuginfod has it.
  private static let firstBytes = 100 * 1024

  init(output: ReportOutput, failures: ServerFailures, budget: DownloadBudget) {
    self.output = output
    self.failures = failures
    self.budget = budget
    unsafe handle = nil
  }

  /// Tries the candidates in their order until one can be downloaded.
  func download(_ candidates: [FetchCandidate], id: Int, limits: FetchLimits) {
    for (index, candidate) in candidates.enumerated() {
      let server = Self.server(of: candidate.url)
      guard !failures.isDown(server) else {
        output.write(.skipped(id: id, index: index))
        continue
      }
      switch download(candidate, from: server, limits) {
      case .complete:
        output.write(.saved(id: id, index: index))
        return
      case .absent: output.write(.absent(id: id, index: index))
      case .failed(let failure): output.write(.failed(id: id, index: index, failure))
      }
    }
    output.write(.over(id: id))
  }

  private enum Outcome {
    case complete
    case absent
    case failed(FetchFailure)
  }

  private func download(
    _ candidate: FetchCandidate, from server: String, _ limits: FetchLimits
  ) -> Outcome {
    guard let curl = CurlLibrary.shared else {
      failures.note(server, isFinal: true)
      return .failed(.missingLibrary(CurlLibrary.names.joined(separator: " ")))
    }
    if let limit = budget.reached(limits) { return .failed(.runLimit(limit)) }
    budget.begin()
    defer { budget.end() }
    if unsafe handle == nil { unsafe handle = curl.create() }
    guard let handle = unsafe handle else { return .failed(.network("no memory")) }
    // Without a name, nothing is left of it if this process is killed.
    let unnamed = UnnamedFile.make(
      in: candidate.file.folderPrefix, permissions: FilePermissions(rawValue: 0o600))
    let descriptor =
      unnamed?.descriptor.rawValue
      ?? Self.makeFile(candidate.file)
    guard descriptor >= 0 else { return .failed(.cannotWrite(errno: errno)) }
    // With one, the lock shows that somebody is writing it.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    let transfer = Transfer(descriptor: descriptor, limits, output: output, budget: budget)
    var result = unsafe perform(candidate.url, transfer, limits, handle, curl)
    if case .complete = result, let unnamed {
      do throws(Errno) {
        try UnnamedFile.link(unnamed.descriptor, to: candidate.file)
      } catch {
        result = .failed(.cannotWrite(errno: error.rawValue))
      }
    }
    let isClosed = close(descriptor) == 0
    if case .complete = result {
      if isClosed { return .complete }
      try? removeFile(at: candidate.file)
      return .failed(.cannotWrite(errno: errno))
    }
    try? removeFile(at: candidate.file)
    if case .failed(let failure) = result, !failure.isOurs {
      failures.note(server, isFinal: transfer.isUnreachable)
    }
    return result
  }

  /// Returns -1 with `errno` if the file cannot be made, or exists.
  private static func makeFile(_ path: String) -> CInt {
    unsafe path.withPathBytes {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
  }

  private func perform(
    _ url: String, _ transfer: Transfer, _ limits: FetchLimits, _ handle: UnsafeMutableRawPointer,
    _ curl: CurlLibrary
  ) -> Outcome {
    // Soundness: libcurl keeps the pointers to `transfer` and `message` no longer than `reset`,
    // and calls back only during `perform`, on this thread.
    var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code: CURLcode = unsafe message.withUnsafeMutableBufferPointer { message in
      unsafe curl.reset(handle)
      let set = unsafe curl.setOption
      func long(_ option: CURLoption, _ value: Int) {
        _ = unsafe symbolicate_setopt_long(set, handle, option, value)
      }
      _ = unsafe symbolicate_setopt_text(set, handle, CURLOPT_URL, url)
      _ = unsafe symbolicate_setopt_text(set, handle, CURLOPT_USERAGENT, "symbolicate")
      _ = unsafe symbolicate_setopt_pointer(
        set, handle, CURLOPT_ERRORBUFFER, message.baseAddress)
      // Never to a file or another protocol, and from HTTPS only to HTTPS.
      let isSecure = url.lowercased().hasPrefix("https:")
      let protocols = symbolicate_protocol_https | (isSecure ? 0 : symbolicate_protocol_http)
      long(CURLOPT_PROTOCOLS, protocols)
      long(CURLOPT_REDIR_PROTOCOLS, protocols)
      long(CURLOPT_FOLLOWLOCATION, 1)
      long(CURLOPT_MAXREDIRS, Self.mostRedirects)
      // A user and a password go to the host of the URL and not to one it redirects to.
      long(CURLOPT_UNRESTRICTED_AUTH, 0)
      long(CURLOPT_SSL_VERIFYPEER, 1)
      long(CURLOPT_SSL_VERIFYHOST, 2)
      // The body of an error is not a symbol file.
      long(CURLOPT_FAILONERROR, 1)
      long(CURLOPT_NOSIGNAL, 1)
      long(CURLOPT_TIMEOUT, limits.totalSeconds)
      if limits.seconds > 0 {
        long(CURLOPT_CONNECTTIMEOUT, min(limits.seconds, Self.connectSeconds))
        long(CURLOPT_LOW_SPEED_TIME, limits.seconds)
        long(CURLOPT_LOW_SPEED_LIMIT, max(1, Self.firstBytes / limits.seconds))
      }
      if let limit = Int64(exactly: limits.bytes), limit > 0 {
        _ = unsafe symbolicate_setopt_offset(
          set, handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limit))
      }
      let argument = unsafe Unmanaged.passUnretained(transfer).toOpaque()
      _ = unsafe symbolicate_setopt_write(
        set, handle, CURLOPT_WRITEFUNCTION,
        { bytes, size, count, argument in
          guard let argument = unsafe argument else { return 0 }
          let transfer = unsafe Unmanaged<Transfer>.fromOpaque(argument).takeUnretainedValue()
          // libcurl's `size` is always 1.
          return unsafe transfer.write(UnsafeRawBufferPointer(start: bytes, count: count &* size))
        })
      _ = unsafe symbolicate_setopt_pointer(set, handle, CURLOPT_WRITEDATA, argument)
      _ = unsafe symbolicate_setopt_progress(
        set, handle, CURLOPT_XFERINFOFUNCTION,
        { argument, _, received, _, _ in
          guard let argument = unsafe argument else { return 0 }
          let transfer = unsafe Unmanaged<Transfer>.fromOpaque(argument).takeUnretainedValue()
          // Anything but 0 ends the download.
          return transfer.mayGoOn(received: UInt64(clamping: received)) ? 0 : 1
        })
      _ = unsafe symbolicate_setopt_pointer(set, handle, CURLOPT_XFERINFODATA, argument)
      long(CURLOPT_NOPROGRESS, 0)
      return withExtendedLifetime(transfer) { unsafe curl.perform(handle) }
    }
    var status = 0
    _ = unsafe symbolicate_getinfo_long(
      curl.getInformation, handle, CURLINFO_RESPONSE_CODE, &status)
    unsafe curl.reset(handle)
    transfer.isUnreachable = Self.unreachable.contains(code)
    if code != CURLE_OK, let limit = transfer.reached { return .failed(.runLimit(limit)) }
    switch code {
    case CURLE_OK where status == 200: return .complete
    case CURLE_OK: return .failed(.status(status))
    case CURLE_HTTP_RETURNED_ERROR where status == 404 || status == 410: return .absent
    case CURLE_HTTP_RETURNED_ERROR: return .failed(.status(status))
    case CURLE_OPERATION_TIMEDOUT:
      let isTotal =
        limits.totalSeconds > 0
        && (limits.seconds == 0 || limits.totalSeconds <= limits.seconds
          || transfer.elapsedSeconds >= limits.totalSeconds)
      return .failed(.timeout(seconds: isTotal ? limits.totalSeconds : limits.seconds))
    case CURLE_FILESIZE_EXCEEDED: return .failed(.tooLarge(limit: limits.bytes))
    case CURLE_WRITE_ERROR where transfer.isTooLarge,
      CURLE_ABORTED_BY_CALLBACK where transfer.isTooLarge:
      return .failed(.tooLarge(limit: limits.bytes))
    case CURLE_WRITE_ERROR where transfer.writeError != 0:
      return .failed(.cannotWrite(errno: transfer.writeError))
    default:
      let text = String(
        decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let general = unsafe curl.explanation(code).map { unsafe String(cString: $0) }
      // libcurl may quote a proxy with its user and password.
      let isSecret = text.utf8.contains(UInt8(ascii: "@"))
      let reason = text.isEmpty || isSecret ? general ?? "error \(code.rawValue) of libcurl" : text
      return .failed(transfer.isUnreachable ? .unreachable(reason) : .network(reason))
    }
  }

  /// The server cannot be reached, so it need not be asked for other files.
  private static let unreachable: [CURLcode] = [
    CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
    CURLE_OPERATION_TIMEDOUT, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
  ]

  /// The URL up to the path.
  static func server(of url: String) -> String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }
}

extension FetchFailure {
  /// Whether the server did nothing wrong.
  fileprivate var isOurs: Bool {
    switch self {
    case .cannotWrite, .runLimit: true
    // Servers refuse single files; that is quick, and others may be there.
    case .status(let status): (400..<500).contains(status) && status != 429
    case .network, .unreachable, .timeout, .tooLarge, .missingLibrary: false
    }
  }
}

/// One download on its way into a file.
private final class Transfer {
  let output: ReportOutput
  var isUnreachable = false
  private(set) var isTooLarge = false
  /// C's `errno`; 0 for no error.
  private(set) var writeError: CInt = 0
  /// The limit of the run that ended it.
  private(set) var reached: FetchFailure.RunLimit?
  private let descriptor: CInt
  private let limits: FetchLimits
  private let budget: DownloadBudget
  private var size: UInt64 = 0
  /// The bytes of the answer under way that libcurl has thrown away.
  private var discarded: UInt64 = 0
  private let start = Clock.secondsSince1970

  init(
    descriptor: CInt, _ limits: FetchLimits, output: ReportOutput, budget: DownloadBudget
  ) {
    self.descriptor = descriptor
    self.limits = limits
    self.output = output
    self.budget = budget
  }

  var elapsedSeconds: Int64 { Clock.secondsSince1970 - start }

  /// Called whenever something comes in, and about once a second: whether there is time left, and
  /// room for bytes.
  ///
  /// - Parameter received: the bytes of the body so far. Those of a redirect do not reach
  ///   ``write(_:)``; behind each, libcurl counts anew.
  func mayGoOn(received: UInt64) -> Bool {
    output.tick()
    let thrownAway = received > size ? received - size : 0
    if thrownAway > discarded, !budget.take(Int(clamping: thrownAway - discarded), limits) {
      reached = .bytes
      return false
    }
    discarded = thrownAway
    if limits.bytes > 0, received > limits.bytes {
      isTooLarge = true
      return false
    }
    reached = budget.reached(limits)
    return reached == nil
  }

  /// Returns how many bytes were written; another number than given ends the download.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    size &+= UInt64(bytes.count)
    if limits.bytes > 0, size > limits.bytes {
      isTooLarge = true
      return 0
    }
    guard budget.take(bytes.count, limits) else {
      reached = .bytes
      return 0
    }
    var written = 0
    while written < bytes.count {
      let count = unsafe Platform.write(
        descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        writeError = errno
        return 0
      }
      written += count
    }
    output.count(bytes.count)
    return written
  }
}
