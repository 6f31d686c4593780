package import CrashLogParser
import Demangling
package import SymbolStore
import SymbolicationModel

/// An input that was read, with its frames prepared for lookup. It follows from the bytes and the
/// options alone.
package struct PreparedInput: Sendable {
  /// The input.
  let input: [UInt8]
  /// What the input has around its reports.
  package let wrapping: ReportWrapping?
  /// In the order of the input.
  package var reports: [PreparedReport]
  /// Whether the input was compressed in its file.
  package var wasCompressed = false

  /// - Parameter countsMentions: whether what the text around a report mentions counts, too.
  /// - Throws: `CrashLogParseError` if `input` holds no report.
  package init(
    _ input: [UInt8], _ options: SymbolicationOptions, countsMentions: Bool = false
  ) throws(CrashLogParseError) {
    var parsed = try CrashLogParser.parse(
      input, limits: options.limits, logField: options.logField)
    if countsMentions { CrashLogParser.addMention(to: &parsed, of: input) }
    self.init(input, parsed, options)
  }

  /// What an input mentions about a crash that holds no report; nil if that is nothing.
  package init?(mentionedIn input: [UInt8], _ options: SymbolicationOptions) {
    guard let report = CrashLogParser.mention(in: input) else { return nil }
    self.init(input, [report], options)
  }

  private init(_ input: [UInt8], _ parsed: [Report], _ options: SymbolicationOptions) {
    self.input = input
    wrapping = parsed.first?.wrapping
    reports = parsed.map { PreparedReport($0.withShownException(options.demangling), options) }
  }
}

extension Report {
  /// The report with the type of a C++ exception as people write it. SDKs name it as
  /// `std::type_info` does.
  fileprivate func withShownException(_ style: DemanglingStyle) -> Report {
    guard format.sdkFrameKeys != nil, let name = facts.exception.name else { return self }
    var demangler = SymbolDemangler(style: style)
    guard let shown = demangler.shownTypeName(of: name) else { return self }
    var report = self
    report.facts.exception.name = shown
    return report
  }
}

/// A report with its frames prepared for lookup.
package struct PreparedReport: Sendable {
  /// Prepares a frame again that turns out to hold another kind of address.
  var reader: BacktraceReader
  package var report: SymbolicatedReport
  /// The frames to look up, grouped by image, in the order in which images first occur.
  package private(set) var questions: [ImageQuestions] = []
  /// The images of `questions`, in the same order.
  package let images: [ImageDescription]
  /// The files of images that are known by name only, by their names.
  var symbolFiles: [String: SymbolMatch] = [:]
  /// Frames to look up whose image is unknown.
  private(set) var framesWithoutImage = 0

  init(_ source: Report, _ options: SymbolicationOptions) {
    reader = BacktraceReader(report: source)
    report = reader.read(options)
    var places: [ReportImage: Int] = [:]
    // The same by the indices in the report's list, where no image is hashed; -1 if not met yet.
    var listedPlaces = Array(repeating: -1, count: source.images.count)
    // Frames of one image mostly follow each other.
    var last: (image: ReportImage, place: Int)?
    for backtrace in report.backtraces.indices where report.backtraces[backtrace].isSelected {
      let allFrames = report.backtraces[backtrace].frames
      let frames = allFrames.span
      for frame in frames.indices {
        // The properties are asked for one by one: a frame that is passed on is copied.
        guard frames[frame].wantsAnswer(options) else { continue }
        let image = frames[frame].image
        if options.onlyUserCode, image?.belongsToSystem == true { continue }
        guard let image, let address = frames[frame].codeAddress else {
          if !frames[frame].statement.isNamed { framesWithoutImage += 1 }
          continue
        }
        let question = ImageQuestions.Question(
          position: FramePosition(backtrace: backtrace, frame: frame), address: address,
          kind: frames[frame].addressKind, in: image, isNamed: frames[frame].statement.isNamed,
          hasStatedInlinedFrames: frames[frame].hasStatedInlinedFrames)
        if let last, last.image === image {
          questions[last.place].frames.append(question)
          continue
        }
        let listed = image.listIndex.map { listedPlaces[$0] } ?? -1
        let place = listed >= 0 ? listed : places[image] ?? questions.count
        last = (image, place)
        if listed < 0, let index = image.listIndex { listedPlaces[index] = place }
        if place < questions.count {
          questions[place].frames.append(question)
        } else {
          places[image] = place
          questions.append(ImageQuestions(image: image, frames: [question]))
        }
      }
    }
    images = questions.map(\.image.description)
  }
}

extension ImageQuestions.Question {
  /// Nil if there is nothing to find out about the frame, or if it lies in no image.
  init?(about frame: SymbolicatedFrame, at position: FramePosition, _ options: SymbolicationOptions)
  {
    guard frame.wantsAnswer(options), let image = frame.image, let address = frame.codeAddress
    else { return nil }
    self.init(
      position: position, address: address, kind: frame.addressKind, in: image,
      isNamed: frame.statement.isNamed, hasStatedInlinedFrames: frame.hasStatedInlinedFrames)
  }

  /// - Parameter address: `SymbolicatedFrame.codeAddress`.
  @inline(__always)
  fileprivate init(
    position: FramePosition, address: LoadAddress, kind: FrameAddressKind, in image: ReportImage,
    isNamed: Bool, hasStatedInlinedFrames: Bool
  ) {
    self.init(
      position: position, address: address,
      lookupAddress: kind.lookupAddress(for: address, hasThumb: image.hasThumb ?? false),
      isNamed: isNamed, hasStatedInlinedFrames: hasStatedInlinedFrames)
  }
}

extension SymbolicatedFrame {
  /// Whether there is something to find out.
  @inline(__always)
  fileprivate func wantsAnswer(_ options: SymbolicationOptions) -> Bool {
    guard statement.isNamed else { return true }
    // An inlined call is answered with the frame that it is inlined into.
    return !statement.isInlined && (options.resymbolicates || !statement.hasLine)
  }
}
