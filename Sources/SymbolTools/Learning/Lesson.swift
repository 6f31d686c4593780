package import CrashLogParser
import LearntNames
package import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Wording

/// What one input says about functions of the system.
///
/// Only frames of `.ips` reports teach: they say where the function begins. Texts have the same two
/// numbers, but what printed them may have taken them from another symbol table, or changed them.
package struct Lesson: Sendable {
  /// Those with names of system functions.
  private(set) var reports: [Report] = []
  /// What could not be read of an archive, a sentence each.
  package private(set) var problems: [String] = []
  /// Why the input holds no report; nil if it holds one.
  package private(set) var refusal: CrashLogParseError?

  struct Report: Sendable {
    let incident: String?
    let images: [ImageIdentity: Image]
  }

  struct Image: Sendable {
    let architecture: String
    let name: String
    var observations: Set<LearntImage.Observation> = []
  }

  /// Reads an input: a report, several, records with reports in them, or an archive (zip, tar) of
  /// any of these.
  ///
  /// - Parameters:
  ///   - bytes: as they were read. They may be compressed.
  ///   - path: what to call the input in problems.
  package init(
    _ bytes: [UInt8], path: String, options: SymbolicationOptions
  ) throws(ReportReadError) {
    let content = try ReportBytes(bytes, limit: options.limits.reportSize).bytes
    guard ArchiveContents.isArchive(start: content) else {
      refusal = read(content, options)
      return
    }
    var hasReport = false
    let limit = options.limits.reportSize
    let contents = ArchiveContents(
      ofArchive: content, path: path, limits: options.limits, sizeLimit: limit
    ) { _, _ in true }
    for file in contents.files {
      guard let bytes = file.bytes, let report = try? ReportBytes(bytes, limit: limit) else {
        continue
      }
      if read(report.bytes, options) == nil { hasReport = true }
    }
    guard hasReport else { throw .archive(reportCount: 0, first: nil) }
    self.problems += contents.problems.map(\.message.withoutControlCharacters)
  }

  /// - Returns: why there is no report.
  private mutating func read(
    _ bytes: [UInt8], _ options: SymbolicationOptions
  ) -> CrashLogParseError? {
    do throws(CrashLogParseError) {
      for report in try PreparedInput(bytes, options).reports {
        let images = Self.images(of: report.report)
        guard !images.isEmpty else { continue }
        reports.append(Report(incident: report.report.source.facts.incident, images: images))
      }
      return nil
    } catch {
      return error
    }
  }

  /// Whether a file that was found in a directory may hold reports. Cost: its first bytes are read.
  package static func mayComeFrom(_ path: String) -> Bool {
    switch SymbolFileKind(path: path) {
    case .zipOrTar, .compressed, .other, nil: true
    case .objectFile, .index, .breakpad, .sharedCache, .otherSymbols, .archive, .symbolMap: false
    }
  }

  private static func images(of report: SymbolicatedReport) -> [ImageIdentity: Image] {
    var images: [ImageIdentity: Image] = [:]
    for backtrace in report.backtraces {
      for frame in backtrace.frames {
        guard let image = frame.image, image.isOfAppleSystem,
          image.path?.hasPrefixBytes("/") == true, let identity = image.identity,
          identity.bytes.count == 16, let observation = observation(of: frame, in: image)
        else { continue }
        images[
          identity,
          default: Image(
            architecture: image.architecture?.name ?? "", name: image.fileName ?? image.name)
        ].observations.insert(observation)
      }
    }
    return images
  }

  private static func observation(
    of frame: SymbolicatedFrame, in image: ReportImage
  ) -> LearntImage.Observation? {
    guard let object = frame.source.object, !object.isInline, let offset = object.imageOffset,
      frame.imageOffset == offset, let symbol = frame.stated, let distance = symbol.offset,
      let distance = UInt64(exactly: distance), distance <= offset, let code = frame.codeAddress
    else { return nil }
    let lookup = frame.addressKind.lookupAddress(for: code, architecture: image.architecture)
    let step = code.value - min(code.value, lookup.value)
    return LearntImage.Observation(
      start: offset - distance, address: offset - min(offset, step), name: symbol.name)
  }
}
