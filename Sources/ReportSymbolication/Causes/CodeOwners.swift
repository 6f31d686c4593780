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
final class CodeOwners {
  private let userCode: UserCode
  private let patterns: CodePatterns
  /// Images whose symbol file was found outside the system's folders: who has the symbols of an
  /// image is its author.
  private let imagesWithSymbols: Set<ReportImage>
  /// What `isOutsideSystem` found for images. Backtraces may be very long, and have few images.
  private var outsideSystem: [ReportImage: Bool] = [:]

  init(of report: SymbolicatedReport, _ patterns: CodePatterns) {
    userCode = UserCode(of: report.source.facts.process)
    self.patterns = patterns
    imagesWithSymbols = Set(
      report.symbolFiles.compactMap { image, file in
        file.basis == .identity && !file.isOfSystem && !image.belongsToSystem ? image : nil
      })
  }

  func owner(of frame: ShownFrame) -> CodeOwner {
    if !patterns.isEmpty {
      let function = frame.readableFunction
      if patterns.isUserCode(function: function, image: frame.imageName) { return .user }
      if let pattern = patterns.library(function: function, image: frame.imageName) {
        return .library(pattern)
      }
    }
    guard isOutsideSystem(frame) else { return .system }
    return LibraryCode.title(function: frame.readableFunction, image: frame.imageFileName).map {
      .library($0)
    } ?? .user
  }

  private func isOutsideSystem(_ frame: ShownFrame) -> Bool {
    // Without a path, the frame's address counts too.
    guard let image = frame.image, image.path != nil else { return isOutside(frame) }
    if let known = outsideSystem[image] { return known }
    let found = isOutside(frame)
    outsideSystem[image] = found
    return found
  }

  private func isOutside(_ frame: ShownFrame) -> Bool {
    guard let image = frame.image else { return userCode.holds(frame) }
    if imagesWithSymbols.contains(image) { return !UserCode.isOfToolchain(frame.imageFileName) }
    return userCode.holds(frame)
      || !image.belongsToSystem && LibraryCode.holdsImage(frame.imageFileName)
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
