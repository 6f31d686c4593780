import FetchProtocol
import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization
import SystemPackage

/// The servers that the user configured: the last place, asked for what no other has.
///
/// Only identities and names of images go to a server. What comes back is as untrusted as any other
/// file: it is used only if it is a symbol file with the identity that was asked for.
///
/// While one thread waits for downloads, the others wait too.
final class SymbolServers: SymbolFileLocator {
  let servers: [SymbolServer]
  let usesDebuginfod: Bool
  let isOffline: Bool
  let limits: ServerLimits
  /// Those of the run on all downloads together.
  let runLimits: ResourceLimits
  let cache: ServerCache?
  private let helperPath: @Sendable () -> String
  private let progress: (@Sendable (DownloadProgress) -> Void)?
  private let state = Mutex(State())

  struct State {
    var helper: FetchHelper?
    /// Whether downloading is impossible in this run.
    var isBroken = false
    var isPrepared = false
    /// The paths of the files found; nil for what no server has.
    var found: [Wish: String?] = [:]
    var problems = ServerProblems()
    /// The bytes that were unpacked from compressed downloads.
    var unpackedBytes: UInt64 = 0
    /// Servers that did not deliver in time.
    var slowServers: Set<String> = []
    /// Servers that failed, or sent something too large, or something else than was asked for.
    var uselessServers: Set<String> = []
  }

  /// Nil if there is no server.
  init?(
    _ places: SymbolPlaces, cache: ServerCache? = nil,
    helperPath: @escaping @Sendable () -> String = { FetchHelper.programPath },
    progress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) {
    guard !places.servers.isEmpty || places.usesDebuginfod else { return nil }
    servers = places.servers
    usesDebuginfod = places.usesDebuginfod
    isOffline = places.isOffline
    limits = places.serverLimits
    runLimits = places.limits
    self.cache =
      cache
      ?? .user(directory: places.cacheDirectory, sizeLimit: places.serverLimits.cacheBytes)
    self.helperPath = helperPath
    self.progress = progress
  }

  var problems: [ServerProblem] { state.withLock { $0.problems.all } }

  /// A file that servers are asked for.
  struct Wish: Hashable {
    let image: ImageDescription
    /// Whether a program without debug information is of no use.
    let onlyDebugInformation: Bool

    /// No build-id is longer; a report may state anything.
    static let longestIdentity = 64

    /// Nil for a request that no server can serve.
    init?(_ request: SymbolFileRequest) {
      switch request.wanted {
      case .image(let image):
        self.image = image
        onlyDebugInformation = false
      case .separateDebugFile, .supplementaryFile:
        guard !request.isForMachO else { return nil }
        image = ImageDescription(
          identity: request.identity, architecture: request.architecture, names: [])
        onlyDebugInformation = true
      case .splitPackage, .splitUnit, .debugMapObject, .index: return nil
      }
      guard let identity = image.identity, identity.bytes.count <= Self.longestIdentity else {
        return nil
      }
    }
  }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard let wish = Wish(request), let identity = wish.image.identity else {
      return SymbolFileAnswer()
    }
    fetch([wish])
    guard let path = state.withLock({ $0.found[wish] ?? nil }), !known.contains(path) else {
      return SymbolFileAnswer()
    }
    guard case .image = request.wanted else {
      return request.withoutChecksum.firstFile(at: [path], skipping: known)
    }
    let file = (try? ObjectContainer.open(path: path))?.objectFile(identity: identity)
    return SymbolFileAnswer(files: file.map { [$0] } ?? [])
  }

  /// Asks for several files at a time, so that the requests that follow find them.
  func fetch(_ wishes: [Wish]) {
    state.withLock { state in
      let new = wishes.withoutRepetitions.filter { state.found[$0] == nil }
      guard !new.isEmpty else { return }
      var round = FetchRound(servers: self, wishes: new)
      round.perform(&state)
    }
  }

  /// The helper, started now if it does not run yet; nil after a problem.
  func helper(_ state: inout State) -> FetchHelper? {
    if state.isBroken { return nil }
    if let helper = state.helper { return helper }
    let path = helperPath()
    do {
      let helper = try FetchHelper(path: path)
      guard case .hello(FetchReport.version) = helper.nextReport(),
        helper.send(
          .limits(
            FetchLimits(
              seconds: limits.seconds, totalSeconds: limits.totalSeconds, bytes: limits.bytes,
              runSeconds: runLimits.downloadTime, runBytes: runLimits.downloadSize)))
      else {
        giveUp(&state, .brokenHelper(path: path))
        return nil
      }
      state.helper = helper
      return helper
    } catch {
      giveUp(&state, .missingHelper(path: error.path, errno: error.errno.rawValue))
      return nil
    }
  }

  func giveUp(_ state: inout State, _ kind: ServerProblem.Kind) {
    state.problems.add(kind)
    state.helper = nil
    state.isBroken = true
  }

  /// Asks no server again in this run. What the helper has completed is still taken from it.
  func end(_ state: inout State, _ limit: ResourceLimit) {
    guard !state.isBroken else { return }
    state.problems.add(.exhausted(limit, value: runLimits[limit]))
    state.isBroken = true
  }

  func report(_ current: DownloadProgress) { progress?(current) }
}
