import CrashLogParser
import SymbolicationModel

extension SymbolicatedReport {
  /// What to call the process: `Letter Shuffle 6 (1.3)`. If the head does not name it, as in a cut
  /// report, its path, the list of images or the outermost frames do.
  package var processText: String {
    let process = source.process
    let name = process.name ?? process.bundleIdentifier ?? processName
    return [name ?? "unknown process", process.version].compactMap(\.self).joined(separator: " ")
  }

  /// The name of the process; nil if nothing in the report has it.
  package var processName: String? {
    let process = source.process
    return process.name ?? process.path?.lastPathComponent.known ?? executableName
      ?? outermostImageName ?? ownImageName
  }

  /// The process identifier. A cut report may have it only where the kernel ended the process.
  package var processIdentifier: Int? {
    let ender = source.facts.termination.process
    return source.process.identifier ?? (ender.name == "exc handler" ? ender.identifier : nil)
  }

  /// The executable of a bundle among the images, or the first image: lists begin with the program.
  private var executableName: String? {
    let images = source.images
    let program = images.first { image in
      guard image.kind == .image, let path = image.path else { return false }
      let folder = path.split(separator: "/").dropLast().last ?? ""
      return folder == "MacOS" || folder.hasSuffix(".app") || folder.hasSuffix(".appex")
    }
    if let name = program?.name?.known { return name }
    guard let first = images.first, first.kind == .image, let name = first.name?.known,
      let path = first.path?.known, path.hasPrefix("/"), path.lastPathComponent == name,
      !name.hasSuffix(".dylib"), !path.hasPrefix("/System/"), !path.hasPrefix("/usr/lib"),
      !path.contains(".framework/")
    else { return nil }
    return name
  }

  /// The only image with frames that is not the system's, of those that the report lists.
  private var ownImageName: String? {
    let images = missingImages.map(\.image) + symbolFiles.keys
    let names = Set(images.filter { $0.isListed && !$0.belongsToSystem }.map(\.name))
    return names.count == 1 ? names.first?.known : nil
  }

  /// The image that `start` of dyld called, or that has `main`.
  private var outermostImageName: String? {
    for backtrace in source.backtraces where backtrace.kind == .thread && !backtrace.isCallTree {
      let frames = backtrace.frames
      guard let last = frames.last, frames.count > 1 else { continue }
      let caller = frames[frames.count - 2]
      let isStart = last.symbol?.name == "start" || last.imageName == "dyld"
      // A process that is still being loaded has frames of dyld alone.
      if isStart, let name = caller.imageName?.known, name != "dyld", name != last.imageName {
        return name
      }
      let main = frames.suffix(4).first { $0.symbol?.name == "main" }
      if let name = main?.imageName?.known { return name }
    }
    return nil
  }
}
