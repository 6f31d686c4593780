package import FetchProtocol
package import SymbolicationModel

/// Why a server, or something that a server delivered, could not be used.
package struct ServerProblem: Hashable, Sendable {
  package let kind: Kind
  /// How often it occurred for one server: the first is described.
  package internal(set) var count = 1

  package enum Kind: Hashable, Sendable {
    /// All downloads of the run have reached `limit`, whose value is in `value`. No server is asked
    /// again.
    case exhausted(ResourceLimit, value: UInt64)
    /// `symbolicate-fetch` cannot be started: C's `errno`.
    case missingHelper(path: String, errno: CInt)
    /// `symbolicate-fetch` ended before its work was done, or wrote something else than its
    /// protocol allows.
    case brokenHelper(path: String)
    /// There is no place for downloads, because `XDG_CACHE_HOME` and `HOME` are not set.
    case noCacheDirectory
    case unusableCache(path: String, errno: CInt)
    /// None of these libraries is installed. The server was not asked.
    case missingLibrary(names: [String], server: String)
    /// A file could not be downloaded.
    case failed(url: String, FetchFailure)
    /// What came from `url` is not the symbol file with this identity.
    case malformed(url: String, expected: ImageIdentity, Malformation)
    /// The server is not asked again in this run.
    case givenUp(server: String, GivingUp)
    /// What came from `url` earlier was not usable. It is not asked for again as long as there is a
    /// young file at `path`.
    case rememberedMalformation(url: String, path: String)
  }

  package enum GivingUp: Hashable, Sendable {
    /// Three of its answers were of no use.
    case uselessAnswers
    /// A file was not complete in time.
    case tooSlow
  }

  /// What came instead of the symbol file.
  package enum Malformation: Hashable, Sendable {
    case empty
    /// HTML or XML.
    case webPage
    /// A cabinet of Microsoft's, in which its symbol servers compress files. It is not unpacked.
    case cabinet
    case otherIdentity(found: [ImageIdentity])
    case unreadable(SymbolFileProblem.Kind)
    case damagedCompression(DecompressionError)
  }

  init(_ kind: Kind) { self.kind = kind }
}

/// The problems of a run. Of those that are alike, such as those of a server that refuses every
/// file, the first is kept and the others are counted.
struct ServerProblems: Sendable {
  private(set) var all: [ServerProblem] = []
  private var indexes: [String: Int] = [:]

  /// - Parameter topic: equal for problems that are alike; nil for one that stands alone.
  mutating func add(_ kind: ServerProblem.Kind, topic: String? = nil) {
    if let topic {
      if let index = indexes[topic] {
        all[index].count += 1
        return
      }
      indexes[topic] = all.count
    }
    let problem = ServerProblem(kind)
    if !all.contains(problem) { all.append(problem) }
  }
}
