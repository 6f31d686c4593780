/// What `symbolicate` asks of `symbolicate-fetch`, one line each on its standard input.
///
/// | line | meaning |
/// | --- | --- |
/// | `limits SECONDS TOTAL BYTES RUN-SECONDS RUN-BYTES` | the limits of all following downloads |
/// | `get ID URL FILE [URL FILE]…` | download the first URL that has a file to the path after it |
/// | `debuginfod ID KIND BUILD-ID` | ask libdebuginfod for `debuginfo` or `executable` |
/// | `useless URL` | what came from there is not what was asked for: the server failed |
/// | `end` | there are no more requests |
///
/// Work begins with the line, and goes on for several requests at a time. Standard input that ends
/// without `end` means that nobody waits for the rest.
package enum FetchRequest: Hashable, Sendable {
  case limits(FetchLimits)
  case get(id: Int, [FetchCandidate])
  case debuginfod(id: Int, DebuginfodKind, buildId: String)
  case useless(url: String)
  case end

  package var line: [UInt8] {
    switch self {
    case .limits(let limits):
      FetchLine.encoded([
        "limits", "\(limits.seconds)", "\(limits.totalSeconds)", "\(limits.bytes)",
        "\(limits.runSeconds)", "\(limits.runBytes)",
      ])
    case .get(let id, let candidates):
      FetchLine.encoded(["get", "\(id)"] + candidates.flatMap { [$0.url, $0.file] })
    case .debuginfod(let id, let kind, let buildId):
      FetchLine.encoded(["debuginfod", "\(id)", kind.rawValue, buildId])
    case .useless(let url): FetchLine.encoded(["useless", url])
    case .end: FetchLine.encoded(["end"])
    }
  }

  /// Nil for a line that is not a request.
  package init?(line: some Collection<UInt8>) {
    guard let fields = FetchLine.fields(of: line), let verb = fields.first else { return nil }
    let rest = fields.dropFirst()
    let id = rest.first.flatMap { Int($0) }
    switch (verb, rest.count) {
    case ("limits", 5):
      let numbers = rest.compactMap { UInt64($0) }
      guard numbers.count == 5, let seconds = Int(exactly: numbers[0]),
        let total = Int(exactly: numbers[1])
      else { return nil }
      self = .limits(
        FetchLimits(
          seconds: seconds, totalSeconds: total, bytes: numbers[2], runSeconds: numbers[3],
          runBytes: numbers[4]))
    case ("get", let count) where count >= 3 && count % 2 == 1:
      guard let id else { return nil }
      let words = Array(rest.dropFirst())
      self = .get(
        id: id,
        stride(from: 0, to: words.count, by: 2).map {
          FetchCandidate(url: words[$0], file: words[$0 + 1])
        })
    case ("debuginfod", 3):
      let words = Array(rest)
      guard let id, let kind = DebuginfodKind(rawValue: words[1]), !words[2].isEmpty else {
        return nil
      }
      self = .debuginfod(id: id, kind, buildId: words[2])
    case ("useless", 1): self = .useless(url: rest.joined())
    case ("end", 0): self = .end
    default: return nil
    }
  }
}

/// What debuginfod serves for a build-id.
package enum DebuginfodKind: String, Hashable, Sendable {
  case debuginfo, executable
}

/// One URL to try.
package struct FetchCandidate: Hashable, Sendable {
  package let url: String
  /// Where the download goes. There must be no file yet; there is none afterwards, unless the
  /// download is complete.
  package let file: String

  package init(url: String, file: String) {
    self.url = url
    self.file = file
  }
}

/// The limits of each download, and of all downloads together.
package struct FetchLimits: Hashable, Sendable {
  /// A server that does not deliver 100 KB in this time, in seconds, is given up; 0 for no limit.
  package var seconds: Int
  /// The time for one file, in seconds; 0 for no limit.
  package var totalSeconds: Int
  /// The size of one file, in bytes; 0 for no limit.
  package var bytes: UInt64
  /// The time in which any file may be under way, in seconds.
  package var runSeconds: UInt64
  /// The size of all files together, in bytes, those that were of no use and parts of files
  /// included.
  package var runBytes: UInt64

  package init(
    seconds: Int, totalSeconds: Int, bytes: UInt64, runSeconds: UInt64, runBytes: UInt64
  ) {
    self.seconds = seconds
    self.totalSeconds = totalSeconds
    self.bytes = bytes
    self.runSeconds = runSeconds
    self.runBytes = runBytes
  }
}
