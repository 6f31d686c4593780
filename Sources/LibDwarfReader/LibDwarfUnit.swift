import DwarfReader

/// One unit and what was decoded of it.
final class LibDwarfUnit {
  let header: DwarfUnitHeader
  /// Open while the unit is among those used last.
  var handle: LibDwarfHandle?
  /// Nil until the unit is asked about an address.
  var content: Result<Content, DwarfReadError>?
  /// By scope index: what was looked up for answers.
  var frames: [Int: Frame] = [:]

  /// The decoded unit.
  struct Content {
    var scopes = ScopeTable()
    /// Nil where the unit has no line table, or one that cannot be read.
    var lines: LineTable?
    var files: LineFileTable?
    /// `DW_AT_language`
    var language: UInt64?
  }

  /// What is the same in all answers in which a scope occurs.
  struct Frame {
    var names: FunctionNames
    /// Where the scope is called, for an inlined one.
    var callSite: CallSite?
  }

  struct CallSite {
    let file: UInt32
    let line: UInt32
    let column: UInt32
  }

  init(header: DwarfUnitHeader) { self.header = header }
}
