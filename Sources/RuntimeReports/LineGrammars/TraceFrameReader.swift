import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Makes a frame of the parts of a line.
struct TraceFrameReader {
  let source: TextSource
  let grammar: TraceGrammar

  mutating func frame(
    _ match: LineMatch, _ range: Range<Int>, _ images: inout TraceImages,
    _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> StackFrame {
    var values = FrameValues(byteRange: range)
    values.index = match.integer(.index, source)
    values.addressKind = grammar.traits.addressKind
    // systemd-coredump writes this for memory that is of no file.
    let path = match.text(.image, source).flatMap { $0 == "n/a" ? nil : $0 }
    let name = path?.traceImageName
    values.imageName = name
    var address = match.number(.address, source)
    var place = match.number(.place, source) ?? match.number(.virtual, source)
    if let content = match[.content] {
      readContent(content, imageName: name, &values, &place)
    } else if let name = match.text(.symbol, source), name.isDartSnapshot {
      values.anchor = FrameSymbol(
        name: name, offset: match.number(.offset, source).flatMap { Int64(exactly: $0) })
      values.imageName = images.nameOfOnlyImage
    } else if let symbol = match.text(.symbol, source)?.traceSymbolName {
      values.symbol = FrameSymbol(
        name: symbol, offset: match.number(.offset, source).flatMap { Int64(exactly: $0) },
        file: match.text(.file, source), line: match.integer(.line, source),
        column: match.integer(.column, source))
    } else if match[.symbol] == nil, grammar.traits.hasBareOffsets {
      place = place ?? match.number(.offset, source)
    }
    if !grammar.traits.hasOffsets, let offset = values.symbol?.offset {
      // No file has so many lines: it is the distance from an exported function further up, unless
      // it is an address itself, as some versions write it.
      let isDistance = offset > 0x1_0000 && offset < 0x4000_0000
      if !isDistance || values.symbol?.file != nil { values.symbol?.offset = nil }
    }
    if grammar.traits.hasOffsetsAsAddresses, let small = address,
      small < TraceGrammar.offsetLimit
    {
      (place, address) = (small, nil)
    }
    if let place, values.imageRelativeAddress == nil {
      let image = path ?? images.nameOfOnlyImage
      let found = images.place(
        image, build: match.text(.build, source), place: place, address: address, allowance, &faults
      )
      if let found {
        values.imageIndex = found.image
        values.imageOffset = found.offset
        address = address ?? found.address
      }
    }
    if let content = match.content {
      let index = match[.index] ?? range.lowerBound..<range.lowerBound
      values.parts = FrameValues.Parts(
        index: index, attributes: nil, address: match[.address], content: content)
    }
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }

  private var isReturnAddress: Bool { grammar.traits.addressKind == .returnAddress }

  /// What Apple's libraries print behind the address.
  private func readContent(
    _ range: Range<Int>, imageName: String?, _ values: inout FrameValues, _ place: inout UInt64?
  ) {
    switch FrameContentReader(source: source, range: range).read() {
    case .symbolicated(let symbol), .atos(let symbol, _):
      // Without a symbol it is the distance from the start of the image.
      if symbol.name == imageName, symbol.file == nil, let offset = symbol.offset {
        place = UInt64(exactly: offset)
      } else if symbol.offset != 0 || symbol.file != nil || !isReturnAddress {
        // Behind a call that never returns may be the next function: it is not the caller.
        values.symbol = symbol
        values.isInlined = symbol.isInlined
      }
    case .unsymbolicated(let stated): values.imageRelativeAddress = stated
    case .sideBySide(let stated, let symbol):
      values.imageRelativeAddress = stated
      values.symbol = symbol
    case .unknown: break
    case .unparsed:
      let text = source.string(range)
      if !text.hasPrefix("("), !text.isEmpty { values.symbol = FrameSymbol(name: text) }
    }
  }
}

extension String {
  /// `libapp.so` of `/data/app/base.apk!libapp.so` and `/usr/lib/libapp.so`.
  var traceImageName: String {
    let inside =
      split(separator: "!", omittingEmptySubsequences: true).last.map(String.init) ?? self
    return inside.lastPathComponent
  }

  /// Whether it stands for all code that Dart compiled ahead of time.
  fileprivate var isDartSnapshot: Bool { hasPrefix("_kDart") }

  /// The name of a function; nil if it stands for none.
  fileprivate var traceSymbolName: String? {
    let isNone =
      isEmpty || ["n/a", "??", "???", "(unknown)", "<unknown>", "<redacted>"].contains(self)
      || hasPrefix("___lldb_unnamed_symbol")
    return isNone ? nil : self
  }
}
