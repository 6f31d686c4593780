package import SymbolicationModel

extension DwarfUnitRangeTable {
  /// Asks the units that cover `address`, the one whose range begins last first, until one has a
  /// function there; without any, the answer is the first that has a row.
  ///
  /// - Parameters:
  ///   - ask: what the unit at an offset of `.debug_info` says; nil where it says nothing.
  ///   - failed: called with each error of `ask`, and the offset of the unit.
  package func answer(
    at address: LinkAddress, ask: (UInt64) throws(DwarfReadError) -> DwarfAnswer?,
    failed: (DwarfReadError, UInt64) -> Void
  ) -> DwarfAnswer? {
    var rowOnly: DwarfAnswer?
    var candidate = lastIndex(covering: address.value)
    while let index = candidate {
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
