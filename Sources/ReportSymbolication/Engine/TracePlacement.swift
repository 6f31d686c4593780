import AddressResolver
import CrashLogParser
import SymbolStore
import SymbolicationModel

// Where the images of a trace were loaded.
//
// A trace lists no images. A frame that states a function and the distance from its start
// (`load + 84`) says where its image is, if the symbol file has one function of that name. All
// frames of the image must agree, and the address must be that of a page.

extension ReportSymbolicator {
  /// Places frames in images that are known by name only, with symbol files that were given.
  mutating func placeFrames(of prepared: inout PreparedReport) {
    let source = prepared.report.source
    guard source.format.has(.listsNoImages) else { return }
    var floating: [String: [FloatingFrame]] = [:]
    for backtrace in source.backtraces {
      for frame in backtrace.frames {
        guard let floatingFrame = FloatingFrame(frame) else { continue }
        floating[floatingFrame.image, default: []].append(floatingFrame)
      }
    }
    var bases: [String: LoadAddress] = [:]
    for (name, frames) in floating {
      if let stated = options.loadAddresses[name] {
        bases[name] = stated
      } else if let base = base(of: name, frames, in: prepared.report) {
        bases[name] = base
      }
    }
    guard !bases.isEmpty else { return }
    prepared = PreparedReport(source.placingImages(at: bases), options)
  }

  private mutating func base(
    of name: String, _ frames: [FloatingFrame], in report: SymbolicatedReport
  ) -> LoadAddress? {
    let named = frames.filter { $0.symbol != nil }
    let image = ImageDescription(
      identity: nil, architecture: report.source.architecture, names: [name])
    guard !named.isEmpty, let match = store.symbolFile(for: image) else { return nil }
    let resolver = resolver(for: match, of: report)
    guard let linkBase = resolver.linkBase() else { return nil }
    let starts = resolver.functionStarts(named: Set(named.compactMap(\.symbol)))
    var bases: Set<UInt64> = []
    for frame in named {
      guard let symbol = frame.symbol, let start = starts[symbol] else { continue }
      let distance = (start.value &- linkBase.value) &+ frame.offset
      bases.insert(frame.address.value &- distance)
    }
    // An anchor is in a file of symbols, which need not begin where the image does.
    guard bases.count == 1, let base = bases.first, base & 0xFFF == 0 || frames[0].isAnchored
    else { return nil }
    return LoadAddress(base)
  }
}

/// A frame that names its image, and does not say where in it it is.
private struct FloatingFrame {
  let image: String
  let address: LoadAddress
  /// The function, if its distance to the address is stated.
  let symbol: String?
  let offset: UInt64
  let isAnchored: Bool

  init?(_ frame: StackFrame) {
    guard let values = frame.values, values.imageIndex == nil,
      values.imageRelativeAddress == nil, let name = values.imageName, let address = frame.address
    else { return nil }
    image = name
    self.address = address
    isAnchored = values.anchor != nil
    if let stated = values.anchor ?? values.symbol,
      let distance = stated.offset.flatMap({ UInt64(exactly: $0) })
    {
      (symbol, offset) = (stated.name, distance)
    } else {
      (symbol, offset) = (nil, 0)
    }
  }
}

extension Report {
  /// The same report with images at these addresses, and with the frames in them that name them.
  fileprivate func placingImages(at bases: [String: LoadAddress]) -> Report {
    var images = images
    var indices: [String: Int] = [:]
    for (name, base) in bases.sorted(by: { $0.key < $1.key }) {
      var values = BinaryImage.Values(byteRange: byteRange.upperBound..<byteRange.upperBound)
      values.name = name
      indices[name] = images.count
      images.append(BinaryImage(loadAddress: base, endAddress: base, values))
    }
    let backtraces = backtraces.map { backtrace in
      backtrace.mapping { frame in
        guard let floating = FloatingFrame(frame), let index = indices[floating.image],
          let base = bases[floating.image], floating.address >= base, var values = frame.values
        else { return frame }
        values.imageIndex = index
        values.imageOffset = floating.address.value - base.value
        return StackFrame(address: frame.address, carrier: .values(values))
      }
    }
    var report = Report(
      format: format, byteRange: byteRange, header: header, facts: facts, images: images,
      omitsImages: omitsImages, backtraces: backtraces, threadStates: threadStates,
      registers: registers, faults: faults, looseLines: looseLines, json: json)
    report.wrapping = wrapping
    return report
  }
}
