package import SymbolicationModel

extension DwarfUnitRangeTable {
  /// Looks up `address`: asks the units that `hints` gives, and if none answers, those of `all`.
  ///
  /// `hints` is `.debug_aranges`, which may be wrong or incomplete, so the lack of an answer from
  /// it proves nothing.
  ///
  /// Throws the first error of a unit if no unit has an answer, but only of a unit that really
  /// exists.
  ///
  /// - Parameters:
  ///   - all: the ranges of all units; only evaluated if `hints` gives no answer.
  ///   - ask: returns the answer of the unit at an offset of `.debug_info`; nil if it has none.
  ///   - beginsUnit: whether a unit begins at an offset of `.debug_info`.
  ///   - record: called with each error.
  package static func answer(
    at address: LinkAddress, hints: DwarfUnitRangeTable, all: () -> DwarfUnitRangeTable,
    ask: (UInt64) throws(DwarfReadError) -> DwarfAnswer?, beginsUnit: (UInt64) -> Bool,
    record: (DwarfReadError) -> Void
  ) throws(DwarfReadError) -> DwarfAnswer? {
    var failure: DwarfReadError?
    func failed(_ error: DwarfReadError, _ offset: UInt64) {
      record(error)
      if failure == nil, beginsUnit(offset) { failure = error }
    }
    if let answer = hints.answer(at: address, ask: ask, failed: failed) { return answer }
    if let answer = all().answer(at: address, ask: ask, failed: failed) { return answer }
    if let failure { throw failure }
    return nil
  }

  /// The greatest number of units that are asked about one address. If the linker folded functions
  /// into one, many units claim its addresses, but the first one asked has the function.
  private static let unitLimit = 1024

  /// Asks the units that cover `address`, in descending order of the starts of their ranges, and
  /// returns the first answer with a function. If there is none, returns the first answer with a
  /// row.
  ///
  /// At most 1,024 units are asked. If there are more, `failed` is called with `tooManyUnits`.
  ///
  /// - Parameters:
  ///   - ask: returns the answer of the unit at an offset of `.debug_info`; nil if it has none.
  ///   - failed: called with each error and the offset of the unit.
  private func answer(
    at address: LinkAddress, ask: (UInt64) throws(DwarfReadError) -> DwarfAnswer?,
    failed: (DwarfReadError, UInt64) -> Void
  ) -> DwarfAnswer? {
    var rowOnly: DwarfAnswer?
    var candidate = lastIndex(covering: address.value)
    var left = Self.unitLimit
    while let index = candidate {
      if left == 0 {
        failed(.tooManyUnits(address: address.value), entries[index].unitOffset)
        break
      }
      left -= 1
      do throws(DwarfReadError) {
        if let answer = try ask(entries[index].unitOffset) {
          guard answer.frames.isEmpty else { return answer }
          rowOnly = rowOnly ?? answer
        }
      } catch {
        failed(error, entries[index].unitOffset)
      }
      candidate = lastIndex(covering: address.value, before: index)
    }
    return rowOnly
  }
}
