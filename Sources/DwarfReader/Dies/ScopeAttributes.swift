/// The attributes of a function or an inlined call that a walk over the DIEs of a unit reads.
struct ScopeAttributes {
  var codeRange = CodeRangeAttributes()
  /// `DW_AT_sibling`: the offset of the next sibling from the start of the unit; 0 without it.
  var sibling: UInt64 = 0
  var callFile: UInt64 = 0
  var callLine: UInt64 = 0
  var callColumn: UInt64 = 0
  var hasCallFile = false
  /// `DW_AT_abstract_origin`.
  var origin = DwarfValue.absent
}
