import AddressResolver
import CrashLogParser
import SymbolStore
import SymbolicationModel

// Where the images of a trace were loaded.
//
// A trace lists no images. The user may say where one was loaded. A frame that states a function
// and the distance from its start (`load + 84`) says it too, if the symbol file has one function of
// that name. All frames of the image must agree, and the address must be that of a page.
//
// gdb states no distances. There, two functions of one file must lead to the same page, and none to
// another one.
//
// Frames that name no image, as a list of addresses does, lie in the image whose segments hold
// them.

extension ReportSymbolicator {
  /// Places frames in images that are known by name only, with symbol files that were given.
  mutating func placeFrames(of prepared: inout PreparedReport) {
    let source = prepared.report.source
    guard source.format.has(.listsNoImages) else { return }
    let floating = source.backtraces.flatMap { $0.frames.compactMap { FloatingFrame($0) } }
    guard !floating.isEmpty else { return }
    let byImage = Dictionary(grouping: floating.filter { $0.image != nil }) { $0.image ?? "" }
    let nameless = floating.filter { $0.image == nil }
    var placement = TracePlacement()
    for (name, frames) in byImage.sorted(by: { $0.key < $1.key }) {
      do throws(JoinRefusal) {
        placement.add(try place(name, by: frames, in: prepared.report))
      } catch {
        placement.refusals[name] = error
      }
    }
    if !nameless.isEmpty { placeUnnamed(nameless, in: prepared.report, &placement) }
    if !placement.isEmpty {
      prepared = PreparedReport(placement.applied(to: source), options)
      prepared.symbolFiles = placement.matches
    }
    prepared.report.unplacedFrames = prepared.report.unplacedFrames(placement.refusals)
  }

  private mutating func place(
    _ name: String, by frames: [FloatingFrame], in report: SymbolicatedReport
  ) throws(JoinRefusal) -> PlacedImage {
    let image = ImageDescription(
      identity: nil, architecture: report.source.architecture,
      names: Set([name] + name.namesOfSymbols))
    let named = store.symbolFiles(named: image)
    // A file that has no build-id may be the right one.
    let identity = frames.lazy.compactMap(\.identity).first
    let matches = named.filter { match in
      identity == nil || match.candidate.identity.map { $0 == identity } != false
    }
    if matches.isEmpty, !named.isEmpty { throw .otherBuild }
    if let base = options.loadAddresses[name] {
      return PlacedImage(name: name, base: base, match: matches.count == 1 ? matches[0] : nil)
    }
    guard !matches.isEmpty else { throw absence(of: image) }
    var found: [PlacedImage] = []
    var refusal: JoinRefusal?
    for match in matches {
      do throws(JoinRefusal) {
        let base = try base(of: frames, in: resolver(for: match, of: report))
        found.append(PlacedImage(name: name, base: base, match: match))
      } catch {
        refusal = refusal ?? error
      }
    }
    guard found.count < 2, let only = found.first else {
      throw matches.count == 1 && refusal != nil
        ? refusal ?? .noSymbolFile : .severalFiles(matches.map(\.candidate))
    }
    return only
  }

  /// Why there is no file for an image that is known by name only.
  private func absence(of image: ImageDescription) -> JoinRefusal {
    if let file = store.fileOfOtherArchitecture(named: image) { return .otherArchitecture(file) }
    return store.unusedFile(named: image).map { .onlyInDirectory($0) } ?? .noSymbolFile
  }

  /// The file for an image of a report.
  mutating func symbolFile(
    for image: ImageDescription, of prepared: PreparedReport
  ) throws(JoinRefusal) -> SymbolMatch {
    guard image.identity == nil, prepared.report.source.format.has(.listsNoImages) else {
      guard let match = store.symbolFile(for: image) else { throw .noSymbolFile }
      return match
    }
    for name in image.names {
      if let match = prepared.symbolFiles[name] { return match }
    }
    let matches = store.symbolFiles(named: image)
    guard let match = matches.first else { throw absence(of: image) }
    guard matches.count == 1 else { throw .severalFiles(matches.map(\.candidate)) }
    return match
  }

  // MARK: Functions

  private func base(
    of frames: [FloatingFrame], in resolver: ImageResolver
  ) throws(JoinRefusal) -> LoadAddress {
    let named = frames.filter { $0.symbol != nil }
    guard !named.isEmpty, let linkBase = resolver.linkBase() else {
      throw .noLoadAddress(path: resolver.path)
    }
    let functions = resolver.functions(named: Set(named.compactMap(\.symbol)))
    guard !functions.isEmpty else { throw .unknownFunctions(path: resolver.path) }
    var stated: Set<UInt64> = []
    var guesses: [UInt64: Set<String>] = [:]
    var refusal: JoinRefusal?
    for frame in named {
      guard let symbol = frame.symbol, let function = functions[symbol] else { continue }
      let start = function.lowerBound.value &- linkBase.value
      let size = function.upperBound.value &- function.lowerBound.value
      let beyond = frame.address.value &- start
      // The address behind a call that never returns is the end.
      if let offset = frame.offset {
        if frame.isAnchored || size == 0 || offset <= size {
          stated.insert(beyond &- offset)
        } else {
          refusal = .outsideFunction(path: resolver.path, function: symbol, offset: offset)
        }
      } else if size > 0, size < Self.pageSize {
        let distance = beyond & (Self.pageSize - 1)
        if distance <= size {
          guesses[beyond &- distance, default: []].insert(symbol)
        } else {
          refusal = .otherAddresses(path: resolver.path)
        }
      }
    }
    if let base = stated.first {
      // An anchor is in a file of symbols, which need not begin where the image does.
      guard stated.count == 1, base & (Self.pageSize - 1) == 0 || frames[0].isAnchored else {
        throw .otherAddresses(path: resolver.path)
      }
      return LoadAddress(base)
    }
    if let refusal { throw refusal }
    guard guesses.count < 2 else { throw .otherAddresses(path: resolver.path) }
    // A program that is not moved is where its file says.
    guard let (base, names) = guesses.first,
      names.count > 1 || base == linkBase.value && base != 0
    else { throw .noLoadAddress(path: resolver.path) }
    return LoadAddress(base)
  }

  /// Of the smallest pages that systems have.
  private static let pageSize: UInt64 = 4096

  // MARK: Frames that name no image

  private mutating func placeUnnamed(
    _ frames: [FloatingFrame], in report: SymbolicatedReport, _ placement: inout TracePlacement
  ) {
    let known = Set(placement.images.map(\.name) + report.source.images.compactMap(\.name))
    for (name, base) in options.loadAddresses.sorted(by: { $0.key < $1.key })
    where !known.contains(name) {
      let image = ImageDescription(
        identity: nil, architecture: report.source.architecture, names: [name])
      let matches = store.symbolFiles(named: image)
      if matches.count == 1 {
        placement.add(PlacedImage(name: name, base: base, match: matches[0]))
      }
    }
    if frames.contains(where: { $0.symbol != nil }) {
      let names = Set(store.givenFiles.flatMap(\.candidates).map(\.name))
      for name in names.subtracting(placement.images.map(\.name)).sorted() {
        if let image = try? place(name, by: frames, in: report) { placement.add(image) }
      }
    }
    for image in placement.images {
      guard let match = image.match else { continue }
      placement.addSegments(
        of: .placed(image.name), at: image.base, resolver(for: match, of: report))
    }
    for (index, image) in report.source.images.enumerated() where image.loadAddress.value > 0 {
      let names = Set([image.name, image.path?.lastPathComponent].compactMap(\.self))
      let description = ImageDescription(
        identity: image.identity, architecture: report.source.architecture, names: names)
      let match =
        image.identity == nil
        ? store.symbolFiles(named: description).first : store.symbolFile(for: description)
      guard let match else { continue }
      placement.addSegments(
        of: .listed(index), at: image.loadAddress, resolver(for: match, of: report))
    }
  }
}

/// An image of a trace, and where it was loaded.
private struct PlacedImage {
  let name: String
  let base: LoadAddress
  /// Nil if there is none, or more than one.
  let match: SymbolMatch?
}

/// What was found out about the places of a trace's frames.
private struct TracePlacement {
  private(set) var images: [PlacedImage] = []
  private var bases: [String: LoadAddress] = [:]
  var refusals: [String: JoinRefusal] = [:]
  private var segments: [(range: Range<UInt64>, base: LoadAddress, owner: Owner)] = []

  enum Owner: Hashable {
    /// An image that was placed.
    case placed(String)
    /// One that frames of the report place.
    case listed(Int)
  }

  var isEmpty: Bool { images.isEmpty && segments.isEmpty }

  /// The files by the names of the images.
  var matches: [String: SymbolMatch] {
    Dictionary(
      images.compactMap { image in image.match.map { (image.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  mutating func add(_ image: PlacedImage) {
    images.append(image)
    bases[image.name] = image.base
  }

  mutating func addSegments(of owner: Owner, at base: LoadAddress, _ resolver: ImageResolver) {
    guard let linkBase = resolver.linkBase() else { return }
    for range in resolver.loadedRanges {
      let start = range.lowerBound.value &- linkBase.value &+ base.value
      let (end, overflow) = start.addingReportingOverflow(
        range.upperBound.value &- range.lowerBound.value)
      if !overflow { segments.append((start..<end, base, owner)) }
    }
  }

  /// The only image at an address.
  private func owner(of address: LoadAddress) -> (owner: Owner, base: LoadAddress)? {
    let holders = segments.filter { $0.range.contains(address.value) }
    // One that frames place may also be given with its address.
    guard let first = holders.first, holders.allSatisfy({ $0.base == first.base }) else {
      return nil
    }
    return (first.owner, first.base)
  }

  /// The report with the images, and with the frames in them.
  func applied(to report: Report) -> Report {
    var images = report.images
    var indices: [String: Int] = [:]
    for image in self.images {
      var values = BinaryImage.Values(
        byteRange: report.byteRange.upperBound..<report.byteRange.upperBound)
      values.name = image.name
      values.architecture = (image.match?.candidate.architecture).flatMap {
        $0 == .unknown ? nil : $0
      }
      indices[image.name] = images.count
      images.append(BinaryImage(loadAddress: image.base, endAddress: image.base, values))
    }
    let backtraces = report.backtraces.map { backtrace in
      backtrace.mapping { frame in
        guard let floating = FloatingFrame(frame), var values = frame.values else { return frame }
        let place: (owner: Owner, base: LoadAddress)? =
          if let name = floating.image {
            bases[name].map { (.placed(name), $0) }
          } else {
            owner(of: floating.address)
          }
        guard let (owner, base) = place, floating.address >= base else { return frame }
        switch owner {
        case .placed(let name): values.imageIndex = indices[name]
        case .listed(let index): values.imageIndex = index
        }
        values.imageOffset = floating.address.value - base.value
        return StackFrame(address: frame.address, carrier: .values(values))
      }
    }
    return report.with(images, backtraces)
  }
}

/// A frame that does not say where in an image it is.
private struct FloatingFrame {
  /// Nil if it names none.
  let image: String?
  let address: LoadAddress
  let symbol: String?
  /// The distance from the function to the address; nil if it is not stated.
  let offset: UInt64?
  let isAnchored: Bool
  /// Of the image; nil if the trace states none.
  let identity: ImageIdentity?

  init?(_ frame: StackFrame) {
    guard let values = frame.values, values.imageIndex == nil,
      values.imageRelativeAddress == nil, let address = frame.address
    else { return nil }
    image = values.knownImageName
    self.address = address
    isAnchored = values.anchor != nil
    identity = values.anchorIdentity
    let stated = values.anchor ?? values.symbol
    symbol = stated?.name
    offset = stated?.offset.flatMap { UInt64(exactly: $0) }
  }
}

extension FrameValues {
  var knownImageName: String? { imageName == unknownImageName ? nil : imageName }
}

extension Report {
  fileprivate func with(_ images: [BinaryImage], _ backtraces: [Backtrace]) -> Report {
    var report = Report(
      format: format, byteRange: byteRange, header: header, facts: facts, images: images,
      omitsImages: omitsImages, backtraces: backtraces, threadStates: threadStates,
      registers: registers, faults: faults, looseLines: looseLines, json: json)
    report.wrapping = wrapping
    return report
  }
}

extension SymbolicatedReport {
  /// The frames whose place is still not known and whose line is not stated, by what they call
  /// their image.
  fileprivate func unplacedFrames(_ refusals: [String: JoinRefusal]) -> [UnplacedFrames] {
    var found: [UnplacedFrames] = []
    var indices: [String?: Int] = [:]
    for backtrace in backtraces where backtrace.isSelected {
      for frame in backtrace.frames where frame.image == nil {
        guard let address = frame.address, !frame.statement.hasLine, !frame.statement.isInlined
        else { continue }
        let name = frame.source.values?.knownImageName
        let image = ReportImage(
          name: name ?? "", loadAddress: address, reportArchitecture: source.architecture)
        found.merge(
          UnplacedFrames(
            imageName: name,
            refusal: name == nil ? .noImageName : name.flatMap { refusals[$0] } ?? .noSymbolFile,
            belongsToSystem: name != nil && image.belongsToSystem),
          name, &indices
        ) { _ in }
        guard let index = indices[name] else { continue }
        if frame.statement.isNamed {
          found[index].namedCount += 1
        } else {
          found[index].frameCount += 1
        }
      }
    }
    return found.filter { $0.frameCount > 0 || $0.refusal.isAboutFile }
  }
}
