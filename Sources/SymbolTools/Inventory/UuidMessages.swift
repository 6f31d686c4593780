import CrashLogParser
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import SystemPackage
import Wording

/// The sentences of `symbolicate uuid`.
enum UuidMessages {
  static func unreadable(_ path: String, _ error: ReportReadError) -> String {
    if case .archive = error { return "\(path) \(error.reason)" }
    return "cannot read \(path): \(error.reason)"
  }

  static func noIdentity(path: String, slices: [SymbolCandidate]) -> String {
    let names = slices.map(\.architecture).filter { $0 != .unknown }.map(\.name)
    let shown = names.isEmpty ? "" : " (\(names.withoutRepetitions.joined(separator: ", ")))"
    return "\(path)\(shown) has no UUID and no build-id; give the linked program or its dSYM"
  }

  static func neither(path: String, _ error: CrashLogParseError) -> String {
    "\(error.message(path: path)); it is not a symbol file either"
  }

  /// `Letter Shuffle 0x100228000-0x10026bfff: 6 frames without names in thread 0 (crashed)`
  static func description(of needed: NeededImage, in report: String) -> String {
    let image = needed.image
    let end = needed.lastAddress.map { "-\($0.value.hexadecimal)" } ?? ""
    let range = "\(image.loadAddress.value.hexadecimal)\(end)"
    let system = image.belongsToSystem ? "; system library" : ""
    return
      "\(image.name) \(range): \(frames(of: needed)) in \(backtraces(of: needed))\(system) [\(report)]"
  }

  private static func frames(of needed: NeededImage) -> String {
    let (all, nameless) = (needed.frameCount, needed.namelessCount)
    let count = all == 1 ? "1 frame" : "\(all) frames"
    switch nameless {
    case 0: return "\(count) with \(all == 1 ? "a name" : "names")"
    case all: return "\(count) without \(all == 1 ? "a name" : "names")"
    default: return "\(count), \(nameless) without \(nameless == 1 ? "a name" : "names"),"
    }
  }

  /// The backtraces that are named at most. Reports may have thousands of threads.
  private static let shownBacktraceCount = 8

  private static func backtraces(of needed: NeededImage) -> String {
    let names = needed.backtraces.map { share -> String in
      let number = share.number.map { " \($0)" } ?? ""
      switch share.kind {
      case .thread: return "thread\(number)\(share.isCrashed ? " (crashed)" : "")"
      case .lastException: return "the last exception"
      case .applicationSpecific: return "application backtrace\(number)"
      case .digest: return "the digest of the threads"
      }
    }.withoutRepetitions
    guard names.count > shownBacktraceCount else { return names.joined(separator: ", ") }
    let shown = names.prefix(shownBacktraceCount).joined(separator: ", ")
    return "\(shown) and \(names.count - shownBacktraceCount) more"
  }
}
