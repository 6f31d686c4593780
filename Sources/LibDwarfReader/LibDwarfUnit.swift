import DwarfReader

/// One unit and its decoded content.
final class LibDwarfUnit {
  let header: DwarfUnitHeader
  /// Open while the unit is one of those used most recently.
  var handle: LibDwarfHandle?
  /// Nil until an address is looked up in the unit.
  var content: Result<Content, DwarfReadError>?
  /// By scope index: the names and call sites read so far.
  var frames: [Int: Frame] = [:]

  /// The decoded unit.
  struct Content {
    var scopes = ScopeTable()
    /// Nil if the unit has no line table, or one that cannot be read.
    var lines: LineTable?
    var files: LineFileTable?
    /// `DW_AT_language`.
    var language: UInt64?
  }

  /// The properties of a scope that are the same in all answers.
  struct Frame {
    var names: FunctionNames
    /// The call site of an inlined scope.
    var callSite: CallSite?
  }

  struct CallSite {
    let file: UInt32
    let line: UInt32
    let column: UInt32
  }

  init(header: DwarfUnitHeader) { self.header = header }
}
