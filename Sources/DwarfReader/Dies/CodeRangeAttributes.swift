/// The attributes of a DIE that state where its code is, undecoded: `DW_AT_low_pc`, `DW_AT_high_pc`
/// and `DW_AT_ranges`. `DwarfUnit.forEachCodeRange` turns them into addresses.
struct CodeRangeAttributes: Sendable {
  var low = DwarfValue.absent
  var high = DwarfValue.absent
  var ranges = DwarfValue.absent
}
