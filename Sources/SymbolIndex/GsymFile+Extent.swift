import BinaryInput
package import SymbolicationModel

extension GsymFile {
  /// The addresses from the start of the first function to the end of the last (half-open). A
  /// function of unknown size counts as one byte. Nil if the file has no functions.
  ///
  /// Cost: reads two entries of the address table and the size of one function.
  package var extent: Range<LinkAddress>? {
    guard functionCount > 0 else { return nil }
    var cursor = region.cursor(byteOrder: header.byteOrder)
    let first = functionStart(at: 0, &cursor)
    let last = max(first, functionStart(at: functionCount - 1, &cursor))
    cursor.seek(to: recordOffset(at: functionCount - 1, &cursor))
    let (end, overflow) = last.addingReportingOverflow(UInt64(max(1, cursor.readUInt32())))
    return gsymRange(first, overflow ? .max : end)
  }
}
