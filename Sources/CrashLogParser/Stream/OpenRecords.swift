import JsonReading
import ReportModel

/// Records of a log that may hold a trace, while they come. The texts of each writer have a
/// `ReportCutter` of their own, which says how long they are held back; what is between them is held
/// back as well, because the order stays.
struct OpenRecords: Sendable {
  /// Offsets in the buffer of the stream.
  private(set) var start: Int
  private let reader: LogRecordReader
  /// Of the writers whose texts are held back.
  private var cutters: [[UInt8]: ReportCutter] = [:]
  /// Whether a text turned out to be a candidate.
  private(set) var isCandidate = false
  private var hasLineEnds = false
  /// Records in a row of writers whose texts are held back by nothing.
  private var idleCount = 0

  /// So many records of others are held back for one writer, and so many bytes for all.
  private static let idleLimit = 1000
  private static let sizeLimit = 4 << 20

  enum Beginning {
    case open(OpenRecords)
    /// The record has a whole report.
    case whole
  }

  /// What begins with this line; nil if it is no record, or begins nothing.
  static func begin(
    _ line: TextLine, of source: TextSource, _ reader: LogRecordReader, statesLineEnds: Bool
  ) -> Beginning? {
    guard let messages = reader.messages(of: line, in: source) else { return nil }
    if messages.count == 1, messages[0].end != .isInsideLine,
      messages[0].text(in: source).count(where: { $0 == Ascii.lineFeed }) > 2,
      case .whole? = OpenReport.begin(line, of: source)
    {
      return .whole
    }
    var records = OpenRecords(start: line.start, reader: reader)
    records.hasLineEnds = statesLineEnds
    records.take(messages, source)
    return records.isClosed && !records.isCandidate ? nil : .open(records)
  }

  private init(start: Int, reader: LogRecordReader) {
    self.start = start
    self.reader = reader
  }

  /// The buffer begins at another byte now.
  mutating func move(by distance: Int) { start += distance }

  /// Whether nothing more belongs to the traces.
  private var isClosed: Bool { cutters.isEmpty }

  /// How long the most patient of the writers is waited for.
  var patience: ReportCutter.Patience {
    cutters.values.contains { $0.patience == .long } ? .long : .short
  }

  /// - Returns: whether the records are complete.
  mutating func take(_ line: TextLine, of source: TextSource) -> Bool {
    if let messages = reader.messages(of: line, in: source) {
      take(messages, source)
    } else {
      take(Array(source.bytes[line.start..<line.next]), [0])
    }
    if idleCount >= Self.idleLimit || line.next - start >= Self.sizeLimit {
      isCandidate = true
      return true
    }
    return isClosed
  }

  private mutating func take(_ messages: [LogMessage], _ source: TextSource) {
    for message in messages {
      var text = message.text(in: source)
      if text.last != Ascii.lineFeed {
        if message.end == .isLineEnd || message.end == .isStated && !hasLineEnds {
          text.append(Ascii.lineFeed)
        }
      } else if message.end == .isStated {
        hasLineEnds = true
      }
      take(text, message.group)
    }
  }

  private mutating func take(_ text: [UInt8], _ group: [UInt8]) {
    var cutter =
      cutters.removeValue(forKey: group) ?? ReportCutter(limit: Self.sizeLimit, records: nil)
    for piece in cutter.take(text) {
      if case .text = piece { continue }
      isCandidate = true
    }
    guard cutter.patience != .none else {
      idleCount += 1
      return
    }
    idleCount = 0
    cutters[group] = cutter
  }
}
