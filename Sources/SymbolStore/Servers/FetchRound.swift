import FetchProtocol
import FileSystem
import SymbolicationModel
import SystemPackage

/// One batch of wishes, for which servers are asked at the same time.
struct FetchRound {
  private let servers: SymbolServers
  private var jobs: [Job]
  private var bytes: UInt64 = 0
  private var doneCount = 0
  private var startedCount = 0

  /// So many wishes are under way: enough for all connections of the helper, and few enough that a
  /// server whose answers are of no use is left alone soon.
  private static let window = 16

  /// A wish, and what is still to be tried for it, best first.
  private struct Job {
    let wish: SymbolServers.Wish
    let identity: ImageIdentity
    var steps: ArraySlice<Step>
    /// What the helper was asked for now, in the order of the request.
    var asked: [Asked] = []
    var isDone = false
  }

  private enum Step {
    case server(SymbolServer, path: String)
    case debuginfod(DebuginfodKind)
  }

  private struct Asked {
    /// Nil for debuginfod.
    let key: ServerCache.Key?
    let file: String
    /// As people see it.
    let server: String
    /// As people see it.
    let url: String
    /// As the helper gets it: it may hold a password.
    let request: String

    var candidate: FetchCandidate { FetchCandidate(url: request, file: file) }
  }

  init(servers: SymbolServers, wishes: [SymbolServers.Wish]) {
    self.servers = servers
    jobs = wishes.compactMap { wish in
      wish.image.identity.map { identity in
        Job(wish: wish, identity: identity, steps: Self.steps(for: wish, identity, servers)[...])
      }
    }
  }

  /// Debug information from all servers in their order, then Breakpad symbol files, then programs.
  private static func steps(
    for wish: SymbolServers.Wish, _ identity: ImageIdentity, _ places: SymbolServers
  ) -> [Step] {
    // 16 bytes are most likely the UUID of a Mach-O image, which debuginfod never has.
    let mayBeElf = wish.onlyDebugInformation || identity.bytes.count != 16
    let isDylib = !mayBeElf && wish.image.names.contains { $0.hasSuffix(".dylib") }
    func steps(_ content: LayoutFile.Content, _ kind: DebuginfodKind?) -> [Step] {
      let debuginfod = places.usesDebuginfod && mayBeElf ? kind : nil
      return places.servers.flatMap { server in
        server.layout.files(for: wish.image)
          .filter { $0.content == content && !(isDylib && $0.path.contains("elf-buildid")) }
          .map { Step.server(server, path: $0.path) }
      } + [debuginfod].compactMap { $0.map { .debuginfod($0) } }
    }
    let debugInformation = steps(.debugInformation, .debuginfo)
    return wish.onlyDebugInformation
      ? debugInformation
      : debugInformation + steps(.breakpad, nil) + steps(.executable, .executable)
  }

  /// Returns when all wishes have an answer in `state.found`.
  mutating func perform(_ state: inout SymbolServers.State) {
    start(&state)
    while jobs.contains(where: { !$0.isDone }) {
      guard let report = state.helper?.nextReport(), take(report, &state) else {
        if let helper = state.helper {
          servers.giveUp(&state, .brokenHelper(path: helper.path))
        }
        for id in jobs.indices where !jobs[id].isDone { advance(id, &state) }
        break
      }
      if case .progress(let bytes) = report { self.bytes = bytes }
      start(&state)
      servers.report(DownloadProgress(bytes: bytes, done: doneCount, total: jobs.count))
    }
    let used = Set(state.found.values.compactMap(\.self))
    if state.isPrepared { servers.cache?.makeRoom(keeping: used) }
  }

  private mutating func start(_ state: inout SymbolServers.State) {
    while startedCount < jobs.count, startedCount - doneCount < Self.window {
      startedCount += 1
      advance(startedCount - 1, &state)
    }
  }

  private mutating func finish(_ id: Int, _ path: String?, _ state: inout SymbolServers.State) {
    jobs[id].isDone = true
    jobs[id].asked = []
    doneCount += 1
    state.found[jobs[id].wish] = .some(path)
  }

  // MARK: - Requests

  /// Takes the next steps that need no server, and then asks for what does.
  private mutating func advance(_ id: Int, _ state: inout SymbolServers.State) {
    while let step = jobs[id].steps.first {
      switch step {
      case .debuginfod(let kind):
        if let path = DebuginfodCache.path(of: kind, identity: jobs[id].identity),
          accept(path, from: "debuginfod", jobs[id].identity, &state)
        {
          return finish(id, path, &state)
        }
        jobs[id].steps.removeFirst()
        guard canAsk(&state) else { continue }
        jobs[id].asked = [
          Asked(key: nil, file: "", server: "debuginfod", url: "debuginfod", request: "")
        ]
        let buildId = jobs[id].identity.bytes.hexadecimalDigits
        if send(.debuginfod(id: id, kind, buildId: buildId), &state) { return }
      case .server:
        switch askServers(id, &state) {
        case .found(let path): return finish(id, path, &state)
        case .asked: return
        case .nothingToAsk: continue
        }
      }
    }
    finish(id, nil, &state)
  }

  private enum ServerStep {
    case found(path: String)
    case asked
    case nothingToAsk
  }

  /// Asks for the next paths on servers, as far as nothing is known about them.
  private mutating func askServers(
    _ id: Int, _ state: inout SymbolServers.State
  ) -> ServerStep {
    guard let cache = servers.cache else {
      jobs[id].steps = jobs[id].steps.drop { if case .server = $0 { true } else { false } }
      state.problems.add(.noCacheDirectory)
      return .nothingToAsk
    }
    var asked: [Asked] = []
    while case .server(let server, let path)? = jobs[id].steps.first {
      let key = ServerCache.Key(server: server, path: path, identity: jobs[id].identity)
      let shown = server.shownUrl(of: path)
      switch cache.entry(for: key) {
      case .file(let file):
        // What comes before it must be asked for first.
        if asked.isEmpty {
          if Download.malformation(ofFileAt: file, jobs[id].identity) == nil {
            return .found(path: file)
          }
          // The cache is the user's; a file that was damaged there is fetched again.
          if (try? removeFile(at: file)) == nil { jobs[id].steps.removeFirst() }
          continue
        }
      case .malformed(let path):
        state.problems.add(
          .rememberedMalformation(url: shown, path: path), topic: "remembered \(server.shownUrl)")
        jobs[id].steps.removeFirst()
        continue
      case .absent:
        jobs[id].steps.removeFirst()
        continue
      case nil:
        jobs[id].steps.removeFirst()
        guard canAsk(&state), isWritable(cache, &state) else { continue }
        asked.append(
          Asked(
            key: key, file: cache.temporaryPath(), server: server.shownUrl, url: shown,
            request: server.url(of: path)))
        continue
      }
      break
    }
    guard !asked.isEmpty else { return .nothingToAsk }
    jobs[id].asked = asked
    return send(.get(id: id, asked.map(\.candidate)), &state) ? .asked : .nothingToAsk
  }

  private func canAsk(_ state: inout SymbolServers.State) -> Bool {
    !servers.isOffline && servers.helper(&state) != nil
  }

  private func isWritable(
    _ cache: ServerCache, _ state: inout SymbolServers.State
  ) -> Bool {
    if state.isPrepared { return true }
    do throws(FileSystemError) {
      try cache.prepare()
      state.isPrepared = true
      return true
    } catch {
      servers.giveUp(
        &state, .unusableCache(path: error.path, errno: error.errno.rawValue))
      return false
    }
  }

  private func send(_ request: FetchRequest, _ state: inout SymbolServers.State) -> Bool {
    guard let helper = state.helper else { return false }
    if helper.send(request) { return true }
    servers.giveUp(&state, .brokenHelper(path: helper.path))
    return false
  }

  // MARK: - Reports

  /// False for a report about something that was not asked.
  private mutating func take(
    _ report: FetchReport, _ state: inout SymbolServers.State
  ) -> Bool {
    switch report {
    case .hello: return false
    case .progress: return true
    case .saved(let id, let index):
      guard let asked = asked(id, index), let key = asked.key, let cache = servers.cache else {
        return false
      }
      let total = servers.runLimits.downloadSize
      let room = total - min(state.unpackedBytes, total)
      let download = Download(
        path: asked.file, identity: jobs[id].identity, cache: cache,
        sizeLimit: min(servers.limits.bytes, room))
      do {
        finish(id, try download.accept(as: key, unpackedBytes: &state.unpackedBytes), &state)
      } catch {
        switch error {
        case .cache(let error):
          state.problems.add(.unusableCache(path: error.path, errno: error.errno.rawValue))
        case .malformed(.damagedCompression(.tooLarge)) where room < servers.limits.bytes:
          servers.end(&state, .downloadSize)
        case .malformed(let malformation):
          cache.noteMalformation(of: key)
          // After three of them the server is left alone.
          state.uselessServers.insert(asked.server)
          _ = send(.useless(url: asked.request), &state)
          state.problems.add(
            .malformed(url: asked.url, expected: jobs[id].identity, malformation),
            topic: "malformed \(asked.server)")
        }
        askForRest(id, after: index, &state)
      }
    case .found(let id, let path):
      guard let asked = asked(id, 0), asked.key == nil else { return false }
      if accept(path, from: asked.url, jobs[id].identity, &state) {
        finish(id, path, &state)
      } else {
        state.uselessServers.insert(asked.server)
        _ = send(.useless(url: asked.server), &state)
        advance(id, &state)
      }
    case .absent(let id, let index):
      guard let asked = asked(id, index) else { return false }
      if let key = asked.key { servers.cache?.noteAbsence(of: key) }
    case .failed(let id, let index, let failure):
      guard let asked = asked(id, index) else { return false }
      add(failure, asked, &state)
    case .skipped(let id, let index):
      guard let asked = asked(id, index) else { return false }
      if state.slowServers.contains(asked.server) {
        state.problems.add(.givenUp(server: asked.server, .tooSlow))
      } else if state.uselessServers.contains(asked.server) {
        state.problems.add(.givenUp(server: asked.server, .uselessAnswers))
      }
    case .over(let id):
      guard asked(id, 0) != nil else { return false }
      jobs[id].asked = []
      advance(id, &state)
    }
    return true
  }

  private func asked(_ id: Int, _ index: Int) -> Asked? {
    guard jobs.indices.contains(id), !jobs[id].isDone, jobs[id].asked.indices.contains(index)
    else { return nil }
    return jobs[id].asked[index]
  }

  /// Asks for the candidates that the helper did not try, because one before them was complete.
  private mutating func askForRest(
    _ id: Int, after index: Int, _ state: inout SymbolServers.State
  ) {
    let rest = jobs[id].asked[(index + 1)...]
    jobs[id].asked = Array(rest)
    guard !rest.isEmpty, !state.isBroken else { return advance(id, &state) }
    if !send(.get(id: id, rest.map(\.candidate)), &state) {
      advance(id, &state)
    }
  }

  private func add(
    _ failure: FetchFailure, _ asked: Asked, _ state: inout SymbolServers.State
  ) {
    switch failure {
    case .cannotWrite(let errno):
      state.problems.add(
        .unusableCache(path: servers.cache?.folder.directory ?? "", errno: errno))
    case .missingLibrary(let names):
      state.problems.add(
        .missingLibrary(
          names: names.split(separator: " ").map(String.init), server: asked.server),
        topic: "library \(names)")
    case .runLimit(let limit):
      servers.end(&state, limit == .bytes ? .downloadSize : .downloadTime)
    case .status(let status):
      state.uselessServers.insert(asked.server)
      state.problems.add(
        .failed(url: asked.url, failure), topic: "status \(status) \(asked.server)")
    case .network, .unreachable, .timeout, .tooLarge:
      switch failure {
      case .timeout: state.slowServers.insert(asked.server)
      case .network, .tooLarge: state.uselessServers.insert(asked.server)
      default: break
      }
      state.problems.add(.failed(url: asked.url, failure), topic: "failed \(asked.server)")
    }
  }

  // MARK: - Files

  /// Whether the file at `path` in debuginfod's cache is the one wanted.
  private func accept(
    _ path: String, from url: String, _ identity: ImageIdentity,
    _ state: inout SymbolServers.State
  ) -> Bool {
    guard let malformation = Download.malformation(ofFileAt: path, identity) else { return true }
    state.problems.add(
      .malformed(url: "\(url) (\(path))", expected: identity, malformation),
      topic: "malformed \(url)")
    return false
  }
}
