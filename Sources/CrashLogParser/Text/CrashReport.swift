public import SymbolicationModel

/// One crash report, as far as it could be read.
///
/// The report shares the bytes it was read from. All its ranges are half-open ranges of offsets in the
/// input of ``CrashLogParser/parse(_:)``, they nest (a frame lies in its thread, a thread in the
/// report), and those of frames, images and fields do not overlap.
public struct CrashReport: Sendable {
  /// ``ReportFormat/crashText``, ``ReportFormat/crashTextWithJsonHeader`` or
  /// ``ReportFormat/frameFragment``.
  public let format: ReportFormat
  /// From the start of the first line of the report to the end of the last one, without its line end.
  public let byteRange: Range<Int>
  /// The JSON object on the first line, where there is one that could be read.
  public let header: JsonHeader?
  /// The `Key: value` lines before the first section, in the order of the report. Keys may repeat:
  /// macOS writes `Exception Codes` twice.
  public let fields: [HeaderField]
  /// The threads, in the order of the report.
  public let threads: [CrashThread]
  /// Where the exception was thrown that nobody caught.
  public let lastExceptionBacktrace: Backtrace?
  /// The backtraces that the application or a library put into the report: of exceptions, in reports
  /// of macOS.
  public let applicationSpecificBacktraces: [Backtrace]
  /// The register dumps.
  public let threadStates: [ThreadState]
  /// The binary images in the order of the report, the absolute pseudo-image included.
  public let images: [BinaryImage]
  /// What could not be read, in the order of the report.
  public let faults: [ParseFault]

  private let imageIndex: ImageIndex

  init(
    format: ReportFormat, byteRange: Range<Int>, header: JsonHeader?, fields: [HeaderField],
    threads: [CrashThread], lastExceptionBacktrace: Backtrace?,
    applicationSpecificBacktraces: [Backtrace], threadStates: [ThreadState], images: [BinaryImage],
    faults: [ParseFault]
  ) {
    self.format = format
    self.byteRange = byteRange
    self.header = header
    self.fields = fields
    self.threads = threads
    self.lastExceptionBacktrace = lastExceptionBacktrace
    self.applicationSpecificBacktraces = applicationSpecificBacktraces
    self.threadStates = threadStates
    self.images = images
    self.faults = faults
    self.imageIndex = ImageIndex(images)
  }

  /// All frames of the report: of the last exception, of the application's backtraces, of the threads.
  public var allFrames: [StackFrame] {
    var frames = lastExceptionBacktrace?.frames ?? []
    for backtrace in applicationSpecificBacktraces { frames += backtrace.frames }
    for thread in threads { frames += thread.frames }
    return frames
  }

  /// The image that an address belongs to.
  ///
  /// That is the image whose range holds the address. Where several do, it is the one that starts at
  /// `loadAddress`, else the one that starts last. Where none does, it is the one that starts at
  /// `loadAddress`, if the address lies behind that: the report itself says so. Never the absolute
  /// pseudo-image.
  ///
  /// A binary search in an index that was built with the report: logarithmic in the number of images,
  /// however they overlap.
  ///
  /// - Parameter loadAddress: the start of the image as the frame states it
  ///   (``StackFrame/statedImageLoadAddress``), where it does.
  public func image(
    containing address: LoadAddress, loadAddress: LoadAddress? = nil
  ) -> BinaryImage? {
    imagePosition(containing: address, loadAddress: loadAddress).map { images[$0] }
  }

  /// The place of that image in ``images``.
  package func imagePosition(
    containing address: LoadAddress, loadAddress: LoadAddress? = nil
  ) -> Int? {
    imageIndex.position(of: address, loadAddress: loadAddress, in: images)
  }

  /// The image that a frame lies in, by its address and the load address that its line states.
  ///
  /// The address is taken as it is: a return address that is the first one behind an image, after a
  /// call that never returns, belongs to the next image here.
  public func image(for frame: StackFrame) -> BinaryImage? {
    image(containing: frame.address, loadAddress: frame.statedImageLoadAddress)
  }
}
