package import SymbolicationModel

/// The frames that a GSYM file gives for an address.
///
/// Names and files are numbers, so that a lookup copies no text. `GsymFile.name(at:)`,
/// `GsymFile.nameBytes(at:)` and `GsymFile.path(ofFile:)` return the text.
package struct GsymAnswer: Hashable, Sendable {
  /// Innermost first: the inlined calls that contain the address, then the function. Empty only
  /// before the first lookup.
  package internal(set) var frames: [GsymFrame] = []

  /// An empty answer, to pass to `GsymFile.lookup(_:into:)`.
  package init() {}

  /// The contiguous range (half-open) of the function's code. It is empty if the size is not known:
  /// such a function extends to the next one.
  package var functionRange: Range<LinkAddress> {
    frames.last?.range ?? LinkAddress(0)..<LinkAddress(0)
  }
}

/// One function of an answer.
package struct GsymFrame: Hashable, Sendable {
  /// The offset of the (mangled) name in the string table; 0 for an inlined call without a name.
  package internal(set) var name: UInt64
  /// The contiguous range (half-open) of the function's or inlined body's code that contains the
  /// address. For a function of unknown size, it is empty and lies at the start of the function.
  package internal(set) var range: Range<LinkAddress>
  /// The lowest address of all ranges of the inlined body; for a function, its start. llvm-gsymutil
  /// counts a frame's offset from here.
  package internal(set) var start: LinkAddress
  /// For the innermost frame, the line row that covers the address; for every other frame, the call
  /// site of the frame before it. Nil if the file does not state it.
  package internal(set) var location: GsymLocation?
}

/// A source line.
package struct GsymLocation: Hashable, Sendable {
  /// The file's number in the file table; never 0, which means "no file".
  package let file: UInt32
  /// 1-based; 0 if the compiler states that the code belongs to no line.
  package let line: UInt32

  /// Nil if `file` is 0, which means "no file".
  init?(known file: UInt32, line: UInt32) {
    guard file != 0 else { return nil }
    (self.file, self.line) = (file, line)
  }
}

/// The answers of a GSYM file for several addresses. They refer to names and files by number, like
/// `GsymAnswer`.
package struct GsymAnswers: Sendable {
  /// The frames of all answers, in the order of the addresses. Those of one answer are innermost
  /// first.
  package internal(set) var frames: [GsymFrame] = []
  /// By the index of the address: where its frames end. They begin where those of the address
  /// before end.
  var ends: [Int] = []
  /// The records that could not be read, by the index of the address.
  package internal(set) var failures: [(index: Int, error: GsymError)] = []
  /// By the index of the address: what one step of the lookups finds for the next.
  var places: [Place] = []
  /// Made of what is read only to have it in the processor's cache, so that it is read.
  var touched: UInt8 = 0

  /// Where the record of an address is.
  struct Place {
    /// The index of the first function to consider; −1 if there is none.
    var function: Int
    /// The offset of its record in the file.
    var record: UInt64 = 0
    var parts = GsymRecordParts()
  }

  /// No answers, to pass to `GsymFile.lookup(_:into:)`.
  package init() {}

  /// The number of addresses.
  package var count: Int { ends.count }

  /// The indices in `frames` of the answer for the address with this index, which must be below
  /// `count`. Empty if no function contains it, or its record cannot be read.
  package func frames(ofAddress index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }

  mutating func removeAll() {
    frames.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    failures.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}
