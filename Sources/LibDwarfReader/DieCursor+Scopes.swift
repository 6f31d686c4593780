import CLibDwarf
import DwarfReader
import SymbolicationModel

extension DieCursor {
  /// To find the next sibling, libdwarf reads all descendants of a DIE again, so the cost of a walk
  /// is the number of DIEs times their depth. Some real functions have hundreds of nested calls;
  /// thousands of levels only come from damage.
  private static var depthLimit: Int { 512 }

  /// The functions and inlined bodies of a unit. The cursor must stand on the unit's first DIE. A
  /// scope with unreadable ranges has no ranges; `fault` is the first such error.
  ///
  /// Throws if the tree of DIEs itself cannot be read, and `malformed` if it is deeper than 512.
  ///
  /// Cost: one walk, which skips the children of DIEs that cannot contain code.
  func scopes(
    _ sections: DwarfSections
  ) throws(DwarfReadError) -> (table: ScopeTable, fault: DwarfReadError?) {
    var table = ScopeTable()
    var fault: DwarfReadError?
    let unitLow = (try? lowAddress) ?? 0
    let entersTypes = try !isLanguageWithoutMethods

    // For each DIE of the path: the scope that its children belong to.
    var enclosing: [Int?] = [nil]
    var pieces: [Range<UInt64>] = []
    var previousOffset = try offset
    guard try descend() else { return (table, nil) }
    while true {
      // libdwarf 20210528 follows a `DW_AT_sibling` that refers to its own DIE.
      let offset = try offset
      guard offset > previousOffset else { throw .malformed(section: .info, offset: offset) }
      previousOffset = offset
      var childScope: Int?
      var enters = false
      let tag = try tag
      switch tag {
      case DW_TAG_subprogram, DW_TAG_inlined_subroutine:
        let isInlined = tag == DW_TAG_inlined_subroutine
        // A declaration only has parameters as children.
        if !isInlined, try has(DW_AT_declaration) { break }
        pieces.removeAll(keepingCapacity: true)
        do throws(DwarfReadError) {
          try forEachCodeRange(unitLow: unitLow) { low, high in
            if low < high, sections.isCode(LinkAddress(low)) { pieces.append(low..<high) }
          }
        } catch {
          fault = fault ?? error
        }
        childScope = table.append(
          dieOffset: offset, parent: isInlined ? enclosing[enclosing.count - 1] : nil,
          isInlined: isInlined, pieces: pieces)
        enters = true
      case DW_TAG_lexical_block, DW_TAG_try_block, DW_TAG_catch_block, DW_TAG_with_stmt:
        childScope = enclosing[enclosing.count - 1]
        enters = true
      case DW_TAG_namespace, DW_TAG_module, DW_TAG_common_block:
        enters = true
      case DW_TAG_structure_type, DW_TAG_class_type, DW_TAG_union_type, DW_TAG_interface_type,
        DW_TAG_enumeration_type:
        // Old Swift compilers define methods inside their types.
        enters = entersTypes
      default:
        break
      }
      if enters, try descend() {
        guard depth <= Self.depthLimit else {
          throw .malformed(section: .info, offset: offset)
        }
        enclosing.append(childScope)
        continue
      }
      while try !advance() {
        guard ascend(), depth > 0 else {
          table.finish()
          return (table, fault)
        }
        enclosing.removeLast()
      }
    }
  }

  /// Whether the language of the unit is C or assembly, where types cannot contain functions.
  private var isLanguageWithoutMethods: Bool {
    get throws(DwarfReadError) {
      guard let language = try? unsigned(DW_AT_language), let code = Int32(exactly: language) else {
        return false
      }
      switch code {
      case DW_LANG_C, DW_LANG_C89, DW_LANG_C99, DW_LANG_C11, DW_LANG_Mips_Assembler: return true
      default: return false
      }
    }
  }
}
