/// What a skeleton unit says of its split unit (DWARF 5, section 3.1.2).
package struct DwarfSplitUnitReference: Hashable, Sendable {
  /// `DW_AT_dwo_name`, or `DW_AT_GNU_dwo_name`.
  package let name: String
  /// `DW_AT_comp_dir`, which `name` is relative to.
  package let compilationDirectory: String?
  /// Of the unit's header, or `DW_AT_GNU_dwo_id`.
  package let identifier: UInt64

  package init(name: String, compilationDirectory: String?, identifier: UInt64) {
    self.name = name
    self.compilationDirectory = compilationDirectory
    self.identifier = identifier
  }
}

/// A file of split units: a `.dwo` file, or a package of many (`.dwp`).
package struct DwarfSplitFile: Sendable {
  /// Under their names without `.dwo`. Those of a package are the whole sections;
  /// `.debug_cu_index` says which parts belong to the unit.
  package let sections: DwarfSections

  package init(sections: DwarfSections) { self.sections = sections }
}
