package import SymbolicationModel

/// What a DWARF reader says of an address: `LibDwarfReader` implements it over libdwarf.
///
/// A reader belongs to one owner and is not for several threads at a time. What it decodes it keeps:
/// asking again costs a search.
package protocol DwarfReading: AnyObject {
  /// The functions at `address` and where in the source it lies.
  ///
  /// Nil where no unit covers the address: a gap, or code compiled without debug information.
  ///
  /// Cost: the first question about a unit decodes that unit, and no other that the answer does not
  /// refer to; later ones are binary searches. The ranges of all units are read once, where the
  /// file's own table of them (`.debug_aranges`) does not lead to the address.
  ///
  /// Throws where the unit that holds the address cannot be read. The failure is kept: asking again
  /// throws the same without reading anything.
  func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer?

  /// Announces addresses that will be asked about, so that the answers can be made together: units are
  /// decoded on up to `jobs` threads. Answers and faults are the same without it, and whatever `jobs` is.
  ///
  /// - Parameter addresses: ascending, each once.
  func prepare(for addresses: [LinkAddress], jobs: Int)

  /// What was passed over so far because it could not be read, in the order in which it was met. Of
  /// thousands of faults the first ones are kept.
  var faults: [DwarfReadError] { get }
}

extension DwarfReading {
  package func prepare(for addresses: [LinkAddress], jobs: Int) {}
}
