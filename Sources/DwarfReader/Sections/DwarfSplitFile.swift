/// The attributes by which a skeleton unit refers to its split unit (DWARF 5, section 3.1.2).
package struct DwarfSplitUnitReference: Hashable, Sendable {
  /// `DW_AT_dwo_name`, or `DW_AT_GNU_dwo_name`.
  package let name: String
  /// `DW_AT_comp_dir`: the directory that a relative `name` is relative to.
  package let compilationDirectory: String?
  /// The identifier in the unit's header, or `DW_AT_GNU_dwo_id`.
  package let identifier: UInt64

  package init(name: String, compilationDirectory: String?, identifier: UInt64) {
    self.name = name
    self.compilationDirectory = compilationDirectory
    self.identifier = identifier
  }
}

/// A split DWARF file: a `.dwo` file, or a package of many (`.dwp`).
package struct DwarfSplitFile: Sendable {
  /// The sections by their names without `.dwo`. Those of a package are complete: `.debug_cu_index`
  /// states which parts belong to a unit.
  package let sections: DwarfSections

  package init(sections: DwarfSections) { self.sections = sections }
}
