package import JsonReading
public import SymbolicationModel

/// One crash report, as far as it could be read. All formats share this model.
///
/// The report shares the bytes that it was read from. All ranges are half-open ranges of offsets in
/// the input of ``CrashLogParser/parse(_:)``; in ``ReportWrapping/text`` if the report has a
/// ``wrapping``. They nest (a frame lies in its backtrace, a backtrace
/// in the report), and the ranges of frames, images and fields do not overlap.
///
/// A report has a great many properties and is passed on at every step, so they are in one object:
/// a copy of a report is a reference to it.
public struct Report: Sendable {
  private var properties: Properties

  /// What kind of report it is.
  public package(set) var format: ReportFormat {
    _read { yield properties.values.format }
    set { change { $0.format = newValue } }
  }

  /// From the first byte of the report to the end of its last line, without that line's end.
  public var byteRange: Range<Int> { properties.values.byteRange }

  /// The JSON object on the first line of an Apple report; nil if there is none that can be read.
  public var header: JsonHeader? { _read { yield properties.values.header } }

  /// What the report says about the process, the system and the crash.
  public package(set) var facts: ReportFacts {
    _read { yield properties.values.facts }
    set { change { $0.facts = newValue } }
  }

  // A caller that wants one of the facts would get a copy of all of them.

  /// ``ReportFacts/process``.
  package var process: ReportFacts.Process { _read { yield properties.values.facts.process } }

  /// ``ReportFacts/architecture``.
  package var architecture: Architecture? { properties.values.facts.architecture }

  /// The executables and libraries in the order of the report, including entries that stand for no
  /// image of their own (``BinaryImage/Kind``).
  public var images: [BinaryImage] { _read { yield properties.values.images } }

  /// Whether the writer was told not to list images, as Swift's runtime can be.
  public var omitsImages: Bool { properties.values.omitsImages }

  /// The backtrace of the last exception, then those that the application added, then the threads;
  /// each kind in the order of the report.
  public package(set) var backtraces: [Backtrace] {
    _read { yield properties.values.backtraces }
    set { change { $0.backtraces = newValue } }
  }

  /// The register dumps. Only reports as text have them.
  public var threadStates: [ThreadState] { _read { yield properties.values.threadStates } }

  /// The registers of the crashed thread, for formats that have them as values; empty for the
  /// others.
  package var registers: [RegisterValue] { _read { yield properties.values.registers } }

  /// What could not be read, in the order of the report.
  public package(set) var faults: [ParseFault] {
    _read { yield properties.values.faults }
    set { change { $0.faults = newValue } }
  }

  /// The starts of lines among fields, frames or images that are none of these, and that may be the
  /// rest of the line before.
  package var looseLines: [Int] { _read { yield properties.values.looseLines } }

  /// The column at which lines of the report were broken; nil if all its lines are whole.
  package var wrapColumn: Int? {
    get { properties.values.wrapColumn }
    set { change { $0.wrapColumn = newValue } }
  }

  /// What the input has around the report; nil if the report stands in it as it was written.
  public package(set) var wrapping: ReportWrapping? {
    _read { yield properties.values.wrapping }
    set { change { $0.wrapping = newValue } }
  }

  /// The JSON object that holds the report, for formats that are JSON.
  package var json: JsonValue? { _read { yield properties.values.json } }

  private struct Values: Sendable {
    var format: ReportFormat
    let byteRange: Range<Int>
    let header: JsonHeader?
    var facts: ReportFacts
    let images: [BinaryImage]
    let omitsImages: Bool
    var backtraces: [Backtrace]
    let threadStates: [ThreadState]
    let registers: [RegisterValue]
    var faults: [ParseFault]
    let looseLines: [Int]
    var wrapColumn: Int?
    var wrapping: ReportWrapping?
    let json: JsonValue?
    let imageRanges: ImageRangeIndex
  }

  private final class Properties: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }

  private mutating func change(_ body: (inout Values) -> Void) {
    var values = properties.values
    body(&values)
    properties = Properties(values)
  }

  package init(
    format: ReportFormat, byteRange: Range<Int>, header: JsonHeader? = nil, facts: ReportFacts,
    images: [BinaryImage], omitsImages: Bool = false, backtraces: [Backtrace],
    threadStates: [ThreadState] = [], registers: [RegisterValue] = [], faults: [ParseFault],
    looseLines: [Int] = [],
    json: JsonValue? = nil
  ) {
    properties = Properties(
      Values(
        format: format, byteRange: byteRange, header: header, facts: facts, images: images,
        omitsImages: omitsImages, backtraces: backtraces, threadStates: threadStates,
        registers: registers, faults: faults, looseLines: looseLines, json: json,
        imageRanges: ImageRangeIndex(images)))
  }

  /// The threads, in the order of the report.
  public var threads: [Backtrace] { backtraces.filter { $0.kind == .thread } }

  /// The thread that crashed; nil if the report does not say which.
  public var crashedThread: Backtrace? { backtraces.first(where: \.isCrashed) }

  /// Where the uncaught exception was thrown; nil if the report has no such backtrace.
  public var lastExceptionBacktrace: Backtrace? {
    backtraces.first { $0.kind == .lastException }
  }

  /// The backtraces that the application or a library added, in the order of the report.
  public var applicationSpecificBacktraces: [Backtrace] {
    backtraces.filter { $0.kind == .applicationSpecific }
  }

  /// Whether a backtrace has a frame.
  package var hasFrames: Bool { backtraces.contains { !$0.frames.isEmpty } }

  /// All frames, in the order of ``backtraces``.
  public var allFrames: [StackFrame] { backtraces.flatMap(\.frames) }

  // MARK: Images

  /// The image that an address belongs to; never an entry that stands for no image of its own.
  ///
  /// This is the image whose range holds the address. If several do, it is the one that starts at
  /// `loadAddress`, else the one that starts last. If none does, it is the one that starts at
  /// `loadAddress`, provided that the address is not before it: the report itself says so.
  ///
  /// - Parameter loadAddress: the start of the image, if the frame states it
  ///   (``StackFrame/imageRelativeAddress``).
  /// - Complexity: O(log n) in the number of images, however they overlap.
  public func image(
    containing address: LoadAddress, loadAddress: LoadAddress? = nil
  ) -> BinaryImage? {
    imageIndex(containing: address, loadAddress: loadAddress).map { images[$0] }
  }

  /// The index in ``images`` of that image.
  package func imageIndex(
    containing address: LoadAddress, loadAddress: LoadAddress? = nil
  ) -> Int? {
    properties.values.imageRanges.index(of: address, loadAddress: loadAddress, in: images)
  }

  /// The image that a frame lies in: the one that it names by its index, else the one that its
  /// address and the load address that it states lead to.
  ///
  /// The address is not adjusted. So a return address right after the end of an image, from a call
  /// that never returns, belongs to the next image here.
  public func image(for frame: StackFrame) -> BinaryImage? {
    if let index = frame.imageIndex { return images.indices.contains(index) ? images[index] : nil }
    return frame.address.flatMap {
      image(containing: $0, loadAddress: frame.imageRelativeAddress?.base)
    }
  }
}
