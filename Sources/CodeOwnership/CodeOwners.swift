import CrashLogParser
import FunctionNames
package import ReportSymbolication
import SymbolStore
package import SymbolicationModel
import Wording

/// Whose code a frame is.
package enum CodeOwner: Hashable {
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
package final class CodeOwners {
  private let userCode: UserCode
  private let patterns: CodePatterns
  /// What is known of libraries and of Apple's images grows; the first version of signatures keeps
  /// what it knew.
  package let version: SignatureVersion
  /// Images whose symbol file was found outside the system's folders: who has the symbols of an
  /// image is its author.
  private let imagesWithSymbols: Set<ReportImage>
  /// What was found for images. Backtraces may be very long, and have few images.
  private var images: [ReportImage: ImageOwner] = [:]

  /// Whether the process failed, and did not end itself.
  let isOfMemoryFault: Bool

  /// Whether the report says nothing about how the process ended, or whether it did.
  package let isUnexplained: Bool

  /// Whether the report is a page of Crashlytics, for a version of signatures that knows them.
  let isOfCrashlytics: Bool

  private struct ImageOwner {
    var isOutsideSystem: Bool
    /// The index of the image's row in ``LibraryCode``.
    package var library: Int?
  }

  package init(
    of report: SymbolicatedReport, _ patterns: CodePatterns, _ version: SignatureVersion = .second
  ) {
    userCode = UserCode(
      of: report.source.process, version,
      namesOnlyLibraries: Self.namingOnlyLibraries.contains(report.source.format)
        || Self.isRetypedPanic(report.source) || Self.hasOnlyAddresses(report.source),
      listsImages: !report.source.images.isEmpty && !report.source.format.has(.listsNoImages),
      namesSystemFiles: report.source.namesSystemFiles, hasTweaks: report.source.hasTweaks)
    self.patterns = patterns
    self.version = version
    isOfMemoryFault = report.source.facts.exception.isMemoryFault
    let facts = report.source.facts
    isUnexplained =
      facts.exception.type == nil && facts.exception.signal == nil && facts.exception.name == nil
      && facts.termination.namespace == nil && facts.applicationInformation.isEmpty
      && version != .first
    isOfCrashlytics = report.source.format == .crashlytics && version != .first
    imagesWithSymbols = Set(
      report.symbolFiles.compactMap { image, file in
        file.basis == .identity && !file.isOfSystem && !image.belongsToSystem ? image : nil
      })
  }

  /// Formats whose frames of the program name no image.
  private static let namingOnlyLibraries: Set<ReportFormat> = [
    .gdbBacktrace, .lldbBacktrace, .sanitizer, .rustBacktrace, .goTrace, .pythonFault, .dartTrace,
    .dotNetTrace, .llvmStackDump, .kotlinNative,
  ]

  /// Whether a stack has names and addresses, but no images and numbers: Unity links its engine
  /// and the program into one.
  private static func hasOnlyAddresses(_ report: Report) -> Bool {
    report.format == .bareNames && report.images.isEmpty
      && report.backtraces.allSatisfy { stack in
        stack.frames.allSatisfy { $0.imageName == nil && $0.address != nil && $0.index == nil }
      }
  }

  /// Whether somebody retyped the stack of a panic of Rust, with nothing but names.
  private static func isRetypedPanic(_ report: Report) -> Bool {
    guard report.format == .crashText, report.images.isEmpty,
      let stack = report.backtraces.first(where: \.isCrashed), !stack.frames.isEmpty
    else { return false }
    return stack.frames.allSatisfy { $0.imageName == nil && $0.address == nil }
      && stack.frames.contains { frame in
        ["core::", "rust_", "std::panicking::"].contains {
          frame.symbol?.name.hasPrefix($0) == true
        }
      }
  }

  package func owner(of frame: ShownFrame) -> CodeOwner {
    if !patterns.isEmpty {
      let function = frame.readableFunction
      if patterns.isUserCode(function: function, image: frame.imageName) { return .user }
      if let pattern = patterns.library(function: function, image: frame.imageName) {
        return .library(pattern)
      }
    }
    let image = owner(ofImageOf: frame)
    guard image.isOutsideSystem else { return .system }
    // A name that is far away says nothing.
    let isNamed = version == .first || !frame.isFarFromNamedFunction
    let function =
      isNamed
      ? frame.traits.flatMap { row(of: $0) } ?? (version == .first ? nil : frame.lambdaRow) : nil
    if let title = LibraryCode.title(functionRow: function, imageRow: image.library) {
      return .library(title)
    }
    // It may be linked into the program.
    return version != .first && ObjectFunctions.areOfSwift(frame.function) ? .system : .user
  }

  private func row(of function: FunctionTraits) -> Int? {
    (function.library ?? (version == .first ? nil : function.libraryOfClosure))
      .flatMap { known($0) }
  }

  /// A row of ``LibraryCode``, if the version has it.
  private func known(_ row: Int) -> Int? {
    version == .first && row >= LibraryCode.laterStart ? nil : row
  }

  private func owner(ofImageOf frame: ShownFrame) -> ImageOwner {
    // Without a path, the frame's address counts too.
    guard let image = frame.image, image.path != nil else { return foundOwner(ofImageOf: frame) }
    if let known = images[image] { return known }
    let found = foundOwner(ofImageOf: frame)
    images[image] = found
    return found
  }

  private func foundOwner(ofImageOf frame: ShownFrame) -> ImageOwner {
    if frame.image?.belongsToSystem == true {
      return ImageOwner(isOutsideSystem: false, library: nil)
    }
    let library = LibraryCode.row(image: frame.imageFileName).flatMap { known($0) }
    return ImageOwner(isOutsideSystem: isOutside(frame, library), library: library)
  }

  /// - Parameter library: the index of the image's row in ``LibraryCode``.
  private func isOutside(_ frame: ShownFrame, _ library: Int?) -> Bool {
    guard let image = frame.image else {
      return userCode.holds(frame) || version != .first && library != nil
    }
    if imagesWithSymbols.contains(image) { return !LibraryCode.isOfToolchain(frame.imageFileName) }
    return userCode.holds(frame)
      || !image.belongsToSystem && library != nil
  }
}

extension UsedSymbolFile {
  /// Whether the file is where distributions and toolchains keep debug information.
  fileprivate var isOfSystem: Bool {
    ["/usr/lib/", "/usr/share/", "/opt/swift"].contains { path.hasPrefix($0) }
  }
}

extension ShownFrame {
  /// The row of ``LibraryCode`` with the class that the file of a lambda is named after: the
  /// function is called `operator()` in any code. A template that is made for a lambda is mostly
  /// in that file, too: `forEach<(lambda at /build/Kit/KITDeck.mm:49:24)>`.
  fileprivate var lambdaRow: Int? {
    guard let function, function.hasPrefix("operator()") || function.hasBytes(of: "<(lambda at "),
      let file, file.hasSuffix(".mm")
    else { return nil }
    let name = file.lastPathComponent.dropLast(3)
    return LibraryCode.row(function: "-[\(name) call]")
  }
}

extension Report {
  /// Whether the text has source files of the system's functions, as reports since version 26 of
  /// Apple's systems do: `objc_exception_throw + 88 (objc-exception.mm:356)`. Then a file does not
  /// make a frame the program's.
  fileprivate var namesSystemFiles: Bool {
    images.isEmpty
      && backtraces.contains { backtrace in
        backtrace.frames.prefix(64).contains { frame in
          frame.symbol?.file != nil && frame.imageName.map { AppleImages.isOne($0) } == true
        }
      }
  }

  /// Whether Apple's own program ran code of others, as the tweaks of jailbroken devices: then that
  /// is whose authors read the report.
  fileprivate var hasTweaks: Bool {
    guard facts.process.bundleIdentifier?.hasPrefix("com.apple.") == true, images.isEmpty else {
      return false
    }
    return backtraces.contains { backtrace in
      backtrace.frames.contains { frame in
        frame.imageName.map {
          $0.hasSuffix(".dylib") && !AppleImages.isOne($0)
            && !ReportImage.Content.isSystemName($0)
        } ?? false
      }
    }
  }
}
