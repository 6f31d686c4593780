package import SymbolicationModel

extension DwarfUnitRangeTable {
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
