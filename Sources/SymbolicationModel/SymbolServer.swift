/// A server of symbol files: where it is, and how its files are arranged.
package struct SymbolServer: Hashable, Sendable {
  /// Without a slash at its end. It may hold a user and a password: `shownUrl` is for people.
  package let url: String
  package let layout: SymbolLayout

  /// The longest URL that is accepted, in bytes.
  private static let maximumSize = 2048

  /// Parses `URL[,LAYOUT]`, or the name of a public server. Without a layout it is `native`.
  ///
  /// The URL is that of HTTP or HTTPS, and paths are appended to it, so it has no query and no
  /// fragment.
  package init(_ text: String) throws(InvalidSymbolServer) {
    if let known = PublicServer(rawValue: text) {
      (url, layout) = (known.url, known.layout)
      return
    }
    var url = text[...]
    var layout = SymbolLayout.native
    if let comma = text.lastIndex(of: ",") {
      let word = text[text.index(after: comma)...]
      if let named = SymbolLayout(rawValue: String(word)) {
        layout = named
        url = text[..<comma]
      } else if !word.contains("/") {
        throw .unknownLayout(String(word))
      }
    }
    while url.utf8.last == UInt8(ascii: "/") { url.removeLast() }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let rest = url.dropFirst(scheme.count)
    guard scheme == "http" || scheme == "https", rest.hasPrefix("://") else {
      throw .otherScheme(Self.withoutUser(text))
    }
    let host =
      rest.dropFirst(3).prefix { $0 != "/" }.split(separator: "@", omittingEmptySubsequences: false)
      .last ?? ""
    guard !host.isEmpty, host.utf8.first != UInt8(ascii: ":"), url.utf8.count <= Self.maximumSize,
      url.utf8.allSatisfy({
        $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
      })
    else { throw .notAUrl(Self.withoutUser(Self.withoutQuery(text))) }
    self.url = scheme + rest
    self.layout = layout
  }

  /// The URL without its user and password.
  package var shownUrl: String { Self.withoutUser(url) }

  /// The URL of the file at `path` in the layout.
  package func url(of path: String) -> String { url + "/" + percentEncoded(Array(path.utf8)) }

  /// The same for people.
  package func shownUrl(of path: String) -> String {
    shownUrl + "/" + percentEncoded(Array(path.utf8))
  }

  /// `text` with `…` for what is behind `?` or `#`, which may be a token.
  private static func withoutQuery(_ text: String) -> String {
    guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
    return text[...mark] + "…"
  }

  /// `text` without everything up to the last `@` between `//` and the path.
  private static func withoutUser(_ text: String) -> String {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2, parts[1].isEmpty, let at = parts[2].lastIndex(of: "@") else {
      // Without `//` nothing tells a password from a host.
      return text.lastIndex(of: "@").map { String(text[text.index(after: $0)...]) } ?? text
    }
    var shown = parts
    shown[2] = parts[2][parts[2].index(after: at)...]
    return shown.joined(separator: "/")
  }
}

/// Why a text is not a server. The texts hold no user and no password.
package enum InvalidSymbolServer: Error, Hashable, Sendable {
  /// It is not an HTTP or HTTPS URL.
  case otherScheme(String)
  case notAUrl(String)
  case unknownLayout(String)
}

/// How much of servers a run may use, besides which ones.
package struct ServerLimits: Hashable, Sendable {
  /// A server that does not deliver 100 KB in this time, in seconds, is given up; 0 for no limit.
  package var seconds = 90
  /// The time for one file, in seconds; 0 for no limit.
  package var totalSeconds = 1800
  /// The size of one file, in bytes, as it comes in and when it is unpacked.
  package var bytes: UInt64 = 4 << 30
  /// The size of all downloads in the cache together, in bytes.
  package var cacheBytes: UInt64 = 8 << 30

  package init() {}
}

/// A way to arrange symbol files in folders so that the path of a file follows from its image.
///
/// Directories and servers use the same layouts. All paths contain the image's UUID or build-id, so
/// a layout never finds a file by its name alone; what is found is still opened and compared.
package enum SymbolLayout: String, CaseIterable, Hashable, Sendable {
  /// Each platform's own: `.build-id` of Linux without that folder (`bb/….debug`), LLDB's folders
  /// of UUID digits, and Breakpad's `NAME/ID/NAME.sym`.
  case native
  /// Microsoft's symbol store with the keys of the Simple Symbol Query Protocol for Mach-O and ELF.
  case symstore
  /// Like `symstore`, with names in lower case, as servers of that protocol want them.
  case ssqp
  /// `symstore` with another folder in front, for stores with many files.
  case index2
  /// Sentry's: `uu/u…/debuginfo`.
  case unified
  /// The paths that debuginfod serves: `buildid/…/debuginfo`. ELF only.
  case debuginfod
  /// Breakpad's `NAME/ID/NAME.sym` alone.
  case breakpad
}

/// A server that anyone may ask, by the name that stands for its URL and layout.
package enum PublicServer: String, CaseIterable, Hashable, Sendable {
  /// Firefox and Thunderbird, for all their systems.
  case mozilla
  /// Electron's own binaries in apps that are made with it.
  case electron
  /// .NET's runtime, in apps of .NET and MAUI.
  case microsoft
  /// Chromium and Chrome for Windows.
  case chromium

  package var url: String {
    switch self {
    case .mozilla: "https://symbols.mozilla.org"
    case .electron: "https://symbols.electronjs.org"
    case .microsoft: "https://msdl.microsoft.com/download/symbols"
    case .chromium: "https://chromium-browser-symsrv.commondatastorage.googleapis.com"
    }
  }

  package var layout: SymbolLayout {
    switch self {
    case .mozilla, .electron: .breakpad
    case .microsoft: .ssqp
    case .chromium: .symstore
    }
  }

  /// The server that has the symbols of an image of that name, to go by the name alone.
  package init?(image name: String) {
    let known = Self.allCases.first { server in
      server.imageNames.contains {
        name == $0 || $0.hasSuffix("*") && name.hasPrefix($0.dropLast())
      }
    }
    guard let known else { return nil }
    self = known
  }

  /// A star at the end stands for anything. Chromium's images for Apple's systems and Linux are not
  /// on its server.
  private var imageNames: [String] {
    switch self {
    case .mozilla:
      [
        "XUL", "libxul.so", "firefox", "firefox-bin", "thunderbird", "plugin-container",
        "libmozglue*", "libnss3*", "libmozsandbox*", "liblgpllibs*",
      ]
    case .electron: ["Electron Framework", "Electron Helper*", "electron"]
    case .microsoft:
      ["libcoreclr*", "libclrjit*", "libhostfxr*", "libhostpolicy*", "libSystem.Native*"]
    case .chromium: []
    }
  }
}

/// How far the downloads of a batch are.
package struct DownloadProgress: Hashable, Sendable {
  /// The bytes that have come in, over the whole run.
  package let bytes: UInt64
  /// The images for which it is known whether a server has their file, of `total`.
  package let done: Int
  package let total: Int

  package init(bytes: UInt64, done: Int, total: Int) {
    self.bytes = bytes
    self.done = done
    self.total = total
  }
}
