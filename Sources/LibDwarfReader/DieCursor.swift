import CLibDwarf
import DwarfReader

/// A position in the tree of DIEs of one unit, which can move to the first child, the next sibling
/// and the parent. It keeps the path from the first DIE to the current one, so a walk over a whole
/// unit does not need recursion.
///
/// Soundness: `path` is never empty and holds only DIEs that libdwarf returned to this cursor. Each
/// is freed when the cursor leaves it, or in `deinit`. `handle` keeps the libdwarf handle that they
/// belong to.
@safe final class DieCursor {
  let handle: LibDwarfHandle
  let unit: DwarfUnitHeader
  private var path: [Dwarf_Die]

  /// A cursor on `die`, which it will free.
  init(handle: LibDwarfHandle, unit: DwarfUnitHeader, taking die: Dwarf_Die) {
    self.handle = handle
    self.unit = unit
    unsafe self.path = [die]
  }

  deinit {
    while let die = unsafe path.popLast() { unsafe dwarf_dealloc_die(die) }
  }

  /// The current DIE.
  var die: Dwarf_Die { unsafe path[path.count - 1] }

  /// The depth of the current DIE in the tree: 0 for the unit's first DIE.
  var depth: Int { unsafe path.count - 1 }

  /// The offset of the current DIE in `.debug_info`.
  var offset: UInt64 {
    get throws(DwarfReadError) {
      var offset: Dwarf_Off = 0
      var error: Dwarf_Error?
      let result = unsafe dwarf_dieoffset(die, &offset, &error)
      _ = try unsafe handle.check(result, &error)
      return handle.baseOffset + offset
    }
  }

  /// `DW_TAG_…`.
  var tag: Int32 {
    get throws(DwarfReadError) {
      var tag: Dwarf_Half = 0
      var error: Dwarf_Error?
      let result = unsafe dwarf_tag(die, &tag, &error)
      _ = try unsafe handle.check(result, &error)
      return Int32(tag)
    }
  }

  /// Moves to the first child; false if there is none.
  func descend() throws(DwarfReadError) -> Bool {
    var child: Dwarf_Die?
    var error: Dwarf_Error?
    let result = unsafe dwarf_child(die, &child, &error)
    guard try unsafe handle.check(result, &error), let child = unsafe child else { return false }
    unsafe path.append(child)
    return true
  }

  /// Moves to the next sibling, skipping all descendants; false if there is none.
  func advance() throws(DwarfReadError) -> Bool {
    var sibling: Dwarf_Die?
    var error: Dwarf_Error?
    let result = unsafe dwarf_siblingof_b(handle.debug, die, 1, &sibling, &error)
    guard try unsafe handle.check(result, &error), let sibling = unsafe sibling else {
      return false
    }
    unsafe dwarf_dealloc_die(die)
    unsafe path[path.count - 1] = sibling
    return true
  }

  /// Moves to the parent; false on the first DIE.
  func ascend() -> Bool {
    guard unsafe path.count > 1 else { return false }
    unsafe dwarf_dealloc_die(path.removeLast())
    return true
  }
}
