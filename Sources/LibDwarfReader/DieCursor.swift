import CLibDwarf
import DwarfReader

/// A place in the tree of DIEs of one unit, from which one moves down, on and up. The path from the
/// first DIE to this one is kept, so a walk over a whole unit allocates nothing of its own and its
/// depth costs no stack.
///
/// Soundness: `path` is never empty and holds only DIEs that libdwarf gave to this cursor, each freed
/// when the cursor leaves it or ends; `handle`, which they belong to, is kept.
@safe final class DieCursor {
  let handle: LibDwarfHandle
  let unit: DwarfUnitHeader
  private var path: [Dwarf_Die]

  /// Takes over `die`.
  init(handle: LibDwarfHandle, unit: DwarfUnitHeader, taking die: Dwarf_Die) {
    self.handle = handle
    self.unit = unit
    unsafe self.path = [die]
  }

  deinit {
    while let die = unsafe path.popLast() { unsafe dwarf_dealloc_die(die) }
  }

  /// The DIE on which the cursor stands.
  var die: Dwarf_Die { unsafe path[path.count - 1] }

  /// How far below the first DIE the cursor stands: 0 on the first.
  var depth: Int { unsafe path.count - 1 }

  /// Of the DIE, in `.debug_info`.
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

  /// Moves to the first child; false where there is none.
  func descend() throws(DwarfReadError) -> Bool {
    var child: Dwarf_Die?
    var error: Dwarf_Error?
    let result = unsafe dwarf_child(die, &child, &error)
    guard try unsafe handle.check(result, &error), let child = unsafe child else { return false }
    unsafe path.append(child)
    return true
  }

  /// Moves to the next sibling, past all descendants; false where the last one is reached.
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
