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
