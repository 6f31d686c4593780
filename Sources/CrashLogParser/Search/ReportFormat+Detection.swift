import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension ReportFormat {
  /// Recognises what `bytes` hold by the first line that shows it. Text of any length may precede a
  /// report.
  ///
  /// - Complexity: reads no further than that line, except in JSON that has none.
  public static func detect(_ bytes: [UInt8]) -> ReportFormat {
    firstSign(in: TextSource(bytes: bytes)).format
  }

  /// What an input looks like, and the start of the line that shows it.
  static func firstSign(in source: TextSource) -> (format: ReportFormat, lineStart: Int) {
    if let format = detectMagic(source) { return (format, 0) }
    var isFirst = true
    // A log may begin with JSON of any kind, and have a report below it.
    var unknownJson: Int?
    let signs = CrashLogParser.signs
    var fragments = FragmentFinder(signs)
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      let start = source.skipSeparators(from: line.start, limit: line.end)
      if start == line.end { continue }
      if isFirst || source.beginsObject(at: start, limit: line.end),
        let format = signs.format(ofJsonFrom: line, isFirst: isFirst, in: source)
      {
        guard format == .json else { return (format, line.start) }
        unknownJson = line.start
        isFirst = false
        let document = try? JsonDocument(source.bytes, in: start..<source.count)
        guard let document, document.damage == nil else { continue }
        let end = document.byteRange.upperBound
        next = end < source.count ? source.line(at: end).next : end
        continue
      }
      isFirst = false
      if let format = signs.format(ofLine: line, at: start, in: source) {
        return (format, line.start)
      }
      switch source.reportStart(line, fragments: &fragments) {
      case .jsonHeader: return (.crashTextWithJsonHeader, line.start)
      case .text: return (.crashText, line.start)
      case .frames: return (.frameFragment, line.start)
      case nil: break
      }
    }
    if let unknownJson { return (.json, unknownJson) }
    let isXml = source.has("<?xml", at: source.textStart, limit: source.count)
    return (isXml ? .propertyList : .unknown, source.count)
  }

  /// The format of an input without a report: text with fonts and pages of the web are text in
  /// which a report might have been.
  func named(in bytes: [UInt8]) -> ReportFormat {
    guard self == .unknown else { return self }
    // The head of one alone.
    let bugType = TextSource(bytes: bytes).bugType(0..<bytes.count)
    if !bugType.isEmpty, bugType.utf8.count <= 3, Int(bugType) != nil {
      return .ips(bugType: bugType)
    }
    let start = bytes.prefix(1024).drop { $0 <= Ascii.space || $0 > 0x7F }
    let beginning = String(decoding: start.prefix(16), as: UTF8.self).lowercased()
    if beginning.hasPrefix("{\\rtf") { return .richText }
    let isPage = beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
    return isPage ? .webPage : .unknown
  }

  private static func detectMagic(_ source: TextSource) -> ReportFormat? {
    if let format = CrashLogParser.signs.format(ofFirstBytes: source.bytes) { return format }
    if let magic = magics.first(where: { source.bytes.starts(with: $0.0) }) { return magic.1 }
    return switch SymbolFileMagic(source.bytes) {
    case .machO, .fat, .elf: .objectFile
    // Others begin with letters, as a text may.
    default: nil
    }
  }

  private static let magics: [([UInt8], ReportFormat)] = [
    (Array("bplist0".utf8), .propertyList),
    ([0xFF, 0xFE], .utf16Text), ([0xFE, 0xFF], .utf16Text),
    ([0x1F, 0x8B], .archive), ([0x50, 0x4B, 0x03, 0x04], .archive),
    (Array("BZh".utf8), .archive), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive),
    ([0x28, 0xB5, 0x2F, 0xFD], .archive),
    // lz4, 7-Zip, compress and lzip.
    ([0x04, 0x22, 0x4D, 0x18], .archive), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive),
    ([0x1F, 0x9D], .archive), (Array("LZIP".utf8), .archive),
    ([0x89, 0x50, 0x4E, 0x47], .picture), ([0xFF, 0xD8, 0xFF], .picture),
    (Array("GIF8".utf8), .picture),
  ]
}
