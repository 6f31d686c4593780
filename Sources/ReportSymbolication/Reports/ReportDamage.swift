package import CrashLogParser
package import SymbolicationModel

/// The parts of an input's reports that cannot be read. JSON that breaks off and lines that were
/// broken at a column have messages of their own.
package struct ReportDamage: Hashable, Sendable {
  package let count: Int
  package let firstKind: ParseFault.Kind
  /// Where the first one is in the input.
  package let firstPlace: Place

  package enum Place: Hashable, Sendable {
    /// Counts from 1.
    case line(Int)
    case byte(Int)
  }

  /// Nil if everything can be read.
  init?(_ reports: [Report], in input: [UInt8]) {
    var count = 0
    var first: (fault: ParseFault, report: Report)?
    for report in reports {
      // If its JSON breaks off, that is the reason for the rest, such as images that are missing.
      if report.faults.contains(where: { $0.kind == .damagedJson }) { continue }
      for fault in report.faults where fault.kind.isDamage {
        count += 1
        if first == nil { first = (fault, report) }
      }
    }
    guard let (fault, report) = first else { return nil }
    let range = report.wrapping?.inputRange(of: fault.byteRange) ?? fault.byteRange
    self.count = count
    firstKind = fault.kind
    let start = min(range.lowerBound, input.count)
    firstPlace =
      report.json != nil || report.format == .plCrashReporterBinary
      ? .byte(start) : .line(1 + input[..<start].count { $0 == UInt8(ascii: "\n") })
  }
}

/// Frames whose lines were broken at a column, so that their ends are missing.
package struct BrokenReport: Hashable, Sendable {
  package let column: Int
  package let frameCount: Int

  init?(_ reports: [Report]) {
    let broken = reports.filter { $0.faults.contains { $0.kind == .wrappedLine } }
    guard let column = broken.first?.wrapColumn else { return nil }
    self.column = column
    frameCount = broken.reduce(0) { $0 + $1.faults.count { $0.kind == .wrappedLine } }
  }
}

extension ParseFault.Kind {
  /// Whether it has no message of its own.
  fileprivate var isDamage: Bool {
    self != .damagedJson && self != .wrappedLine && exceededLimit == nil
  }
}

/// What a frame says about its place in an image, if that does not agree with its address or with
/// the ranges of the images.
package struct AddressContradiction: Hashable, Sendable {
  package let stated: ImageRelativeAddress
  package let kind: Kind

  package enum Kind: String, Hashable, CaseIterable, Sendable {
    /// `BASE + OFFSET` is not the address. The address counts.
    case otherAddress
    /// The address lies in the range of an image other than the one that starts at `BASE`. The
    /// range counts.
    case otherImage
    /// The address lies in no image's range. It counts as part of the image that starts at `BASE`.
    case outsideImage
  }
}

/// Frames of one image that contradict themselves.
package struct ContradictedImage: Hashable, Sendable {
  /// The image in which they were looked up.
  package let image: ReportImage
  package internal(set) var frameCount: Int
  /// The address of the first of them, as the report gives it.
  package let address: LoadAddress
  /// What the first of them says about its place.
  package let contradiction: AddressContradiction
}
