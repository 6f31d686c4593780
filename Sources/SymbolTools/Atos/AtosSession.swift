import AddressResolver
import SymbolStore
package import SymbolicationModel
import Synchronization
import Wording

/// Answers addresses in the output format of Apple's `atos`.
///
/// Addresses are looked up exactly as they are given. For a return address, the caller subtracts 1.
package struct AtosSession {
  private let options: AtosOptions
  private let images: [AtosImage]
  private let openingProblems: [SymbolFileProblem]
  private let addressOutside = FirstAddress()
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
    let store = SymbolStore(limits: options.limits)
    for path in options.symbolFiles {
      let resolver: ImageResolver
      let available: [Architecture]
      do throws(SymbolFileProblem) {
        let opened = try SymbolFile.openAll(path: path, architecture: options.architecture)
        if opened.objectFiles.count > 1, !options.addressing.isOfWholeProcess {
          throw SymbolFileProblem(
            path: path, kind: .severalLibraries(count: opened.objectFiles.count))
        }
        let resolvers = opened.objectFiles.map {
          ImageResolver(
            $0, dwarfReader: options.dwarfReader, indexUse: options.indexUse, demangling: .atos,
            store: store)
        }
        for resolver in resolvers {
          try resolver.checkIsUsable(for: options.architecture)
          images.append(try AtosImage(resolver, addressing: options.addressing))
        }
        guard resolvers.count == 1, let only = resolvers.first else { continue }
        resolver = only
        available = opened.architectures
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

  /// Answers all of `words`, and passes the output to `write` in parts, in the order of the words.
  ///
  /// A word that is not an address, and an address outside all images, is output unchanged. Each
  /// answer ends with a newline.
  ///
  /// - Parameter write: is called on several threads, one at a time.
  package func answer<Failure: Error>(
    _ words: AtosWordList, write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let (table, numbers) = words.count > 1 ? lookUp(words) : (AtosLineTable(), [-1])
    guard words.count > 0 else { return }
    try AtosLineWriter(table, numbers: numbers, options).write(
      words, other: { grouped(frames(for: $0)) }, to: write)
  }

  /// Looks up the addresses among `words`, each once, in the first image that contains them.
  /// Returns the lines found, and for each word the number of its address; −1 if it has none.
  private func lookUp(_ words: AtosWordList) -> (AtosLineTable, numbers: [Int32]) {
    var numbers = Array<Int32>(repeating: -1, count: words.count)
    let table = Mutex(AtosLineTable())
    var addressCount = 0
    for image in images {
      var questions: [NumberedAddress] = []
      // An address in one image is rarely in another too.
      questions.reserveCapacity(addressCount == 0 ? words.count : 0)
      let ranges = image.resolver.loadedRanges
      words.forEachAddress { value, word in
        guard numbers[word] < 0 else { return }
        let address = image.linkAddress(of: value)
        guard ranges.contains(where: { $0.contains(address) }) else { return }
        questions.append(NumberedAddress(address, number: word))
      }
      questions.sortByAddress()
      addressCount = questions.makeDistinct(firstNumber: addressCount, numbers: &numbers)
      table.withLock { [addressCount] in $0.makeRoom(for: addressCount) }
      image.resolver.answer(questions, jobs: options.jobs) { [name = image.name, options] batch in
        let lines = AtosLines(batch, imageName: name, options)
        table.withLock { $0.add(lines) }
      }
    }
    return (table.withLock { $0 }, numbers)
  }

  /// The problems with the symbol files so far.
  package var problems: [SymbolFileProblem] {
    (openingProblems + images.flatMap(\.resolver.problems)).withoutRepetitions
  }

  /// The first address that is outside all images, if no load address was given, which is most
  /// likely why. Nil if there is none, or if it was asked for before.
  package var newAddressOutside: AddressOutside? {
    guard let value = addressOutside.take() else { return nil }
    let ranges = images.map { image in
      let ranges = image.resolver.loadedRanges
      return AddressOutside.Image(
        name: image.name, start: ranges.map(\.lowerBound).min()?.value ?? 0,
        end: ranges.map(\.upperBound).max()?.value ?? 0)
    }
    return AddressOutside(address: value, images: ranges)
  }

  /// An address that is in none of the images.
  package struct AddressOutside: Hashable, Sendable {
    let address: UInt64
    let images: [Image]

    struct Image: Hashable {
      let name: String
      let start: UInt64
      let end: UInt64
    }
  }

  private func frames(for word: String) -> [String] {
    guard let value = AtosAddressToken.value(of: word[...]) else { return [word] }
    if let frames = frames(at: value) ?? framesWithoutSignature(of: value) { return frames }
    if options.addressing == .linked { addressOutside.note(value) }
    return [word]
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
    // `joined` would make the runtime search for conformances, which takes as long as the answer.
    var text = ""
    for frame in frames {
      text += frame
      text += options.showsInlinedFrames ? options.inlineDelimiter : "\n"
    }
    return options.showsInlinedFrames || frames.isEmpty ? text + "\n" : text
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

/// The first address of a kind. It is handed out once, and later ones are not kept.
private final class FirstAddress: Sendable {
  private enum State {
    case none
    case noted(UInt64)
    case taken
  }

  private let state = Mutex(State.none)

  package func note(_ value: UInt64) {
    state.withLock { if case .none = $0 { $0 = .noted(value) } }
  }

  func take() -> UInt64? {
    state.withLock { state in
      guard case .noted(let value) = state else { return nil }
      state = .taken
      return value
    }
  }
}

extension [NumberedAddress] {
  /// Leaves each address once, with a number of its own.
  ///
  /// - Parameters:
  ///   - firstNumber: the number of the first address; the others follow.
  ///   - numbers: gets the number of each element's address at the element's own number.
  /// - Returns: the number behind the last one.
  fileprivate mutating func makeDistinct(firstNumber: Int, numbers: inout [Int32]) -> Int {
    var count = 0
    for index in indices {
      let element = self[index]
      if count == 0 || self[count - 1].address != element.address {
        self[count] = NumberedAddress(element.address, number: firstNumber + count)
        count += 1
      }
      numbers[element.number] = Int32(truncatingIfNeeded: firstNumber + count - 1)
    }
    removeSubrange(count...)
    return firstNumber + count
  }
}

extension AtosSession.ArchitectureChoice {
  /// One sentence: which slice is used, and what else there is.
  package var message: String {
    let names = available.map(\.name).joined(separator: ", ")
    return
      "\(path) has slices for \(names); using \(chosen), choose another with -arch"
      .withoutControlCharacters
  }
}

extension AtosSession.OpeningError {
  /// Apple's sentence, which scripts look for. The reason is the message of `problem`.
  ///
  /// - Parameter architecture: the one asked for, or that of this machine.
  package func message(architecture: Architecture) -> String {
    "atos cannot load symbols for the file \(path) for architecture \(architecture)."
  }
}

extension AtosSession.AddressOutside {
  /// One sentence: where the images are, and what may be missing.
  package var message: String {
    // A shared cache has thousands.
    var places = images.prefix(3).map { image in
      "\(image.name) (\(image.start.hexadecimal)-\(image.end.hexadecimal))"
    }
    if images.count > 3 { places.append("\(images.count - 3) other images") }
    return
      "\(address.hexadecimal) is not in \(places.joined(separator: " or ")); is -l LOAD_ADDRESS missing?"
      .withoutControlCharacters
  }
}
