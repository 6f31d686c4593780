/// A kind of crash or diagnostic report, or something else that people submit instead.
///
/// Compare formats with `==`: each has a name, such as ``crashText``. A format is stated in the
/// folder of its reader, with everything about it that other parts ask for.
public struct ReportFormat: Hashable, Sendable, CustomStringConvertible {
  /// What all reports of this kind share.
  package let traits: FormatTraits
  /// What a format with many kinds calls this one, such as the `bug_type` of an `.ips`.
  public let detail: String

  /// - Parameter traits: a value that no other format has.
  package init(_ traits: FormatTraits, detail: String = "") {
    self.traits = traits
    self.detail = detail
  }

  /// The name in JSON output, such as `crashText`.
  public var description: String { traits.schemaName ?? detail }

  public static func == (one: ReportFormat, other: ReportFormat) -> Bool {
    one.traits === other.traits && one.detail == other.detail
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(traits))
    hasher.combine(detail)
  }
}

extension ReportFormat {
  /// A format whose reader is not part of this package, with the name that the reader gives it.
  public static func other(_ name: String) -> ReportFormat {
    ReportFormat(otherTraits, detail: name)
  }

  private static let otherTraits = FormatTraits(
    schemaName: nil,
    unreadable: { "looks like a report of the format \($0), but nothing in it can be read" },
    [.mayBeWrapped, .hasStacks])

  /// The name in JSON output. Programs rely on it.
  package var schemaName: String { description }
  /// The kind of report in a count: `12 crash texts`, but the same word for one and for many.
  package var shortName: String { traits.shortName ?? schemaName }
  /// What an input is that looks like this but holds no report, to follow its name in a sentence.
  package var unreadable: String { traits.unreadable(detail) }
  /// Formats of one family have the same name here, and are tried together.
  package var family: String { traits.family ?? schemaName }

  /// The format without what tells its kinds apart.
  package var withoutDetail: ReportFormat {
    traits.schemaName == nil ? self : ReportFormat(traits)
  }

  package func has(_ mark: FormatTraits.Marks) -> Bool { traits.marks.contains(mark) }

  /// Whether its reports have stacks to symbolicate. Those of the others are only summarised.
  package var hasStacks: Bool { has(.hasStacks) }
  /// Whether a report in Apple's text format may stand somewhere in an input that looks like this.
  /// In the others there are lines that only resemble one.
  package var mayHoldText: Bool { has(.mayHoldText) }
  /// Whether reports of this format are found only if a sign of it was seen.
  package var isReport: Bool { has(.isReport) }
  /// Whether an input that looks like this has no text in it.
  package var isBinary: Bool { has(.isBinary) }
}

/// What is known about a format, apart from how it is recognised and read: that is in its
/// `ReportReader`.
package final class FormatTraits: Sendable {
  /// Nil if the detail of the format is its name.
  package let schemaName: String?
  package let shortName: String?
  package let unreadable: @Sendable (_ detail: String) -> String
  package let family: String?
  package let marks: Marks
  package let appleText: AppleTextOrigin
  package let frames: FrameWriting

  /// - Parameters:
  ///   - schemaName: the name in JSON output.
  ///   - shortName: the name in counts; nil if it is the same.
  ///   - unreadable: what an input is that looks like this but holds no report, with the detail of
  ///     the format.
  ///   - family: the name of the first format of those that are tried together; nil for a format
  ///     that is tried alone.
  ///   - appleText: how a report becomes Apple's text.
  ///   - frames: how answers are put back into its bytes.
  package init(
    schemaName: String?, shortName: String? = nil,
    unreadable: @escaping @Sendable (_ detail: String) -> String, family: String? = nil,
    _ marks: Marks, appleText: AppleTextOrigin = .none, frames: FrameWriting = .unchanged
  ) {
    self.schemaName = schemaName
    self.shortName = shortName
    self.unreadable = unreadable
    self.family = family
    self.marks = marks
    self.appleText = appleText
    self.frames = frames
  }

  /// Questions that are answered with yes or no.
  package struct Marks: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// That of `SetAlgebra` is not specialised, and is called for every format at the start.
    package init(arrayLiteral marks: Marks...) {
      var all = 0
      for mark in marks { all |= mark.rawValue }
      rawValue = all
    }

    /// Reports are found only if a sign of the format was seen.
    package static let isReport = Marks(rawValue: 1 << 0)
    /// Its reports have stacks to symbolicate.
    package static let hasStacks = Marks(rawValue: 1 << 1)
    /// A report in Apple's text format may stand in an input that looks like this.
    package static let mayHoldText = Marks(rawValue: 1 << 2)
    /// An input that looks like this may have a report in a wrapping.
    package static let mayBeWrapped = Marks(rawValue: 1 << 3)
    /// It may be the damaged JSON header of a text, or a piece of JSON above one.
    package static let mayPrecedeText = Marks(rawValue: 1 << 4)
    /// An input that looks like this has no text in it.
    package static let isBinary = Marks(rawValue: 1 << 5)
    /// The start of a file that looks like this does not show whether it is a report.
    package static let isUncertain = Marks(rawValue: 1 << 6)
    /// What is in a wrapping describes the input better.
    package static let saysLittle = Marks(rawValue: 1 << 7)
    /// Several in a JSON array are reports of their own, not parts of one.
    package static let standsInLists = Marks(rawValue: 1 << 8)
    /// Frames show the columns of source locations.
    package static let showsColumns = Marks(rawValue: 1 << 9)
    /// Source lines can be put below a frame.
    package static let hasPlaceForSourceLines = Marks(rawValue: 1 << 10)
    /// The numbers of its threads are hexadecimal.
    package static let hasHexadecimalThreads = Marks(rawValue: 1 << 11)
    /// Its reports list no images: where an image was loaded follows from its frames.
    package static let listsNoImages = Marks(rawValue: 1 << 12)
  }
}

/// How a report becomes Apple's text (`--format crash`).
package enum AppleTextOrigin: Hashable, Sendable {
  /// It is Apple's text already.
  case original
  /// Apple's tools translate it; a text with the same incident is such a translation.
  case translation
  /// Apple's tools do not: it gets a text in the same format from what was read of it.
  case model
  /// There is no such text.
  case none
}
