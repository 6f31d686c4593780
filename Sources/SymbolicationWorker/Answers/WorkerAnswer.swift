import AddressResolver
import ReportCompletion
import ReportRendering
import ReportSymbolication
import SymbolicationModel
import SymbolStore
import Wording

/// The line that answers a record, and what the statistics count of it.
package struct WorkerAnswer: Sendable {
  /// With its line end.
  package let line: [UInt8]
  let failure: WorkerFailure.Code?
  let counts: FrameCounts
  /// The identities of the images without symbol files, without repetitions.
  let missing: [ImageIdentity]

  init(id: [UInt8], failure: WorkerFailure) {
    line = Self.line(id, isOk: false) { writer in
      writer.member(object: "error") { writer in
        writer.member("code", failure.code.rawValue)
        writer.member("message", failure.message.withoutControlCharacters)
      }
    }
    self.failure = failure.code
    counts = FrameCounts()
    missing = []
  }

  init(id: [UInt8], frames: [WorkerFrameAnswer]) {
    line = Self.line(id, isOk: true) { writer in
      writer.key("frames")
      writer.array { writer in
        for (index, result) in frames.enumerated() {
          writer.element()
          JsonFrame.writeBare(
            result.answer, index: index, address: result.frame.statedAddress,
            imageName: result.frame.imageName, imageOffset: result.imageOffset,
            symbolFile: result.symbolFile, to: &writer)
        }
      }
    }
    failure = nil
    var counts = FrameCounts()
    counts.resolved = frames.count { $0.answer != nil }
    counts.unresolved = frames.count - counts.resolved
    self.counts = counts
    missing =
      Set(frames.lazy.filter { $0.symbolFile == nil }.compactMap(\.frame.identity)).map(\.self)
  }

  /// - Parameter spelling: the input as a JSON string, if it is known.
  init(
    id: [UInt8], _ input: SymbolicatedInput, shownPath: String, spelling: ArraySlice<UInt8>?,
    _ output: WorkerOutput
  ) {
    line = Self.line(id, isOk: true) { writer in
      switch output {
      case .json:
        JsonRenderer(input, inputName: shownPath, .document).writeMembers(to: &writer)
      case .report:
        writer.key("report")
        // A wrapping that an answer would break keeps its report as it is.
        let completed = input.completedInput ?? input.input
        if let spelling, completed == input.input {
          writer.value(json: spelling)
        } else {
          writer.value(utf8: completed)
        }
      case .summary:
        writer.member("summary", SummaryRenderer(input).text)
      }
    }
    failure = nil
    counts = input.outcome.counts
    missing = Array(Set(input.outcome.missingImages.compactMap(\.image.identity)))
  }

  private static func line(
    _ id: [UInt8], isOk: Bool, _ members: (inout JsonWriter) -> Void
  ) -> [UInt8] {
    var writer = JsonWriter(.oneLine)
    writer.object { writer in
      writer.key("id")
      writer.value(json: id)
      writer.member("ok", isOk)
      members(&writer)
    }
    writer.finish()
    return writer.bytes
  }
}

/// What was found out about a bare frame.
struct WorkerFrameAnswer: Sendable {
  let frame: WorkerFrame
  /// Nil if no symbol file names the address.
  var answer: FrameAnswer?
  /// Nil if there is none.
  var symbolFile: String?
  /// Bytes from the start of the image; nil if it is not known where the image starts.
  var imageOffset: UInt64?
}

extension ReportSymbolicator {
  /// Looks up bare frames. Each address is looked up as it is.
  mutating func answers(to frames: [WorkerFrame]) -> [WorkerFrameAnswer] {
    var allowance = AnswerAllowance(options.limits, frameCount: frames.count)
    var last: BareImage?
    return frames.map { frame in
      var result = WorkerFrameAnswer(frame: frame)
      result.imageOffset = frame.statedOffset
      if last?.isImage(of: frame) != true { last = BareImage(of: frame, &self) }
      guard let found = last?.found else { return result }
      let resolver = found.resolver
      result.symbolFile = resolver.path
      guard let address = frame.linkAddress(from: found.linkBase) else { return result }
      if result.imageOffset == nil {
        result.imageOffset = found.linkBase.flatMap { address.distance(from: $0) }
      }
      let key = AnswerMemory.Key(resolver, found.match.basis, at: address, lookedUpAt: address)
      let shared: SharedAnswer?
      if let known = memory?.answer(to: key) {
        shared = known
      } else {
        var options = options
        options.sourcePaths = options.sourcePaths.with(resolver.recordedSourceMappings)
        shared = resolver.resolve(address).map {
          SharedAnswer(
            $0, at: address, symbolFile: resolver.path, basis: found.match.basis, options,
            isShort: allowance.isUsedUp)
        }
        if shared?.isShortened != true { memory?.remember(shared, key, of: resolver) }
      }
      result.answer = shared.map { allowance.charged($0.plain, isShortened: $0.isShortened) }
      return result
    }
  }
}

/// The image of a bare frame, and what was found for it. Frames of one image mostly follow each
/// other.
private struct BareImage {
  private let frame: WorkerFrame
  /// Nil if there is no symbol file.
  let found: (match: SymbolMatch, resolver: ImageResolver, linkBase: LinkAddress?)?

  init(of frame: WorkerFrame, _ symbolicator: inout ReportSymbolicator) {
    self.frame = frame
    found = symbolicator.store.symbolFile(for: frame.description).map { match in
      let resolver = symbolicator.resolvers.resolver(
        for: match, indexUse: symbolicator.options.indexUse)
      return (match, resolver, resolver.linkBase())
    }
  }

  func isImage(of other: WorkerFrame) -> Bool {
    frame.identity == other.identity && frame.imageName == other.imageName
      && frame.architecture == other.architecture
  }
}

extension WorkerFrame {
  /// The image, as the store looks for it.
  fileprivate var description: ImageDescription {
    ImageDescription(
      identity: identity, architecture: architecture, names: Set([imageName].compactMap(\.self)))
  }

  /// The address as it was asked; nil for an offset.
  var statedAddress: UInt64? {
    switch place {
    case .offset: nil
    case .linkAddress(let address): address.value
    case .loaded(let address, _): address.value
    }
  }

  /// The distance from the start of the image, as far as it is known without a symbol file.
  fileprivate var statedOffset: UInt64? {
    switch place {
    case .offset(let offset): offset
    case .loaded(let address, let base):
      address.value >= base.value ? address.value - base.value : nil
    case .linkAddress: nil
    }
  }

  /// - Parameter base: where the symbol file says that the image begins; nil if it does not.
  fileprivate func linkAddress(from base: LinkAddress?) -> LinkAddress? {
    switch place {
    case .linkAddress(let address): address
    case .offset(let offset): base.map { LinkAddress($0.value &+ offset) }
    case .loaded(let address, let start):
      base.map { Slide(loadAddress: start, linkBase: $0).linkAddress(of: address) }
    }
  }
}
