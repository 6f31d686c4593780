/// What `symbolicate-fetch` reports to `symbolicate`, one line each on its standard output.
///
/// | line | meaning |
/// | --- | --- |
/// | `symbolicate-fetch 2` | the first line: the version of this protocol |
/// | `saved ID INDEX` | the file of that candidate is complete; ends the request |
/// | `found ID PATH` | libdebuginfod has the file at that path; ends the request |
/// | `absent ID INDEX` | the server does not have that candidate |
/// | `failed ID INDEX KIND DETAIL` | that candidate could not be downloaded |
/// | `skipped ID INDEX` | that candidate's server has failed before and was not asked |
/// | `over ID` | no candidate is left; ends the request |
/// | `progress BYTES` | how many bytes have come in so far, at most twice a second |
///
/// Candidates are counted from 0; a request to debuginfod counts as one.
package enum FetchReport: Hashable, Sendable {
  case hello(version: Int)
  case saved(id: Int, index: Int)
  case found(id: Int, path: String)
  case absent(id: Int, index: Int)
  case failed(id: Int, index: Int, FetchFailure)
  case skipped(id: Int, index: Int)
  case over(id: Int)
  case progress(bytes: UInt64)

  package static let version = 2

  package var line: [UInt8] {
    switch self {
    case .hello(let version): FetchLine.encoded(["symbolicate-fetch", "\(version)"])
    case .saved(let id, let index): FetchLine.encoded(["saved", "\(id)", "\(index)"])
    case .found(let id, let path): FetchLine.encoded(["found", "\(id)", path])
    case .absent(let id, let index): FetchLine.encoded(["absent", "\(id)", "\(index)"])
    case .failed(let id, let index, let failure):
      FetchLine.encoded(["failed", "\(id)", "\(index)"] + failure.fields)
    case .skipped(let id, let index): FetchLine.encoded(["skipped", "\(id)", "\(index)"])
    case .over(let id): FetchLine.encoded(["over", "\(id)"])
    case .progress(let bytes): FetchLine.encoded(["progress", "\(bytes)"])
    }
  }

  /// Nil for a line that is not a report.
  package init?(line: some Collection<UInt8>) {
    guard let fields = FetchLine.fields(of: line), let verb = fields.first else { return nil }
    let words = Array(fields.dropFirst())
    let id = words.first.flatMap { Int($0) }
    let index = words.dropFirst().first.flatMap { Int($0) }
    switch (verb, words.count, id, index) {
    case ("symbolicate-fetch", 1, let version?, _): self = .hello(version: version)
    case ("saved", 2, let id?, let index?): self = .saved(id: id, index: index)
    case ("found", 2, let id?, _): self = .found(id: id, path: words[1])
    case ("absent", 2, let id?, let index?): self = .absent(id: id, index: index)
    case ("failed", 4, let id?, let index?):
      guard let failure = FetchFailure(kind: words[2], detail: words[3]) else { return nil }
      self = .failed(id: id, index: index, failure)
    case ("skipped", 2, let id?, let index?): self = .skipped(id: id, index: index)
    case ("over", 1, let id?, _): self = .over(id: id)
    case ("progress", 1, _, _):
      guard let bytes = UInt64(words[0]) else { return nil }
      self = .progress(bytes: bytes)
    default: return nil
    }
  }
}

/// Why a candidate could not be downloaded.
package enum FetchFailure: Hashable, Sendable {
  /// The server's HTTP status.
  case status(Int)
  /// libcurl's or libdebuginfod's words.
  case network(String)
  /// The same, and the server cannot be reached at all.
  case unreachable(String)
  /// It took longer than this limit, in seconds.
  case timeout(seconds: Int)
  /// It is larger than this limit, in bytes.
  case tooLarge(limit: UInt64)
  /// All downloads together have reached a limit of the run.
  case runLimit(RunLimit)
  /// The download cannot be written: C's `errno`.
  case cannotWrite(errno: CInt)
  /// None of these libraries is installed.
  case missingLibrary(String)

  package enum RunLimit: String, Hashable, Sendable {
    case bytes, seconds
  }

  var fields: [String] {
    switch self {
    case .status(let status): ["status", "\(status)"]
    case .network(let text): ["network", text]
    case .unreachable(let text): ["unreachable", text]
    case .timeout(let seconds): ["timeout", "\(seconds)"]
    case .tooLarge(let limit): ["too-large", "\(limit)"]
    case .runLimit(let limit): ["run-limit", limit.rawValue]
    case .cannotWrite(let errno): ["cannot-write", "\(errno)"]
    case .missingLibrary(let name): ["missing-library", name]
    }
  }

  init?(kind: String, detail: String) {
    switch kind {
    case "status":
      guard let status = Int(detail) else { return nil }
      self = .status(status)
    case "network": self = .network(detail)
    case "unreachable": self = .unreachable(detail)
    case "timeout":
      guard let seconds = Int(detail) else { return nil }
      self = .timeout(seconds: seconds)
    case "too-large":
      guard let limit = UInt64(detail) else { return nil }
      self = .tooLarge(limit: limit)
    case "run-limit":
      guard let limit = RunLimit(rawValue: detail) else { return nil }
      self = .runLimit(limit)
    case "cannot-write":
      guard let errno = CInt(detail) else { return nil }
      self = .cannotWrite(errno: errno)
    case "missing-library": self = .missingLibrary(detail)
    default: return nil
    }
  }
}
