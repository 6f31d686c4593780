package import SymbolicationModel

extension DwarfUnitRangeTable {
  /// How many units are asked for one address. Where the linker folds functions into one many units claim
  /// its addresses, but then the first one asked has the function.
  private static let unitLimit = 1024

  /// Asks the units that cover `address`, the one whose range begins last first, until one has a
  /// function there; without any, the answer is the first that has a row. Of more than a thousand the
  /// rest is not asked, and `tooManyUnits` is among the errors.
  ///
  /// - Parameters:
  ///   - ask: what the unit at an offset of `.debug_info` says; nil where it says nothing.
  ///   - failed: called with each error of `ask`, and of too many units, and the offset of the unit.
  package func answer(
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
