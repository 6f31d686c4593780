import JsonReading
import ReportModel

/// Records of a log that may hold a trace, while they come. The texts of each writer have a
/// `ReportCutter` of their own, which says how long they are held back. The records between them
/// are held back as well, because the order stays.
struct OpenRecords: Sendable {
  /// Offsets in the buffer of the stream.
  private(set) var start: Int
  private let reader: LogRecordReader
  /// The writers whose texts are held back.
  private var writers: [[UInt8]: Writer] = [:]
  /// How many bytes from `start` on have candidates; nil if there was none.
  private var candidateSize: Int?
  private var hasLineEnds = false

  private struct Writer {
    var cutter = ReportCutter(limit: OpenRecords.sizeLimit, records: nil)
    /// Where the texts of records end that were not handed on yet, and how many bytes from `start`
    /// on have these records.
    var records: [(text: Int, size: Int)] = []
    var taken = 0
    var handedOn = 0
  }

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
    records.take(messages, source, line)
    return records.writers.isEmpty && records.candidateSize == nil ? nil : .open(records)
  }

  private init(start: Int, reader: LogRecordReader) {
    self.start = start
    self.reader = reader
  }

  /// The buffer begins at another byte now.
  mutating func move(by distance: Int) { start += distance }

  /// The offset after the last record with a part of a trace; nil if there is none.
  var end: Int? { candidateSize.map { start + $0 } }

  /// How long the most patient of the writers is waited for.
  var patience: ReportCutter.Patience {
    writers.values.contains { $0.cutter.patience == .long } ? .long : .short
  }

  /// - Returns: whether the records are complete.
  mutating func take(_ line: TextLine, of source: TextSource) -> Bool {
    if let messages = reader.messages(of: line, in: source) {
      take(messages, source, line)
    } else {
      take(Array(source.bytes[line.start..<line.next]), [0], line)
    }
    if idleCount >= Self.idleLimit || line.next - start >= Self.sizeLimit {
      candidateSize = line.next - start
      return true
    }
    return writers.isEmpty
  }

  private mutating func take(_ messages: [LogMessage], _ source: TextSource, _ line: TextLine) {
    for message in messages {
      var text = message.text(in: source)
      if text.last != Ascii.lineFeed {
        if message.end == .isLineEnd || message.end == .isStated && !hasLineEnds {
          text.append(Ascii.lineFeed)
        }
      } else if message.end == .isStated {
        hasLineEnds = true
      }
      take(text, message.group, line)
    }
  }

  private mutating func take(_ text: [UInt8], _ group: [UInt8], _ line: TextLine) {
    var writer = writers.removeValue(forKey: group) ?? Writer()
    writer.taken += text.count
    writer.records.append((writer.taken, line.next - start))
    for piece in writer.cutter.take(text) {
      switch piece {
      case .text(let bytes): writer.handedOn += bytes.count
      case .candidate(let bytes), .tooLarge(let bytes):
        writer.handedOn += bytes.count
        let last = writer.records.first { $0.text >= writer.handedOn }
        candidateSize = max(candidateSize ?? 0, last?.size ?? line.next - start)
      }
    }
    guard writer.cutter.patience != .none else {
      idleCount += 1
      return
    }
    idleCount = 0
    writers[group] = writer
  }
}
