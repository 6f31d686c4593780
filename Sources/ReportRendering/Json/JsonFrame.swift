import AddressResolver
import CrashLogParser
package import ReportSymbolication
import SymbolicationModel
package import Wording

/// Writes frames in the schema of `JsonRenderer`. They make up almost all of a document, so their
/// keys are spelt once for all frames at one depth.
///
/// A class, because copying all the keys would take longer than writing them.
package final class JsonFrame: Sendable {
  /// The keys of the members by their raw values, then the members with the value null in the same
  /// order, then what ``noLocation`` and ``noExplanation`` name.
  private let keys: JsonWriter.Keys
  private let showsExplanations: Bool

  private static let nulls = Member.names.count
  private static let noLocation = 2 * nulls
  private static let noExplanation = noLocation + 1

  private enum Member: Int {
    case index, inlined, address, image, imageName, imageOffset
    case function, rawName, offset, file, path, line, column, origin, source
    case explanation, depth, samples, symbolFile, inlinedCalls

    /// In the order of the cases. Programs rely on them.
    static let names: [StaticString] = [
      "index", "inlined", "address", "image", "imageName", "imageOffset",
      "function", "rawName", "offset", "file", "path", "line", "column", "origin", "source",
      "explanation", "depth", "samples", "symbolFile", "inlinedCalls",
    ]
  }

  /// - Parameter levels: how many levels the members of the frames are below what is open now.
  static func inside(_ writer: JsonWriter, levels: Int, showsExplanations: Bool) -> JsonFrame {
    guard writer.layout == .oneLine else {
      return JsonFrame(writer, levels: levels, showsExplanations: showsExplanations)
    }
    return showsExplanations ? explainedFrame : bareFrame
  }

  private init(
    _ writer: JsonWriter, levels: Int, showsExplanations: Bool, first: Member = .index
  ) {
    let keys = Member.names.enumerated().map { index, name in
      writer.preparedKey(name, levels: levels, isFirst: index == first.rawValue)
    }
    let nulls = keys.map(\.withNull)
    func joined(_ members: [Member]) -> JsonWriter.Key {
      JsonWriter.Key(joining: members.map { nulls[$0.rawValue] })
    }
    self.keys = JsonWriter.Keys(
      keys + nulls + [joined([.file, .path, .line, .column]), joined([.source, .explanation])])
    self.showsExplanations = showsExplanations
  }

  /// Writes the object of a frame of a report.
  func write(_ frame: ShownFrame, in images: JsonImages, to writer: inout JsonWriter) {
    writer.beginObject()
    writePlace(
      frame.index, isInlined: frame.isInlined, address: frame.address?.value,
      image: frame.image.flatMap { images.index(of: $0) }, imageName: frame.imageName.known,
      imageOffset: frame.imageOffset, to: &writer)
    let location = frame.location
    writeFunction(
      frame.function, rawName: frame.rawName, offset: frame.offset, location, to: &writer)
    // An explanation is dear to copy.
    write(
      frame.origin, location.source, showsExplanations ? frame.explanation : nil, to: &writer)
    // Only frames of call trees have these. In all others they would be a tenth of the document.
    if let level = frame.depth {
      key(.depth, &writer)
      writer.value(level)
      key(.samples, &writer)
      writer.value(frame.sampleCount)
    }
    writer.endObject()
  }

  @inline(__always)
  private func key(_ member: Member, _ writer: inout JsonWriter) {
    writer.key(member.rawValue, of: keys)
  }

  @inline(__always)
  private func null(_ member: Member, _ writer: inout JsonWriter) {
    writer.key(Self.nulls + member.rawValue, of: keys)
  }

  @inline(__always)
  private func member(_ member: Member, _ text: String?, _ writer: inout JsonWriter) {
    guard let text else { return null(member, &writer) }
    key(member, &writer)
    writer.value(text)
  }

  @inline(__always)
  private func member(_ member: Member, _ number: Int?, _ writer: inout JsonWriter) {
    guard let number else { return null(member, &writer) }
    key(member, &writer)
    writer.value(number)
  }

  private func writePlace(
    _ number: Int, isInlined: Bool, address: UInt64?, image: Int?, imageName: String?,
    imageOffset: UInt64?, to writer: inout JsonWriter
  ) {
    key(.index, &writer)
    writer.value(number)
    key(.inlined, &writer)
    writer.value(isInlined)
    key(.address, &writer)
    writer.value(hexadecimal: address)
    member(.image, image, &writer)
    member(.imageName, imageName, &writer)
    key(.imageOffset, &writer)
    writer.value(imageOffset)
  }

  private func writeFunction(
    _ name: String?, rawName: String?, offset: UInt64?, _ location: ShownFrame.Location,
    to writer: inout JsonWriter
  ) {
    member(.function, name, &writer)
    member(.rawName, rawName, &writer)
    key(.offset, &writer)
    writer.value(offset)
    guard !location.isUnknown else { return writer.key(Self.noLocation, of: keys) }
    member(.file, location.file, &writer)
    member(.path, location.path, &writer)
    member(.line, location.line, &writer)
    member(.column, location.column, &writer)
  }

  private func write(
    _ origin: AnswerOrigin?, _ source: SourceExcerpt?, _ explanation: FrameExplanation?,
    to writer: inout JsonWriter
  ) {
    member(.origin, origin?.rawValue, &writer)
    if source == nil, explanation == nil { return writer.key(Self.noExplanation, of: keys) }
    key(.source, &writer)
    if let source {
      writer.object { writer in
        writer.member("firstLine", source.firstLine)
        writer.member(strings: "lines", source.lines)
      }
    } else {
      writer.null()
    }
    key(.explanation, &writer)
    if let explanation {
      writer.object { explanation.writeMembers(to: &$0) }
    } else {
      writer.null()
    }
  }
}

// MARK: - Frames on one line

extension JsonFrame {
  // On one line, the keys are the same at every depth. A worker writes thousands of such documents.
  private static let bareFrame = JsonFrame(
    JsonWriter(.oneLine), levels: 0, showsExplanations: false)
  private static let explainedFrame = JsonFrame(
    JsonWriter(.oneLine), levels: 0, showsExplanations: true)
  private static let inlinedCall = JsonFrame(
    JsonWriter(.oneLine), levels: 0, showsExplanations: false, first: .function)

  /// Writes the answer to a frame without a report around it, and so without a list of images, on
  /// the line of a worker.
  package static func writeBare(
    _ answer: FrameAnswer?, index: Int, address: UInt64?, imageName: String?, imageOffset: UInt64?,
    symbolFile: String?, to writer: inout JsonWriter
  ) {
    writer.beginObject()
    bareFrame.writePlace(
      index, isInlined: false, address: address, image: nil, imageName: imageName,
      imageOffset: imageOffset, to: &writer)
    bareFrame.writeFunction(answer?.function, to: &writer)
    bareFrame.write(answer?.origin, answer?.function.source, nil, to: &writer)
    bareFrame.key(.symbolFile, &writer)
    writer.value(symbolFile)
    bareFrame.key(.inlinedCalls, &writer)
    writer.array { writer in
      for call in answer?.inlined ?? [] {
        writer.element()
        writer.object { inlinedCall.writeFunction(call, to: &$0) }
      }
    }
    writer.endObject()
  }

  private func writeFunction(_ text: FrameAnswer.FrameText?, to writer: inout JsonWriter) {
    writeFunction(
      text?.name, rawName: text?.rawName, offset: text?.offset,
      text.map { ShownFrame.Location($0) } ?? ShownFrame.Location(), to: &writer)
  }
}

// MARK: - Explanations

extension FrameExplanation {
  /// Writes its members into the open object.
  fileprivate func writeMembers(to writer: inout JsonWriter) {
    writer.member("reason", source.nothingReason?.schemaName)
    writer.member("lookupAddress", hexadecimal: lookup?.address.value)
    writer.member("addressKind", lookup?.kind.rawValue)
    writer.member("symbolFile", lookup?.symbolFile)
    writer.member("matchedBy", lookup?.matchedBy.rawValue)
    writer.member("answeringFile", lookup?.answeringFile)
    writer.member("index", lookup?.index)
    writer.member("mangling", lookup?.mangling?.rawValue)
    writer.member("demanglingLimit", lookup?.exceededLimit?.rawValue)
    writer.member("functionStart", hexadecimal: source.functionStart?.value)
    writer.member(objects: "refused", refusals) { writer, refusal in
      writer.member("kind", refusal.schemaName)
      writer.member("what", refusal.subject)
      writer.member("why", refusal.reason)
    }
  }
}

extension FrameExplanation.Source {
  /// Nil if something names the function: then `origin` says what.
  fileprivate var nothingReason: FrameExplanation.Reason? {
    if case .nothing(let reason) = self { reason } else { nil }
  }

  fileprivate var functionStart: LinkAddress? {
    if case .nothing(.unnamed(let start)) = self { start } else { nil }
  }
}

// The string values of the JSON schema (`docs/report.schema.json`) for enums with payloads; those
// of the others are their raw values. Programs rely on both.

extension FrameExplanation.Reason {
  package var schemaName: String {
    switch self {
    case .noAddress: "noAddress"
    case .noImage, .notJoined: "noImage"
    case .noSymbolFile: "noSymbolFile"
    case .noLinkBase: "noLinkBase"
    case .unnamed: "unnamed"
    case .leftOut: "leftOut"
    }
  }
}

extension FrameExplanation.Refusal {
  package var schemaName: String {
    switch self {
    case .otherBuild: "otherBuild"
    case .unusableFile: "unusableFile"
    case .symbol: "symbol"
    case .statedName: "statedName"
    }
  }
}
