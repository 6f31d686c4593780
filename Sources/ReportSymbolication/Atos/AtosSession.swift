import AddressResolver
import SymbolStore
package import SymbolicationModel
import Synchronization

/// Answers addresses in the output format of Apple's `atos`.
///
/// Addresses are looked up exactly as they are given. For a return address, the caller subtracts 1.
package struct AtosSession {
  private let options: AtosOptions
  private let images: [AtosImage]
  private let openingProblems: [SymbolFileProblem]
  /// The slices that were chosen from fat files without `-arch`.
  package let choices: [ArchitectureChoice]

  package struct ArchitectureChoice: Hashable, Sendable {
    package let path: String
    package let chosen: Architecture
    package let available: [Architecture]
  }

  /// A symbol file that cannot be used.
  package struct OpeningError: Error, Hashable, Sendable {
    /// The path as it was given with `-o`.
    package let path: String
    package let problem: SymbolFileProblem
  }

  /// Opens the symbol files. Throws for the first one that cannot be used.
  package init(_ options: AtosOptions) throws(OpeningError) {
    var images: [AtosImage] = []
    var choices: [ArchitectureChoice] = []
    var openingProblems: [SymbolFileProblem] = []
    let store = SymbolStore()
    for path in options.symbolFiles {
      let resolver: ImageResolver
      let available: [Architecture]
      do {
        let opened = try SymbolFile.open(path: path, architecture: options.architecture)
        resolver = ImageResolver(
          opened.objectFile, dwarfReader: options.dwarfReader, indexUse: options.indexUse,
          demangling: .atos, store: store)
        try resolver.checkIsUsable(for: options.architecture)
        available = opened.architectures
        images.append(try AtosImage(resolver, addressing: options.addressing))
      } catch {
        throw OpeningError(path: path, problem: error)
      }
      if !resolver.hasAnySymbols {
        openingProblems.append(SymbolFileProblem(path: path, kind: .noSymbols))
      }
      if options.addressing.countsFromLinkBase, let base = resolver.assumedLinkBase {
        openingProblems.append(SymbolFileProblem(path: path, kind: .assumedLinkBase(base)))
      }
      if options.architecture == nil, available.count > 1 {
        choices.append(
          ArchitectureChoice(path: path, chosen: resolver.architecture, available: available))
      }
    }
    self.options = options
    self.images = images
    self.choices = choices
    self.openingProblems = openingProblems
  }

  /// The number of words whose output is composed before it is written.
  private static let blockSize = 1 << 16

  /// Answers all of `words`, and passes the output to `write` in parts, in the order of the words.
  ///
  /// A word that is not an address, and an address outside all images, is output unchanged. Each
  /// answer ends with a newline.
  package func answer<Failure: Error>(
    _ words: AtosWordList, write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard words.count > 1 else {
      if words.count == 1 { try write(Array(answer(for: words[0]).utf8)) }
      return
    }
    let writer = lookUp(words)
    for start in stride(from: 0, to: words.count, by: Self.blockSize) {
      let block = start..<min(start + Self.blockSize, words.count)
      for part in writer.output(for: block, other: { answer(for: words[$0]) }) { try write(part) }
    }
  }

  /// Looks up the addresses among `words`, each once, in the first image that contains them.
  private func lookUp(_ words: AtosWordList) -> AtosLineWriter {
    var numbers = Array<Int32>(repeating: -1, count: words.count)
    var remaining: [(value: UInt64, word: Int)] = []
    words.forEachAddress { remaining.append(($0, $1)) }
    let table = Mutex(AtosLineTable())
    var addressCount = 0
    for image in images {
      var found: [NumberedAddress] = []
      // An address in one image is rarely in another too.
      remaining.removeAll { value, word in
        let address = image.linkAddress(of: value)
        guard image.resolver.contains(address) else { return false }
        found.append(NumberedAddress(address, number: word))
        return true
      }
      found.sortByAddress()
      var questions: [NumberedAddress] = []
      questions.reserveCapacity(found.count)
      for place in found {
        if questions.last?.address != place.address {
          questions.append(NumberedAddress(place.address, number: addressCount))
          addressCount += 1
        }
        numbers[place.number] = Int32(truncatingIfNeeded: addressCount - 1)
      }
      table.withLock { $0.makeRoom(for: addressCount) }
      image.resolver.answer(questions, jobs: options.jobs) { [name = image.name, options] batch in
        let part = AtosLineTable.Part(batch, imageName: name, options)
        table.withLock { $0.add(part) }
      }
    }
    return AtosLineWriter(table.withLock { $0 }, numbers: numbers, options)
  }

  /// The answer for one word, newlines included.
  private func answer(for word: String) -> String { grouped(frames(for: word)) }

  /// The problems with the symbol files so far.
  package var problems: [SymbolFileProblem] {
    (openingProblems + images.flatMap(\.resolver.problems)).withoutRepetitions
  }

  private func frames(for word: String) -> [String] {
    guard let value = AtosAddressToken.value(of: word[...]) else { return [word] }
    return frames(at: value) ?? framesWithoutSignature(of: value) ?? [word]
  }

  /// The frames at `value` from the first image that has a name there. Without a name: the address
  /// itself, in the first image that knows where its function begins, else in the first that
  /// contains it. Nil if no image contains it.
  private func frames(at value: UInt64) -> [String]? {
    var unnamed: String?
    var inFunction: String?
    for image in images {
      let address = image.linkAddress(of: value)
      guard image.resolver.contains(address) else { continue }
      if let resolved = image.resolver.resolve(address) {
        let frames = options.showsInlinedFrames ? resolved.frames : [resolved.function]
        return frames.map { line(for: $0, at: address, in: image) }
      }
      let text = hexadecimal(image.runtimeAddress(of: address), in: image)
      unnamed = unnamed ?? text
      if inFunction == nil, let start = image.resolver.functionStart(containing: address),
        let distance = address.distance(from: start)
      {
        inFunction = "\(text) + \(distance)"
      }
    }
    return (inFunction ?? unnamed).map { [$0] }
  }

  /// The frames at `value` without the pointer authentication code in its high bits; nil if it has
  /// none, or if no image contains the rest.
  private func framesWithoutSignature(of value: UInt64) -> [String]? {
    guard options.addressing != .offset,
      let signed = images.first(where: {
        PointerAuthentication.isUsed(by: $0.resolver.architecture)
      })
    else { return nil }
    for address in PointerAuthentication.addressesWithoutCode(
      LoadAddress(value), architecture: signed.resolver.architecture)
    {
      if let frames = frames(at: address.value) { return frames }
    }
    return nil
  }

  /// Without `-i`, one line. With `-i`, each frame and the delimiter, then a newline: with the
  /// default delimiter, an empty line follows the frames of each address.
  private func grouped(_ frames: [String]) -> String {
    options.showsInlinedFrames
      ? frames.map { $0 + options.inlineDelimiter }.joined() + "\n"
      : frames.joined(separator: "\n") + "\n"
  }

  private func line(
    for frame: ResolvedFrame, at address: LinkAddress, in image: AtosImage
  ) -> String {
    let file = frame.location.map { options.showsFullPath ? $0.path : $0.fileName }
    let beginning = AtosLine.beginning(name: frame.name, imageName: image.name, file: file)
    let number =
      frame.location.map { UInt64($0.line) } ?? address.distance(from: frame.rangeStart) ?? 0
    return beginning + "\(number)" + AtosLine.end(hasFile: file != nil)
  }

  private func hexadecimal(_ address: LoadAddress, in image: AtosImage) -> String {
    let width = image.resolver.architecture.is32Bit ? 8 : 16
    return "0x\(address.value.hexadecimalDigits(count: width)) (in \(image.name))"
  }
}
