/// A zero-terminated string, given by its section and offset. It is read when it is needed.
package struct StringReference: Hashable, Sendable {
  package let section: DwarfSectionName
  /// In bytes from the start of the section.
  package let offset: UInt64

  package init(section: DwarfSectionName, offset: UInt64) {
    self.section = section
    self.offset = offset
  }
}
