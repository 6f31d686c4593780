import CrashLogParser
import SymbolStore
import SymbolicationModel

extension SymbolicationOutcome {
  /// What to tell the user after a report, a line each: how many frames were resolved, and for
  /// those that were not, why, and what to try.
  package var messages: [String] {
    [countMessage] + breakMessages + absentThreadsMessage + missingImageMessages
      + systemImagesMessage + imagelessMessage + silentFiles.map(\.message)
      + contradictedImages.map(\.message) + nameMatches.map(\.message)
  }

  private var countMessage: String {
    let count = "\(counts.resolved + counts.named) of \(counts.frames) frames resolved"
    guard counts.named > 0 else { return count }
    let completed =
      counts.completed > 0 ? ", and \(counts.completed) of these were given lines" : ""
    return "\(count) (\(counts.named) had their names already\(completed))"
  }

  private var breakMessages: [String] {
    breakOffsets.map {
      "the report is cut or damaged: its JSON cannot be read on from byte \($0)"
    }
  }

  private var absentThreadsMessage: [String] {
    guard !absentThreads.isEmpty else { return [] }
    return ["the report has no thread \(absentThreads.map(String.init).joined(separator: ", "))"]
  }

  /// An image that several reports of the input miss, or one report at several addresses, is told
  /// of once. A report and its translation into text may name it differently, so its identity
  /// counts.
  private var missingImageMessages: [String] {
    var merged: [MissingImage] = []
    var places: [String: Int] = [:]
    for missing in missingImages where !missing.image.belongsToSystem {
      let key = missing.image.identity.map { "\($0)" } ?? missing.image.shownIdentity
      if let place = places[key] {
        merged[place].frameCount += missing.frameCount
      } else {
        places[key] = merged.count
        merged.append(missing)
      }
    }
    return merged.map(\.message)
  }

  private var systemImagesMessage: [String] {
    var counts: [(name: String, frames: Int)] = []
    var places: [String: Int] = [:]
    for missing in missingImages where missing.image.belongsToSystem {
      if let place = places[missing.image.name] {
        counts[place].frames += missing.frameCount
      } else {
        places[missing.image.name] = counts.count
        counts.append((missing.image.name, missing.frameCount))
      }
    }
    guard !counts.isEmpty else { return [] }
    let names = counts.map { "\($0.name) \($0.frames)" }.joined(separator: ", ")
    let total = counts.reduce(0) { $0 + $1.frames }
    let remedy =
      counts.allSatisfy { $0.name.contains(".so") }
      ? "they are in the debug packages of the distribution (-dbg, -dbgsym, -debuginfo)"
      : "this is normal, their symbols come with the device's operating system and not with an app's dSYMs"
    return [
      "no symbols for \(frames(total)) of system libraries (\(names)): \(remedy)"
    ]
  }

  private var imagelessMessage: [String] {
    guard framesWithoutImage > 0 else { return [] }
    if lacksImageList {
      return [
        "\(frames(framesWithoutImage)) in no known image: the report lists no images, so it does not tell where any was loaded; SWIFT_BACKTRACE=images=mentioned makes Swift's runtime list them"
      ]
    }
    let reason =
      breakOffsets.isEmpty
      ? "generated code, or a jump to an address that is no code"
      : "its list of images is incomplete"
    return ["\(frames(framesWithoutImage)) in no image that the report tells of: \(reason)"]
  }
}

extension MissingImage {
  package var message: String {
    let cost = "no symbols for \(image.shownIdentity): \(frames(frameCount)) unresolved"
    guard image.isListed else {
      return "\(cost); the report has no Binary Images line for it, so its UUID is not known"
    }
    guard let other = sameNameFiles.first else {
      let isElf = image.identity.map { $0.bytes.count != 16 } ?? false
      return "\(cost); give its \(isElf ? "ELF file" : "dSYM") with -d"
    }
    return "\(cost); \(other.path) is another build of it: \(other.shownIdentity)"
  }
}

extension SilentFile {
  var message: String {
    let distinct = addresses.withoutRepetitions
    let shown = distinct.prefix(3).map { hexadecimal($0) }
    let more = distinct.count > shown.count ? ", …" : ""
    return
      "\(path) names nothing at \(frames(addresses.count)) of \(image.name) (\(shown.joined(separator: ", "))\(more))"
  }
}

extension ContradictedImage {
  var message: String {
    let (base, offset) = (contradiction.stated.base, contradiction.stated.offset)
    let written = "\(hexadecimal(base)) + \(offset)"
    let first = frameCount == 1 ? "" : "first of them "
    let subject = "\(frames(frameCount)) of \(image.name)"
    switch contradiction.kind {
    case .otherAddress:
      let sum = hexadecimal(LoadAddress(base.value &+ offset))
      return
        "the report contradicts itself at \(subject): \(first)\(hexadecimal(address)) is written as \(written), which is \(sum); the address was looked up"
    case .otherImage:
      return
        "the report contradicts itself at \(subject): \(first)\(hexadecimal(address)) is said to lie in the image at \(hexadecimal(base)), and lies in the range of the one at \(hexadecimal(image.loadAddress)), where it was looked up"
    case .outsideImage:
      return
        "the report contradicts itself at \(subject): \(first)\(hexadecimal(address)) is written as \(written), which is outside the range of that image and of all others; it was looked up there all the same"
    }
  }
}

extension UnfitFile {
  var message: String {
    let found = candidates.map(\.shownIdentity).joined(separator: " and ")
    guard let image = imageOfSameName else {
      return "\(path) is for no image of the report: it is \(found)"
    }
    return
      "\(path) does not fit: it is \(found), and the report needs \(image.shownIdentity); find the dSYM of that build"
  }
}

extension NameMatch {
  var message: String {
    "\(path) was taken for \(image.name) by its name alone: the report does not tell the image's UUID"
  }
}

extension ReportImage {
  /// `Letter Shuffle (UUID A4B1DE49-…, arm64)`.
  var shownIdentity: String { shown(name: name, identity: identity, architecture: architecture) }
}

extension SymbolCandidate {
  var shownIdentity: String { shown(name: name, identity: identity, architecture: architecture) }
}

private func shown(name: String, identity: ImageIdentity?, architecture: Architecture?) -> String {
  let kind = identity?.bytes.count == 16 ? "UUID" : "build-id"
  let parts = [
    identity.map { "\(kind) \($0)" } ?? "UUID unknown",
    architecture == .unknown ? nil : architecture?.name,
  ]
  return "\(name) (\(parts.compactMap(\.self).joined(separator: ", ")))"
}

private func hexadecimal(_ address: LoadAddress) -> String {
  address.value.hexadecimal
}

private func frames(_ count: Int) -> String { count == 1 ? "1 frame" : "\(count) frames" }
