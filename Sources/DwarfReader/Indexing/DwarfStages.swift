/// The stages of decoding the units of an image, to be measured one by one. To look up addresses,
/// use `DwarfReading`.
package struct DwarfStages: Sendable {
  private let file: DwarfFile
  private let units: [DwarfUnitHeader]

  /// Reads the headers of the units. Type units are left out.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`.
  package init(sections: DwarfSections) throws(DwarfReadError) {
    self.file = try DwarfFile(imageSections: sections, referencedFiles: nil)
    self.units = file.unitList.unitsWithDies
  }

  /// The number of units that may contain functions.
  package var unitCount: Int { units.count }

  /// Reads the first DIE of the unit with `index`, which must be below `unitCount`.
  package func unit(_ index: Int) throws(DwarfReadError) -> Unit {
    Unit(try DwarfUnit(units[index], of: file))
  }

  /// A unit whose first DIE has been read.
  package struct Unit {
    private let unit: DwarfUnit

    init(_ unit: DwarfUnit) { self.unit = unit }

    /// Runs the line program and returns the number of rows; 0 if there is none.
    package func runLineProgram() throws(DwarfReadError) -> Int {
      try LineProgram.run(for: unit)?.table.rows.count ?? 0
    }

    /// Finds the functions.
    package func readFunctions() -> Functions {
      Functions(unit, FunctionWalk.functions(of: unit, leavesFunctions: true).content.functions)
    }
  }

  /// The functions of a unit, without their names and inlined calls.
  package struct Functions {
    private let unit: DwarfUnit
    private let functions: ScopeTable

    init(_ unit: DwarfUnit, _ functions: ScopeTable) {
      self.unit = unit
      self.functions = functions
    }

    package var count: Int { functions.scopes.count }

    /// Reads the calls inlined into all functions and returns their number.
    package func readInlinedCalls() -> Int {
      var calls = InlinedCallTable()
      for function in functions.scopes {
        _ = InlinedCallWalk.read(
          functionAt: function.dieOffset, of: unit, into: &calls)
      }
      return calls.calls.count
    }
  }
}
