import CrashLogParser
import FunctionNames
import SymbolStore
import SymbolicationModel
package import Wording

extension SymbolicationOutcome {
  /// The lines that follow a report on standard error: how many frames were resolved; for the
  /// others, why not, and what to try.
  ///
  /// - Parameters:
  ///   - searched: the directories and archives that were searched for symbols.
  ///   - isBesideSummary: whether who reads them reads a summary, too, which has the tally and says
  ///     how many frames of the operating system have no symbols.
  package func messages(searched: [String] = [], isBesideSummary: Bool = false) -> [Message] {
    let tally = isBesideSummary ? [] : [Message.plain(countText).inTally]
    let systemImages = isBesideSummary ? [] : systemImagesMessages.map { Message.note($0).inTally }
    let warnings =
      breakMessages + damageMessages + limitMessages + absentThreadsMessage
      + absentProcessesMessage
    let hasUse = searched.isEmpty || hasUsedFile(in: searched)
    let missing = ownMissingImages.map { image in
      let message = Message.warning(image.message(searched: searched)).inTally
      return hasUse ? message : message.whenQuiet
    }
    return tally + warnings.map { .warning($0) } + missing
      + unplacedMessages.map { $0.inTally } + systemImages + imagelessMessage.map { .note($0) }
      + silentFiles.map { .warning($0.message) }
      + contradictionMessages.map { .warning($0) } + nameMatches.map { .note($0.message) }
  }

  private func hasUsedFile(in places: [String]) -> Bool {
    usedFiles.contains { file in
      places.contains { file == $0 || file.hasPrefixBytes($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
  }

  private var countText: String {
    guard counts.frames == 0 else { return counts.text }
    switch statedFrameCount {
    case 0: return "the report has no stack frames"
    case 1: return "the report's only frame is not selected"
    default: return "none of the report's \(statedFrameCount) frames is selected"
    }
  }

  /// How many names a message lists.
  static let listLimit = 20

  /// The words, separated by commas; of many the first, and how many more there are.
  private static func shownList(_ words: [String]) -> String {
    // One more takes no more room than saying so.
    guard words.count > listLimit + 1 else { return words.joined(separator: ", ") }
    let shown = words.prefix(listLimit).joined(separator: ", ")
    return "\(shown) and \(words.count - listLimit) more"
  }

  private var breakMessages: [String] {
    breakOffsets.map {
      "the report is cut short or damaged: its JSON cannot be read from byte \($0) on"
    }
  }

  private var limitMessages: [String] {
    exceededLimits.map { limit in
      limit.cutMessage(at: limits[limit], consequence: "the others are left as they are")
    }
      + (shortenedCount == 0
        ? []
        : [
          ResourceLimit.shortenedMessage(
            frameCount: shortenedCount, limit: answerSize)
        ])
  }

  private var damageMessages: [String] {
    [damage?.message, broken?.message].compactMap(\.self)
  }

  private var absentThreadsMessage: [String] {
    guard !absentThreads.isEmpty else { return [] }
    let numbers = Self.shownList(absentThreads.map(String.init))
    return ["the report has no thread \(numbers)"]
  }

  private var absentProcessesMessage: [String] {
    guard !absentProcesses.isEmpty else { return [] }
    let absent = Self.shownList(absentProcesses)
    let present = presentProcesses.compactMap(\.shown).withoutRepetitions
    guard !present.isEmpty else { return ["the report names no process, so not \(absent) either"] }
    return ["the report has no process \(absent); it has \(Self.shownList(present))"]
  }

  /// How many images with frames that contradict themselves are named.
  static let contradictionLimit = 5

  private var contradictionMessages: [String] {
    // One more takes no more room than saying so.
    let isLong = contradictedImages.count > Self.contradictionLimit + 1
    let shown = isLong ? Self.contradictionLimit : contradictedImages.count
    let rest = contradictedImages.count - shown
    return contradictedImages.prefix(shown).map(\.message)
      + (rest > 0 ? ["the report contradicts itself in frames of \(rest) more images"] : [])
  }

  /// The images without symbols that are not the operating system's. Each image is there once, even
  /// if several reports of the input miss it, or one report at several addresses. Its identity
  /// decides: a report and its translation into text may name it differently.
  package var ownMissingImages: [MissingImage] {
    var merged: [MissingImage] = []
    var indexes: [String: Int] = [:]
    for missing in missingImages where !missing.image.belongsToSystem {
      let key = missing.image.identity.map { "\($0)" } ?? missing.image.shownIdentity
      merged.merge(missing, key, &indexes) { $0.frameCount += missing.frameCount }
    }
    return merged
  }

  private var systemImagesMessages: [String] {
    let images = missingImages.filter(\.image.belongsToSystem)
    let ofSwift = images.filter(\.image.isSwiftLibraryOnLinux)
    return [
      Self.message(about: images.filter { !$0.image.isSwiftLibraryOnLinux }),
      ofSwift.isEmpty
        ? nil
        : "no symbols for \(Self.shownFrames(ofSwift)): \(ReportImage.swiftLibraryRemedy)",
    ].compactMap(\.self)
  }

  /// What keeps frames of traces from being looked up, once for each image that is not the
  /// system's.
  private var unplacedMessages: [Message] {
    var merged: [UnplacedFrames] = []
    var indices: [String?: Int] = [:]
    for frames in unplacedFrames where !frames.belongsToSystem || frames.refusal.isAboutFile {
      merged.merge(frames, frames.imageName, &indices) {
        $0.frameCount += frames.frameCount
        $0.namedCount += frames.namedCount
      }
    }
    return merged.map { frames in
      guard let name = frames.imageName else {
        return .note(
          "\(counted(frames.frameCount, "frame")) without an image: \(frames.refusal.text(name: ""))"
        )
      }
      let cost =
        frames.frameCount > 0
        ? "no symbols for \(name): \(counted(frames.frameCount, "frame")) unresolved"
        : "no lines for \(counted(frames.namedCount, "frame")) of \(name)"
      return .warning("\(cost); \(frames.refusal.text(name: name))")
    }
  }

  private static func message(about images: [MissingImage]) -> String? {
    guard !images.isEmpty else { return nil }
    let remedy =
      images.allSatisfy { $0.image.name.contains(".so") }
      ? "install the debug packages of the distribution (-dbg, -dbgsym, -debuginfo)"
      : "this is normal, because an app's dSYMs do not have the symbols of the operating system"
    return "no symbols for \(shownFrames(images)): \(remedy)"
  }

  /// `5 frames in system libraries (libdispatch.dylib 2, UIKitCore 3)`
  private static func shownFrames(_ images: [MissingImage]) -> String {
    var counts: [(name: String, frames: Int)] = []
    var indexes: [String: Int] = [:]
    for missing in images {
      let (name, count) = (missing.image.name, missing.frameCount)
      counts.merge((name, count), name, &indexes) { $0.frames += count }
    }
    let names = shownList(counts.map { "\($0.name) \($0.frames)" })
    let total = counts.reduce(0) { $0 + $1.frames }
    return "\(counted(total, "frame")) in system libraries (\(names))"
  }

  private var imagelessMessage: [String] {
    guard framesWithoutImage > 0 else { return [] }
    if lacksImageList {
      return [
        "\(areOrIs(framesWithoutImage)) in an unknown image: the report lists no images; set SWIFT_BACKTRACE=images=mentioned, and Swift's runtime lists them"
      ]
    }
    let reason =
      if broken != nil {
        "their lines are cut"
      } else if !breakOffsets.isEmpty {
        "the list of images is incomplete"
      } else {
        hasImageList ? "generated code or a bad jump" : "the text lists none"
      }
    return ["\(areOrIs(framesWithoutImage)) outside every listed image: \(reason)"]
  }
}

extension FrameCounts {
  /// `6 of 11 frames resolved (2 already had names)`
  package var text: String {
    if resolved == 0, unresolved == 0, named > 0 {
      return "\(named == 1 ? "1 frame," : "\(named) frames, all") already symbolicated\(completion)"
    }
    guard named > 0 else { return shareText }
    return "\(shareText) (\(named) already had \(named == 1 ? "a name" : "names")\(completion))"
  }

  /// The same without what was there before.
  package var shortText: String {
    if frames == 0 { return "no stack frames" }
    return frames == named ? text : shareText
  }

  private var shareText: String {
    "\(resolved + named) of \(frames) \(frames == 1 ? "frame" : "frames") resolved"
  }

  private var completion: String {
    guard completed > 0 else { return "" }
    return named == 1 && completed == 1
      ? "; a line was added" : "; lines were added to \(completed) of them"
  }
}

extension ReportImage {
  /// Whether it is a library of Swift's toolchain on Linux. No debug package has its symbols; the
  /// library itself does.
  var isSwiftLibraryOnLinux: Bool {
    name.contains(".so") && LibraryCode.isOfToolchain(name.prefixThroughSharedObject)
  }

  static let swiftLibraryRemedy =
    "give the library folder of the same Swift toolchain with -d (usr/lib/swift/linux)"
}

extension String {
  /// `libdispatch.so` of `libdispatch.so.1`.
  fileprivate var prefixThroughSharedObject: String {
    guard let range = firstRange(of: ".so") else { return self }
    return String(self[..<range.upperBound])
  }
}

extension ReportDamage {
  package var message: String {
    let place =
      switch firstPlace {
      case .line(let number): "in line \(number)"
      case .byte(let offset): "at byte \(offset)"
      }
    let others = count == 2 ? "1 more part" : "\(count - 1) more parts"
    let rest = count == 1 ? "" : "; \(others) cannot be read either"
    return "the report is damaged \(place): \(firstKind.description)\(rest)"
  }
}

extension ParseFault.Kind {
  fileprivate var description: String {
    switch self {
    case .damagedJsonHeader: "the JSON header is not JSON"
    case .unreadableFrame: "a frame has no address or image name that can be read"
    case .frameOutsideBacktrace: "a frame is outside every backtrace"
    case .unreadableImage: "a line among the binary images cannot be read"
    case .unreadableImageIdentity: "a binary image has no UUID that can be read"
    case .cutLine: "the report ends in the middle of a line"
    case .unreadableNumber: "the number of a thread is too large"
    case .wrappedLine: "the line of a frame is broken into two"
    case .damagedJson: "its JSON breaks off"
    case .damagedBinary: "its binary data break off"
    case .unexpectedJsonValue: "a JSON value has the wrong type"
    case .imageIndexOutOfRange: "a frame names an image that is not in the list of images"
    case .tooManyThreads, .tooManyFrames, .tooManyImages: "a part of it is beyond a limit"
    }
  }
}

extension BrokenReport {
  package var message: String {
    "the lines of the report were wrapped at \(column) columns: \(areOrIs(frameCount)) cut; get the report as a file"
  }
}

extension MissingImage {
  /// - Parameter searched: the directories and archives that were searched for symbols.
  package func message(searched: [String] = []) -> String {
    let cost =
      frameCount > 0
      ? "no symbols for \(image.shownIdentity): \(counted(frameCount, "frame")) unresolved"
      : "no lines for frames of \(image.name)"
    if reason.isAboutFile { return "\(cost); \(reason.text(name: image.name))" }
    guard image.isListed else {
      return "\(cost); the report has no Binary Images line for it, so its UUID is unknown"
    }
    // A damaged file may state the identity that is wanted.
    let others = sameNameFiles.filter { $0.identity == nil || $0.identity != image.identity }
    guard let other = others.first else {
      if image.isSwiftLibraryOnLinux { return "\(cost); \(ReportImage.swiftLibraryRemedy)" }
      let isElf = image.identity.map { $0.bytes.count != 16 } ?? false
      let file = isElf ? "ELF file" : "dSYM"
      return searched.isEmpty
        ? "\(cost); give its \(file) with -d"
        : "\(cost); its \(file) was not found in \(searched.shownDirectories)"
    }
    return "\(cost); \(other.path) is from a different build: it is \(other.shownIdentity)"
  }
}

extension [String] {
  /// `dSYMs, /home/me/Archives`; of many the first.
  package var shownDirectories: String {
    count > 4
      ? "\(prefix(3).joined(separator: ", ")) and \(count - 3) more" : joined(separator: ", ")
  }
}

extension SilentFile {
  package var message: String {
    let distinct = addresses.withoutRepetitions
    let shown = distinct.prefix(3).map(\.value.hexadecimal)
    let more = distinct.count > shown.count ? ", …" : ""
    let places = "\(image.name) (\(shown.joined(separator: ", "))\(more))"
    guard let remedy else {
      return "\(path) has no function at \(counted(addresses.count, "frame")) of \(places)"
    }
    return
      "\(path) has no symbols for \(counted(addresses.count, "frame")) of \(places); use its \(remedy == .dsym ? "dSYM" : "debug file")"
  }
}

extension ContradictedImage {
  package var message: String {
    let (base, offset) = (contradiction.stated.base, contradiction.stated.offset)
    let shown = address.value.hexadecimal
    let written = "\(base.value.hexadecimal) + \(offset)"
    let frames =
      frameCount == 1
      ? "1 frame of \(image.name)" : "\(frameCount) frames of \(image.name), first"
    let detail =
      switch contradiction.kind {
      case .otherAddress:
        "\(shown) is written as \(written), which is \((base.value &+ offset).hexadecimal); the address was looked up"
      case .otherImage:
        "\(shown) is said to be in the image at \(base.value.hexadecimal), but is in the range of the image at \(image.loadAddress.value.hexadecimal), where it was looked up"
      case .outsideImage:
        "\(shown) is written as \(written), which is outside the range of that image and of all others; it was looked up there anyway"
      }
    return "the report contradicts itself in \(frames): \(detail)"
  }
}

extension UnfitFile {
  package var message: String {
    let found = candidates.map(\.shownIdentity).joined(separator: " and ")
    guard let image = imageOfSameName else {
      return "\(path) matches no image of the report: it is \(found)"
    }
    return
      "\(path) is from a different build: it is \(found); the report needs \(image.shownIdentity); find the dSYM of that build"
  }
}

extension NameMatch {
  package var message: String {
    "\(path) was matched to \(image.name) by name alone, because the report does not have the image's UUID"
  }
}

extension ReportImage {
  /// `Letter Shuffle (UUID A4B1DE49-…, arm64)`.
  package var shownIdentity: String {
    shown(name: name, identity: identity, architecture: architecture)
  }
}

extension SymbolCandidate {
  package var shownIdentity: String {
    shown(name: name, identity: identity, architecture: architecture)
  }
}

/// JSON has these words too (`why` of another build), so they are part of its schema.
private func shown(name: String, identity: ImageIdentity?, architecture: Architecture?) -> String {
  let kind = identity?.bytes.count == 16 ? "UUID" : "build-id"
  let parts = [
    identity.map { "\(kind) \($0)" } ?? "UUID unknown",
    architecture?.knownName,
  ]
  return "\(name) (\(parts.compactMap(\.self).joined(separator: ", ")))"
}

private func areOrIs(_ count: Int) -> String { count == 1 ? "1 frame is" : "\(count) frames are" }

extension ReportFacts.ProcessReference {
  /// `launchd [1]`; nil if neither is known.
  fileprivate var shown: String? {
    let number = identifier.map { "[\($0)]" }
    let parts = [name, number].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
