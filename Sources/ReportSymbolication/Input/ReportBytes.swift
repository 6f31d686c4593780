package import CrashLogParser
package import Decompression
import FunctionNames
import SymbolStore
package import SymbolicationModel
package import SystemPackage
import Wording

/// The bytes of an input. One that is compressed as a whole (gzip, zstd, xz, bzip2) is unpacked;
/// names do not count.
package struct ReportBytes: Sendable {
  package let bytes: [UInt8]
  /// Whether the input was compressed, so that the result, which is not, must not replace it.
  package let wasCompressed: Bool

  /// How many bytes may come out of an input however small it is, and how many times its own size:
  /// reports shrink to a tenth or, with thousands of equal threads, to a fiftieth.
  package static let smallestUnpackedSize: UInt64 = 64 << 20
  package static let expansion: UInt64 = 100
  /// More is unpacked twice: a few bytes may become gigabytes, so the size is known before the
  /// memory is taken.
  static let sizeUnpackedOnce = 16 << 20

  /// - Parameters:
  ///   - path: where the bytes were read; `-` for standard input.
  ///   - limits: `reportSize` is the most bytes that are unpacked.
  /// - Throws: also `archive`, unless the bytes are from standard input.
  package init(
    _ input: [UInt8], path: String, limits: ResourceLimits
  ) throws(ReportReadError) {
    self = try Self(input, limit: limits.reportSize)
    guard path != "-", ArchiveContents.isArchive(start: bytes) else { return }
    let (count, first) = Self.reports(inArchiveAt: path, limits: limits)
    throw .archive(reportCount: count, first: first)
  }

  /// How many files in an archive begin like reports, and the name of the first. Archives in it are
  /// not looked at.
  package static func reports(
    inArchiveAt path: String, limits: ResourceLimits
  ) -> (count: Int, first: String?) {
    var count = 0
    var first: String?
    ArchiveContents.visit(
      archiveAt: path, startSize: ArchiveContents.startSize, limits: limits
    ) { name, start in
      guard beginsLikeReport(start) else { return }
      count += 1
      first = first ?? name
    }
    return (count, first)
  }

  /// Whether a file that begins so is certainly a report.
  package static func beginsLikeReport(_ start: [UInt8]) -> Bool {
    !ReportFormat.detect(start).has(.isUncertain)
  }

  /// - Parameters:
  ///   - input: the bytes as they were read.
  ///   - limit: the most bytes that are unpacked.
  package init(_ input: [UInt8], limit: UInt64) throws(ReportReadError) {
    guard let format = CompressedFile(start: Array(input.prefix(8))) else {
      (bytes, wasCompressed) = (input, false)
      return
    }
    bytes = try Self.unpacked(input, format, limit: limit)
    wasCompressed = true
  }

  /// Whether an input that begins so is compressed: 8 bytes are enough.
  package static func isCompressed(start: [UInt8]) -> Bool { CompressedFile(start: start) != nil }

  /// The most bytes that a report may have which comes out of so many compressed bytes.
  package static func plausibleSize(ofCompressed size: UInt64, limit: UInt64) -> UInt64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: expansion)
    return min(limit, max(smallestUnpackedSize, overflow ? .max : product))
  }

  private static func unpacked(
    _ input: [UInt8], _ format: CompressedFile, limit: UInt64
  ) throws(ReportReadError) -> [UInt8] {
    let plausible = plausibleSize(ofCompressed: UInt64(input.count), limit: .max)
    var content: [UInt8] = []
    var size = 0
    do throws(DecompressionError) {
      try unsafe format.inflate(input.span.bytes, limit: min(limit, plausible)) { piece in
        size += piece.count
        if size <= sizeUnpackedOnce {
          unsafe content.append(contentsOf: piece)
        } else {
          content = []
        }
        return true
      }
      guard size > sizeUnpackedOnce else { return content }
      content.reserveCapacity(size)
      try unsafe format.inflate(input.span.bytes, limit: UInt64(size)) { piece in
        unsafe content.append(contentsOf: piece)
        return true
      }
    } catch {
      guard case .tooLarge = error else { throw .damagedCompression(format, error) }
      guard plausible < limit else { throw .unreadable(.fileTooLarge) }
      throw .implausibleSize(format, compressed: UInt64(input.count), limit: plausible)
    }
    return content
  }
}

/// Why an input cannot be read.
package enum ReportReadError: Error, Hashable, Sendable {
  /// `fileTooLarge` if it has more bytes, compressed or not, than a report may have.
  case unreadable(Errno)
  case damagedCompression(CompressedFile, DecompressionError)
  /// It unpacks to more than `limit` bytes, which no report does that is compressed to so few.
  case implausibleSize(CompressedFile, compressed: UInt64, limit: UInt64)
  /// It is a zip or tar archive. So many files in it begin as reports do.
  case archive(reportCount: Int, first: String?)
}

extension ReportReadError {
  /// One sentence: why the report at `path` is not read, and what to try.
  package func message(report path: String, limits: ResourceLimits) -> String {
    switch self {
    case .unreadable(.fileTooLarge):
      let limit = ResourceLimit.reportSize
      return
        "the report \(path) is not read: it is larger than \(limit.shown(limits.reportSize)); \(limit.remedy(from: limits.reportSize))"
    case .archive: return "\(path) \(reason)"
    case .unreadable, .damagedCompression, .implausibleSize:
      let report =
        path == "standard input" ? path : "the report \(path.isEmpty ? "''" : path)"
      return "cannot read \(report): \(reason)"
    }
  }

  /// What to say after the name of the file.
  package var reason: String {
    switch self {
    case .unreadable(let errno): "\(errno)"
    case .archive(0, _):
      "is an archive without crash reports; symbol files are given after the report or with -d"
    case .archive(let count, let first):
      "is an archive with \(count) crash \(count == 1 ? "report" : "reports") (\(count == 1 ? "" : "the first is ")\(first ?? "")); unpack it and give one of them; 'symbolicate' and 'symbolicate group' read all of them"
    case .damagedCompression(let method, .truncated):
      "its \(method.rawValue) data is cut short; copy or download it again"
    case .damagedCompression(let method, .trailingBytes(let count)):
      "\(count) \(count == 1 ? "byte follows" : "bytes follow") its \(method.rawValue) data; remove what was appended, or unpack it with \(method.rawValue) -dc"
    case .damagedCompression(let method, .damaged),
      .damagedCompression(let method, .wrongChecksum):
      "its \(method.rawValue) data is damaged; copy or download it again"
    case .damagedCompression(let method, let error): "its \(method.rawValue) data: \(error.text)"
    case .implausibleSize(let method, let compressed, let limit):
      "its \(ByteSize.text(compressed)) of \(method.rawValue) data unpack to more than \(ByteSize.text(limit)), which no report does; if it is one, unpack it first"
    }
  }
}

extension CrashLogParseError {
  /// One sentence: what the input is instead of a crash report, and what to do about it.
  ///
  /// - Parameter path: what to call the input.
  package func message(path: String) -> String {
    switch self {
    case .emptyInput: "\(path) is empty; expected a crash report"
    case .inputTooLarge(let count): "\(path) has \(count) bytes; the limit is 4 GiB"
    case .noReportFound(let format): "\(path) \(format.unreadable)"
    }
  }

  /// The same, with what the input is if its first bytes say so.
  package func message(path: String, _ input: [UInt8]) -> String {
    guard self == .noReportFound(.unknown), let nature = FileNature(ofBinary: input) else {
      return message(path: path)
    }
    return "\(path) is \(nature.text), not a crash report; give the report as text"
  }
}
