import AddressResolver
package import CrashLogParser
package import SymbolicationModel

/// Prepares the frames of a report for lookup: what each address is, which image it lies in, and
/// what the report already says about it.
package struct BacktraceReader {
  private var imageFinder: ImageFinder
  /// What frames call the images that they name by index, as far as frames needed it.
  private var imageNames: [ListedName]

  private enum ListedName {
    case notAskedFor
    /// The name of the image that the frame lies in.
    case ofImage
    /// Another one; nil if it has none.
    case other(String?)
  }

  package init(report: Report) {
    self.imageFinder = ImageFinder(report: report)
    self.imageNames = Array(repeating: .notAskedFor, count: report.images.count)
  }

  private var images: [BinaryImage] { imageFinder.listed }

  package mutating func read(_ options: SymbolicationOptions) -> SymbolicatedReport {
    let report = imageFinder.report
    let hasCrashedThread = report.crashedThread != nil
    let isSelectedProcess = options.selects(report.process)
    var backtraces: [SymbolicatedBacktrace] = []
    backtraces.reserveCapacity(report.backtraces.count)
    for backtrace in report.backtraces {
      // Backtraces that belong to no thread go with the crashed one.
      let isThread = backtrace.kind == .thread
      let isSelected = options.threads.selects(
        number: isThread ? backtrace.number : nil,
        isCrashed: !isThread || backtrace.isCrashed || !hasCrashedThread)
      backtraces.append(
        SymbolicatedBacktrace(
          source: backtrace, frames: frames(of: backtrace),
          isSelected: isSelected && isSelectedProcess))
    }
    return SymbolicatedReport(
      source: report, backtraces: backtraces, knownImages: imageFinder.images)
  }

  private mutating func frames(of backtrace: Backtrace) -> [SymbolicatedFrame] {
    // If the first frames were cut off, the first one that is left made a call.
    var walk = AddressKindWalk(
      startsWithProgramCounter: !backtrace.isOutermostFirst
        && backtrace.frames.first?.index ?? 0 == 0)
    // A frame is large to copy, and in a span it can be looked at where it is.
    let allSources = backtrace.frames
    let sources = allSources.span
    var frames: [SymbolicatedFrame] = []
    frames.reserveCapacity(sources.count)
    for index in sources.indices {
      var (statement, imageRelativeAddress) = FrameStatement.reading(sources[index])
      if images.isEmpty, let place = placeInImage(sources[index], statement) {
        (statement, imageRelativeAddress) = (.none, place)
      }
      if !statement.isNamed, sources[index].isMarkedInlined {
        statement = FrameStatement(.unknownInlined)
      }
      let step = walk.next(
        sources[index].address, sources[index].addressKind, statement,
        offset: sources[index].symbol?.offset)
      frames.append(
        frame(
          sources[index], step.kind, statement, imageRelativeAddress,
          hasStatedInlinedFrames: step.hasInlinedFrames))
    }
    return frames
  }

  /// The same frame with another kind of address, whose lookup may lie in another image.
  package mutating func frame(
    _ frame: SymbolicatedFrame, as kind: FrameAddressKind
  ) -> SymbolicatedFrame {
    self.frame(
      frame.source, kind, frame.statement, frame.source.imageRelativeAddress,
      hasStatedInlinedFrames: frame.hasStatedInlinedFrames)
  }

  private mutating func frame(
    _ source: StackFrame, _ kind: FrameAddressKind, _ statement: FrameStatement,
    _ imageRelativeAddress: ImageRelativeAddress?, hasStatedInlinedFrames: Bool
  ) -> SymbolicatedFrame {
    let located = source.address.flatMap {
      imageFinder.locate(of: source, at: $0, kind, stated: imageRelativeAddress)
    }
    return SymbolicatedFrame(
      source: source, addressKind: kind, imageName: imageName(of: source, located?.image),
      located: located, statement: statedFunction(statement, in: source, located),
      hasStatedInlinedFrames: hasStatedInlinedFrames)
  }

  /// What the frame says about its function, unless it is only the image and a distance.
  private func statedFunction(
    _ statement: FrameStatement, in source: StackFrame, _ located: ImageFinder.LocatedAddress?
  ) -> FrameStatement {
    guard case .read(let stated) = statement, source.line != nil, let located,
      let image = located.image, let offset = stated.symbol.offset,
      // backtrace_symbols(3) writes that if it knows no symbol (`App + 15941`).
      UInt64(bitPattern: offset) == located.codeAddress.value &- image.loadAddress.value,
      stated.symbol.file == nil, source.imageName == stated.symbol.name
    else { return statement }
    return .none
  }

  /// Where the frame is in its image, if the text has no list of images and the frame states only a
  /// distance: the address less the distance is the start of a page, as images begin at pages.
  private func placeInImage(
    _ source: StackFrame, _ statement: FrameStatement
  ) -> ImageRelativeAddress? {
    guard case .read(let stated) = statement, source.line != nil, stated.symbol.file == nil,
      let address = source.address?.value,
      let offset = stated.symbol.offset.map(UInt64.init(clamping:)),
      offset > 0, address > offset, (address - offset) & 0xfff == 0,
      source.imageName == stated.symbol.name
    else { return nil }
    return ImageRelativeAddress(base: LoadAddress(address - offset), offset: offset)
  }

  /// What the frame calls its image; nil if it is the image's name, or nothing.
  private mutating func imageName(of source: StackFrame, _ image: ReportImage?) -> String? {
    // It is most often the name in the list of images, which is then shared.
    if let image, source.hasImageName(image.name) { return nil }
    if let name = source.imageName { return name }
    guard let index = source.imageIndex, images.indices.contains(index) else { return nil }
    // Its address may lie in another image than the one that it names.
    if let image, image.loadAddress != images[index].loadAddress { return nil }
    switch imageNames[index] {
    case .ofImage where image != nil: return nil
    case .other(let name): return name ?? unknownImageName
    case .notAskedFor, .ofImage: break
    }
    let name = images[index].name
    if let image, image.name == name {
      imageNames[index] = .ofImage
      return nil
    }
    imageNames[index] = .other(name)
    return name ?? unknownImageName
  }
}

/// What reports show for an image without a name.
package let unknownImageName = "???"

/// Determines, from frame to frame, what the addresses of a backtrace are.
private struct AddressKindWalk {
  private var next: FrameAddressKind
  /// The address of the inlined frames just passed.
  private var inlinedAddress: LoadAddress?

  init(startsWithProgramCounter: Bool) {
    next = startsWithProgramCounter ? .programCounter : .returnAddress
  }

  /// - Parameters:
  ///   - marked: the kind that the report states.
  ///   - offset: the distance from the start of the function, as the report states it.
  mutating func next(
    _ address: LoadAddress?, _ marked: FrameAddressKind?, _ statement: FrameStatement,
    offset: @autoclosure () -> Int64?
  ) -> (kind: FrameAddressKind, hasInlinedFrames: Bool) {
    let isTrampoline = statement.isTrampoline
    // Linux runs a handler so that it returns to the first byte of the trampoline: no call precedes
    // it.
    let own = isTrampoline && offset() == 0 ? .programCounter : next
    let step = (marked ?? own, inlinedAddress != nil && inlinedAddress == address)
    if statement.isInlined {
      // Calls inlined into the frame after them share its address, and so its kind.
      inlinedAddress = address
    } else {
      inlinedAddress = nil
      // The frame after a signal trampoline was interrupted; it did not call.
      next = isTrampoline ? .programCounter : .returnAddress
    }
    return step
  }
}

extension FrameSymbol {
  /// An inlined call that the report says nothing about. It is looked up with the frame that it is
  /// inlined into.
  fileprivate static var unknownInlined: FrameSymbol {
    FrameSymbol(name: "<unknown>", isInlined: true)
  }
}
