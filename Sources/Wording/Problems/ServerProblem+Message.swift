import FetchProtocol
import SymbolStore
import SymbolicationModel
import SystemPackage

extension ServerProblem {
  /// One sentence: which URL, what was found, what was expected, what to try.
  package var message: String {
    count > 1 ? "\(kind.message) (and \(count - 1) more like this)" : kind.message
  }
}

extension ServerProblem.Kind {
  fileprivate var message: String {
    switch self {
    case .exhausted(let limit, let value):
      "no server is asked again in this run: \(limit == .downloadTime ? "downloading took" : "downloads and what was unpacked from them have") \(limit.shown(value)); \(limit.remedy(from: value))"
    case .missingHelper(let path, let errno):
      "cannot start \(path), which downloads from servers: \(Errno(rawValue: errno)); install it beside symbolicate; no server was asked"
    case .brokenHelper(let path):
      "\(path), which downloads from servers, ended unexpectedly; install the one that belongs to this symbolicate"
    case .noCacheDirectory:
      "no server was asked, because there is no folder for downloads; set XDG_CACHE_HOME or HOME"
    case .unusableCache(let path, let errno):
      "cannot keep downloads in \(path): \(Errno(rawValue: errno)); set XDG_CACHE_HOME to a folder that only you can write to"
    case .missingLibrary(let names, let server):
      server == "debuginfod"
        ? "debuginfod was not asked, because \(names.joined(separator: " or ")) is not installed; install libdebuginfod1 (elfutils-debuginfod-client), or give its servers as --symbol-server URL,debuginfod"
        : "\(server) was not asked, because \(names.joined(separator: " or ")) is not installed; install libcurl4 (libcurl)"
    case .failed(let url, let failure): failure.message(url)
    case .malformed(let url, let expected, let malformation):
      "\(url) is not usable: \(malformation.text); expected a symbol file with \(Self.shown(expected))"
    case .givenUp(let server, let reason):
      "\(server) is not asked again in this run: \(reason == .tooSlow ? "it took too long" : "three of its answers were of no use")"
    case .rememberedMalformation(let url, let path):
      "\(url) was not usable when it was downloaded last; it is asked for again a day later, or if you remove \(path)"
    }
  }

  fileprivate static func shown(_ identity: ImageIdentity) -> String {
    "\(identity.bytes.count == 16 ? "UUID" : "build-id") \(identity)"
  }
}

extension ServerProblem.Malformation {
  fileprivate var text: String {
    switch self {
    case .empty: "the server sent nothing"
    case .webPage: "the server sent a web page"
    case .cabinet:
      "the server sent a Microsoft cabinet (CAB), which is not unpacked; unpack it with cabextract and give it with -d"
    case .otherIdentity(let found):
      "the server sent a file with \(found.isEmpty ? "no UUID or build-id" : found.map { ServerProblem.Kind.shown($0) }.joined(separator: " and "))"
    case .unreadable(let kind):
      kind.message(path: "what the server sent", renewal: "report it to the server's operator")
    case .damagedCompression(let error):
      "what the server sent is compressed and cannot be unpacked: \(error.text)"
    }
  }
}

extension FetchFailure {
  fileprivate func message(_ url: String) -> String {
    switch self {
    case .status(let status) where status == 401 || status == 403:
      "\(url) was refused (HTTP status \(status)); if the server needs a user and a password, put them into the URL"
    case .status(let status):
      "\(url) could not be downloaded: the server answered with HTTP status \(status)"
    case .network(let text), .unreachable(let text): "\(url) could not be downloaded: \(text)"
    case .timeout(let seconds):
      "\(url) could not be downloaded within \(seconds == 1 ? "1 second" : "\(seconds) seconds"); SYMBOLICATE_SERVER_TIMEOUT and SYMBOLICATE_SERVER_MAXTIME set the limits"
    case .tooLarge(let limit):
      "\(url) is larger than \(limit) bytes and was not downloaded; SYMBOLICATE_SERVER_MAXSIZE sets the limit"
    case .runLimit:
      "\(url) was not downloaded, because all downloads together have reached a limit"
    case .cannotWrite(let errno): "\(url) could not be written: \(Errno(rawValue: errno))"
    case .missingLibrary(let names): "\(url) was not asked for: \(names) is not installed"
    }
  }
}
