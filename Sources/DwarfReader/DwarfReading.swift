package import SymbolicationModel

/// Finds the function, the inlined calls and the source line of an address.
///
/// Two readers implement it: `BuiltInDwarfReader`, written in Swift, is the default;
/// `LibDwarfReader` uses libdwarf and serves as the reference. A reader keeps everything that it
/// has decoded.
///
/// One thread at a time may use a reader.
package protocol DwarfReading: AnyObject {
  /// The functions and the source location at `address`; nil if no unit covers the address. That is
  /// a gap, or code compiled without debug information.
  ///
  /// Throws if the unit that contains the address cannot be read. The error is kept: asking again
  /// throws it without reading anything.
  ///
  /// Cost: the first question about a unit decodes that unit and the units that the answer refers
  /// to; later questions are binary searches. If the file's own table of unit ranges
  /// (`.debug_aranges`) does not lead to the address, the ranges of all units are read once.
  func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer?

  /// Decodes what the following `answer` calls need, on up to `jobs` threads. This changes neither
  /// the answers nor the faults.
  ///
  /// - Parameter addresses: ascending, without duplicates.
  func prepare(for addresses: [LinkAddress], jobs: Int)

  /// Answers many addresses in numbers, on up to `jobs` threads, and keeps what it decoded. Ask
  /// `answer(at:)` about those that are left out: what no function covers, what the first unit
  /// asked does not know, and, for a reader without such a way, everything.
  ///
  /// - Parameters:
  ///   - questions: ascending by address, no address twice.
  ///   - take: gets the answers of each unit, on the thread that found them. They are the same as
  ///     those of `answer(at:)`.
  func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (DwarfUnitAnswers) -> Void)

  /// What was skipped so far because it could not be read, in the order of discovery, without
  /// duplicates. `BuiltInDwarfReader` keeps the first 4,096.
  var faults: [DwarfReadError] { get }
}

extension DwarfReading {
  /// Does nothing: preparing is optional.
  package func prepare(for addresses: [LinkAddress], jobs: Int) {}

  /// Prepares for the questions and answers none.
  package func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (DwarfUnitAnswers) -> Void
  ) {
    prepare(for: questions.map(\.address), jobs: jobs)
  }
}
