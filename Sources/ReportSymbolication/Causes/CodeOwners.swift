import CrashLogParser
import SymbolStore
import SymbolicationModel

/// Whose code a frame is.
enum CodeOwner: Hashable {
  /// The operating system, or a simulator.
  case system
  /// A library or a language's runtime inside the app. The value is its title in ``LibraryCode``,
  /// or the pattern of `--library-code`.
  case library(String)
  /// The user's own.
  case user
}

/// Decides whose code each frame of a report is.
///
/// The order: what the user says (`--user-code`, `--library-code`); the function, if it is of a
/// known library; the image.
struct CodeOwners {
  private let userCode: UserCode
  private let patterns: CodePatterns
  /// Images whose symbol file was found outside the system's folders: who has the symbols of an
  /// image is its author.
  private let imagesWithSymbols: Set<ReportImage>

  init(of report: SymbolicatedReport, _ patterns: CodePatterns) {
    userCode = UserCode(of: report.source.facts.process)
    self.patterns = patterns
    imagesWithSymbols = Set(
      report.symbolFiles.compactMap { image, file in
        file.basis == .identity && !file.isOfSystem && !image.belongsToSystem ? image : nil
      })
  }

  func owner(of frame: ShownFrame) -> CodeOwner {
    let function = frame.readableFunction
    if !patterns.isEmpty {
      if patterns.isUserCode(function: function, image: frame.imageName) { return .user }
      if let pattern = patterns.library(function: function, image: frame.imageName) {
        return .library(pattern)
      }
    }
    guard isOutsideSystem(frame) else { return .system }
    return LibraryCode.title(function: function, image: frame.imageFileName).map { .library($0) }
      ?? .user
  }

  private func isOutsideSystem(_ frame: ShownFrame) -> Bool {
    if let image = frame.image, imagesWithSymbols.contains(image) {
      return !UserCode.isOfToolchain(frame.imageFileName)
    }
    return userCode.holds(frame)
      || frame.image.map { !$0.belongsToSystem } ?? false
        && LibraryCode.holdsImage(frame.imageFileName)
  }
}

extension UsedSymbolFile {
  /// Whether the file is where distributions and toolchains keep debug information.
  fileprivate var isOfSystem: Bool {
    ["/usr/lib/", "/usr/share/", "/opt/swift"].contains { path.hasPrefix($0) }
  }
}

extension ShownFrame {
  /// Reports of macOS 11 and earlier show bundle identifiers; the file name is in the path.
  var imageFileName: String { image?.path?.lastPathComponent ?? imageName }
}
