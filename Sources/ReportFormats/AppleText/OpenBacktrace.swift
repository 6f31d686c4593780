import ReportModel
import SymbolicationModel

/// A backtrace of a text report while its lines are being read.
struct OpenBacktrace {
  let kind: Backtrace.Kind
  let number: Int?
  var name = ByteSpan.empty
  var dispatchQueue = ByteSpan.empty
  /// Whether the heading says `Crashed`.
  var isCrashed = false
  /// Whether the heading says `Highlighted`: the thread that a report about something other than a
  /// crash points at.
  var isHighlighted = false
  /// Whether its lines begin with the outermost frame.
  var isOutermostFirst = false
  private(set) var frames: [StackFrame] = []
  private(set) var addressListRange: Range<Int>?
  private(set) var byteRange: Range<Int>

  init(_ kind: Backtrace.Kind, number: Int?, heading: TextLine) {
    self.kind = kind
    self.number = number
    byteRange = heading.start..<heading.end
  }

  /// The index of the last frame.
  var lastIndex: Int? { frames.last?.index }
  /// Whether it begins with a frame that has no address, or nothing else, or has none yet.
  var isBare: Bool { frames.first.map { $0.line?.contentRange.isEmpty ?? true } ?? true }

  mutating func extend(to end: Int) { byteRange = byteRange.lowerBound..<end }

  mutating func append(_ line: FrameLine, _ address: LoadAddress) {
    extend(to: line.byteRange.upperBound)
    // A list of addresses is the whole backtrace.
    guard addressListRange == nil else { return }
    frames.append(StackFrame(address: address, carrier: .line(line)))
  }

  /// Takes a frame without an address.
  mutating func append(_ frame: StackFrame, to end: Int) {
    extend(to: end)
    frames.append(frame)
  }

  mutating func replaceLast(_ line: FrameLine) {
    guard let last = frames.popLast(), let address = last.address else { return }
    append(line, address)
  }

  /// Takes the addresses of a list in place of frames.
  mutating func take(_ addresses: [LoadAddress], of list: Range<Int>) {
    addressListRange = list
    frames = addresses.map { StackFrame(address: $0, carrier: .listedAddress) }
    extend(to: list.upperBound)
  }

  func closed(in source: TextSource, isCrashed: Bool) -> Backtrace {
    func text(_ span: ByteSpan) -> String? { span.isEmpty ? nil : source.string(span.range) }
    return Backtrace(
      kind: kind, number: number, name: text(name), dispatchQueue: text(dispatchQueue),
      isCrashed: isCrashed, frames: isOutermostFirst ? frames.reversed() : frames,
      isOutermostFirst: isOutermostFirst, byteRange: byteRange,
      addressListRange: addressListRange)
  }
}
