/// Where a zero-terminated string stands: kept in place of a copy until somebody wants to see it.
package struct StringReference: Hashable, Sendable {
  package let section: DwarfSectionName
  /// From the start of the section, in bytes.
  package let offset: UInt64

  package init(section: DwarfSectionName, offset: UInt64) {
    self.section = section
    self.offset = offset
  }
}
