import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Wording

/// A source of names that a person may have, and what it could do for a report. docs/symbols.md
/// describes all of them.
struct NameSource: Hashable {
  let kind: Kind
  /// The frames without a name that it would name. For names learnt from reports, the most.
  let frameCount: Int

  /// In the order in which a person should try them.
  enum Kind: Hashable {
    /// The app's dSYM, or its debug file.
    case debugInformation
    /// `Symbols/UUID.symbols` of the app's archive.
    case symbolsFile
    case server(PublicServer)
    /// The system's libraries as Xcode has copied them from a device.
    case deviceSupport
    case sharedCache
    case reports

    var name: String {
      switch self {
      case .debugInformation: "dsym"
      case .symbolsFile: "symbolsFile"
      case .server(let server): server.rawValue
      case .deviceSupport: "deviceSupport"
      case .sharedCache: "sharedCache"
      case .reports: "reports"
      }
    }
  }
}

extension ReportDiagnosis {
  /// The sources that would name frames which have no name yet.
  var nameSources: [NameSource] {
    let unnamed = images.filter { $0.unresolvedCount > 0 && $0.image.identity != nil }
    func count(_ isNamed: (ImageDiagnosis) -> Bool) -> Int {
      unnamed.filter(isNamed).reduce(0) { $0 + $1.unresolvedCount }
    }
    func server(_ diagnosis: ImageDiagnosis) -> PublicServer? {
      diagnosis.image.belongsToSystem
        ? nil : PublicServer(image: diagnosis.image.fileName ?? diagnosis.image.name)
    }
    func isApples(_ diagnosis: ImageDiagnosis) -> Bool { diagnosis.image.system == .apple }
    func isOwn(_ diagnosis: ImageDiagnosis) -> Bool {
      !diagnosis.image.belongsToSystem && server(diagnosis) == nil
    }
    func isSystem(_ diagnosis: ImageDiagnosis) -> Bool {
      diagnosis.image.belongsToSystem && isApples(diagnosis)
    }
    func hasSymbolsFile(_ diagnosis: ImageDiagnosis) -> Bool {
      guard case .found(let found) = diagnosis.cause else { return false }
      return found.path.hasSuffix(".symbols")
    }
    let age = SystemAge(system ?? "")
    let asked = Set(places.servers.map(\.url))
    let sources: [(NameSource.Kind, Int)] =
      [
        (.debugInformation, count(isOwn)),
        (.symbolsFile, count { isOwn($0) && isApples($0) && !hasSymbolsFile($0) }),
      ]
      + PublicServer.allCases.filter { !asked.contains($0.url) }.map { known in
        (.server(known), count { server($0) == known })
      }
      + [
        (.deviceSupport, age.isOfDevice ? count { isSystem($0) && !$0.image.isOfSimulator } : 0),
        (.sharedCache, age.hasKnownCache ? count { isSystem($0) && $0.image.isInSharedCache } : 0),
        (.reports, age.writesIps ? count(isSystem) : 0),
      ]
    return sources.filter { $0.1 > 0 }.map { NameSource(kind: $0.0, frameCount: $0.1) }
  }

  /// A block about them; empty if no frame lacks a name.
  var nameSourceLines: [StyledLine] {
    let sources = nameSources
    guard !sources.isEmpty else { return [] }
    // The second is where packages put the first.
    let pages = "docs/symbols.md, share/doc/symbolicate/symbols.md"
    return [StyledLine(""), StyledLine("Where more names can come from (\(pages)):")]
      + sources.map { StyledLine("    \($0.sentence(system: system))") }
  }
}

extension NameSource {
  fileprivate func sentence(system: String?) -> String {
    let system = system.map { $0.isEmpty ? "this system" : $0 } ?? "this system"
    let count = counted(frameCount, "frame")
    return switch kind {
    case .debugInformation: "\(count): the app's dSYM or debug file (-d)"
    case .symbolsFile: "\(count): Symbols/UUID.symbols of the app's .ipa or .xcarchive (-d)"
    case .server(let server): "\(count): --symbol-server \(server.rawValue)"
    case .deviceSupport: "\(count): the folder of \(system) in Xcode's DeviceSupport (-d)"
    case .sharedCache: "\(count): the dyld shared cache of \(system)"
    case .reports:
      "up to \(count): .ips reports from \(system) (symbolicate index --learn REPORTS)"
    }
  }
}

/// What the version of a system says about where its names can come from: `iPhone OS 17.5 (21F79)`.
private struct SystemAge {
  private let isMac: Bool
  private let isWatch: Bool
  /// Nil if it is not stated.
  private let major: Int?

  init(_ system: String) {
    isMac = ["macOS", "Mac OS X", "OS X"].contains { system.hasPrefix($0) }
    isWatch = system.hasPrefix("watchOS") || system.hasPrefix("Watch OS")
    major = system.split { !"0123456789".contains($0) }.first.flatMap { Int($0) }
  }

  private func isAtLeast(mac: Int, watch: Int, others: Int) -> Bool {
    major.map { $0 >= (isMac ? mac : isWatch ? watch : others) } ?? true
  }

  /// Xcode copies the libraries of devices, not those of a Mac.
  var isOfDevice: Bool { !isMac }
  /// The oldest shared caches that are read.
  var hasKnownCache: Bool { isAtLeast(mac: 11, watch: 7, others: 14) }
  /// Reports were text before (iOS 15, macOS 12).
  var writesIps: Bool { isAtLeast(mac: 12, watch: 8, others: 15) }
}

extension ReportImage {
  fileprivate var isOfSimulator: Bool {
    path.map { $0.contains("/RuntimeRoot/") || $0.contains("/CoreSimulator/") } ?? false
  }

  /// Whether it is a library that Apple's systems keep in the shared cache, and not a program or
  /// the dynamic linker.
  fileprivate var isInSharedCache: Bool {
    guard let path else { return name != "dyld" }
    let folders = [
      "/System/Library/Frameworks/", "/System/Library/PrivateFrameworks/", "/usr/lib/",
    ]
    return folders.contains { path.hasPrefix($0) } && fileName != "dyld"
  }
}
