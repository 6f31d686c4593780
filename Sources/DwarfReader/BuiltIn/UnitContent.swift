import SymbolicationModel

/// The decoded content of one unit. It belongs to one reader.
final class UnitContent {
  private var lookup: UnitLookup

  /// Runs the line program and finds the functions. Passes what cannot be read to `record`.
  ///
  /// - Parameter asked: the addresses that are known to be asked about; nil if there are many.
  init(_ unit: DwarfUnit, asked: AskedAddresses?, record: (DwarfReadError) -> Void) {
    lookup = UnitLookup(unit, asked: asked, record: record)
  }

  /// The functions and the line row at `address`; nil if neither a function nor a row covers it.
  func answer(at address: LinkAddress, record: (DwarfReadError) -> Void) -> DwarfAnswer? {
    lookup.answer(at: address.value, record: record)
  }

  /// The answers for those of `questions` that are in a function.
  ///
  /// - Parameter questions: in ascending order of their addresses.
  func answers(
    to questions: [NumberedAddress], record: (DwarfReadError) -> Void
  ) -> DwarfUnitAnswers {
    lookup.answers(to: questions, record: record)
  }
}
