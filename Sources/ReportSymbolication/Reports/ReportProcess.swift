import CrashLogParser
import FunctionNames
import SymbolicationModel
import Wording

extension SymbolicatedReport {
  /// What to call the process: `Letter Shuffle 6 (1.3)`. If the head does not name it, as in a cut
  /// report, its path, the list of images or the outermost frames do.
  package var processText: String {
    let process = source.process
    let name = process.name ?? process.bundleIdentifier ?? processName
    return [name ?? unknownProcess, process.version].compactMap(\.self).joined(separator: " ")
  }

  /// `process with Game`: the only image on the stack of the crash that may be the program or a
  /// framework of it; else `unknown process`.
  private var unknownProcess: String {
    let backtrace = crashBacktrace().map { backtraces[$0.index] } ?? backtraces.first
    var found: String?
    for frame in backtrace?.frames ?? [] where frame.image?.belongsToSystem != true {
      let name = frame.imageName.withoutDebugSuffix
      guard let known = name.known, known != found, !AppleImages.isOne(name),
        !name.hasPrefix("com.apple."),
        LibraryCode.row(image: name) == nil, !LibraryCode.isOfToolchain(name),
        !name.hasPrefix("<"), !name.hasSuffix(".so"),
        ![".dylib", ".so."].contains(where: { name.contains($0) })
      else { continue }
      guard found == nil else { return "unknown process" }
      found = known
    }
    return found.map { "process with \($0)" } ?? "unknown process"
  }

  /// The name of the process; nil if nothing in the report has it.
  package var processName: String? {
    let process = source.process
    if let name = process.name { return name }
    // A path may be cut in the folder that iOS makes for an app.
    if let name = process.path?.lastPathComponent.known, !name.isStartOfUuid { return name }
    let images = [executableName, outermostImageName, enderName, ownImageName]
    let image = images.lazy.compactMap { $0?.withoutDebugSuffix }.first { !$0.isOfLibrary }
    return image ?? endedProcessName ?? regionImageName ?? informationWriter?.name
      ?? linkedProgramName ?? mainThreadName
  }

  /// Linux calls the first thread as the program, cut to 15 bytes (proc_pid_comm(5)).
  private var mainThreadName: String? {
    guard source.facts.system.name?.hasPrefix("Linux") == true else { return nil }
    return source.backtraces.first { $0.kind == .thread && $0.number == 0 }?.name?.known
  }

  /// The program that dyld could not link: `Referenced from: /Applications/Game.app/Contents/MacOS/
  /// Game`, or a library in the bundle of one.
  private var linkedProgramName: String? {
    for line in source.facts.termination.details where line.hasBytes(of: "Referenced from: ") {
      let parts = line.split(separator: "/")
      if parts.count > 1, parts[parts.count - 2] == "MacOS" {
        return String(parts[parts.count - 1].prefix { $0 != "'" })
      }
      let bundle = parts.first { $0.hasSuffix(".app") || $0.hasSuffix(".appex") }
      if let name = bundle?.split(separator: ".").first { return String(name) }
    }
    return nil
  }

  /// The process identifier. A cut report may have it only where the kernel ended the process.
  package var processIdentifier: Int? {
    let ender = source.facts.termination.process
    let isItself = ender.name == "exc handler" || source.process.name == nil && enderName != nil
    // The kernel's number is that of nobody.
    return source.process.identifier
      ?? (isItself ? ender.identifier.flatMap { $0 == 0 ? nil : $0 } : nil)
      ?? informationWriter?.identifier ?? endedProcessIdentifier
  }

  /// The number behind what the system calls the app that it ended: `application<com.example.App>:
  /// 2853`, or `<BKNewProcess: 0x12de5ce60; com.example.App; pid: 2853; …`.
  private var endedProcessIdentifier: Int? {
    let facts = source.facts
    for line in facts.termination.details + facts.applicationInformation.prefix(4) {
      for mark in ["application<", "app<", "<BKNewProcess: "] {
        guard let start = line.firstRange(of: mark)?.upperBound else { continue }
        let end = line[start...].firstRange(of: mark.hasPrefix("<") ? "; pid: " : ">:")
        let digits = end.map { line[$0.upperBound...].prefix { ("0"..."9").contains($0) } }
        if let number = digits.flatMap({ Int($0) }) { return number }
      }
    }
    return nil
  }

  /// A process that ended itself.
  private var enderName: String? {
    let ender = source.facts.termination.process
    guard let name = ender.name, name != "exc handler" else { return nil }
    let isAbort = source.facts.exception.signal == "SIGABRT" && ender.identifier != nil
    let isItself =
      isAbort || source.backtraces.contains { $0.frames.contains { $0.imageName == name } }
    return isItself ? name : nil
  }

  /// The program whose code is in the memory regions: `__TEXT 107c32000-… [ 2288K] r-x/r-x SM=COW
  /// /Applications/Game.app/Contents/MacOS/Game`.
  private var regionImageName: String? {
    for line in source.facts.memoryRegion where line.hasBytes(of: " __TEXT ") {
      guard let start = line.firstRange(of: " /")?.lowerBound else { continue }
      let path = String(line[start...].dropFirst())
      guard !path.hasBytes(of: ".framework/"), !path.hasPrefix("/usr/lib"),
        !path.hasSuffix(".dylib"), let name = path.lastPathComponent.known,
        // ReportCrash puts stars in the place of names in the folders of a user.
        !name.contains("*")
      else { continue }
      return name
    }
    return nil
  }

  /// Who wrote into the report: `Game(42,0x16d913000) malloc: *** error for object 0x10: …`, where
  /// a crash SDK may have put something in front.
  private var informationWriter: (name: String, identifier: Int?)? {
    for line in source.facts.applicationInformation {
      guard let end = line.firstRange(of: ") malloc: ")?.lowerBound,
        let open = line[..<end].lastIndex(of: "("), open > line.startIndex
      else { continue }
      let name = line[..<open].split(separator: " > ").last.map(String.init)?.known
      let number = line[line.index(after: open)..<end].prefix { $0 != "," }
      if let name { return (name, Int(number)) }
    }
    return nil
  }

  /// What the system calls the app that it ended: `[application<com.example.App>:2853] failed to
  /// terminate gracefully after 5.0s`.
  private var endedProcessName: String? {
    for line in source.facts.termination.details {
      for mark in ["application<", "app<"] {
        guard let start = line.firstRange(of: mark)?.upperBound else { continue }
        let name = line[start...].prefix { $0 != ">" && $0 != "(" }
        if name.contains(where: \.isLetter), name.utf8.count < 128 { return String(name) }
      }
      // `scene-create watchdog transgression: com.example.App exhausted …` of iOS 12.
      guard let start = line.firstRange(of: " transgression: ")?.upperBound else { continue }
      let name = line[start...].prefix { $0 != " " }
      if name.contains("."), name.allSatisfy({ $0.isLetter || $0.isNumber || ".-_".contains($0) }) {
        return String(name)
      }
    }
    return nil
  }

  /// The executable of a bundle among the images, or the first image: lists begin with the program.
  private var executableName: String? {
    let images = source.images
    let program = images.first { image in
      guard image.kind == .image, let path = image.path, !path.hasPrefix("/System/Library/") else {
        return false
      }
      let folder = String(path.utf8.dropLast(path.lastPathComponent.utf8.count)).map(
        \.lastPathComponent)
      guard let folder else { return false }
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

  /// The only image with frames that is neither the system's nor a known library, of those that the
  /// report lists.
  private var ownImageName: String? {
    let images = missingImages.map(\.image) + symbolFiles.keys
    let names = Set(images.filter { $0.isListed && !$0.belongsToSystem }.map(\.name))
    guard names.count == 1, let name = names.first, !AppleImages.isOne(name),
      LibraryCode.row(image: name) == nil, !isOfOthers(name)
    else { return nil }
    return name.known
  }

  /// Whether a page of Crashlytics, which lists the images that it has no symbols of, has the lines
  /// of another one: that is the program.
  private func isOfOthers(_ image: String) -> Bool {
    source.format == .crashlytics
      && source.backtraces.contains { backtrace in
        backtrace.frames.contains { $0.symbol?.line != nil && $0.imageName != image }
      }
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

extension String {
  /// Xcode's debug builds have the program's code in a library: `Game.debug.dylib`.
  fileprivate var withoutDebugSuffix: String {
    let suffix = ".debug.dylib"
    return hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }

  /// Whether it is a UUID, or the first part of one: `C3638525-CEC0-4B`.
  fileprivate var isStartOfUuid: Bool {
    guard utf8.count > 8, utf8.count <= 36 else { return false }
    return utf8.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: hexadecimalDigitValue(byte) != nil
      }
    }
  }

  /// Whether it is the name of a library or of a framework of the system, and so no program's.
  fileprivate var isOfLibrary: Bool {
    let apple = "com.apple."
    return hasSuffix(".dylib") || hasPrefix("lib") && hasBytes(of: ".so")
      || AppleImages.isOne(hasPrefix(apple) ? String(dropFirst(apple.count)) : self)
  }
}
