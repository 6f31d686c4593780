import CLibDwarf
import DwarfReader
import SymbolicationModel

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

extension LibDwarfReader {
  /// The functions and the line row that `unit` has at `address`; nil if neither covers it.
  func answer(
    at address: LinkAddress, in unit: LibDwarfUnit
  ) throws(DwarfReadError) -> DwarfAnswer? {
    let content = try content(of: unit)
    let row = content.lines?.row(at: address.value)
    let scope = content.scopes.innermostScope(at: address.value)
    guard row != nil || scope != nil else { return nil }
    let location = row.flatMap { row in
      content.files?.path(at: row.file).map {
        SourceLocation(path: $0, line: row.line, column: row.column)
      }
    }
    return DwarfAnswer(
      frames: frames(from: scope, at: address, location: location, in: unit, content),
      row: location, language: content.language)
  }

  /// The decoded unit. The first call decodes it; later ones return or throw the same.
  private func content(of unit: LibDwarfUnit) throws(DwarfReadError) -> LibDwarfUnit.Content {
    if let known = unit.content { return try known.get() }
    let content: Result<LibDwarfUnit.Content, DwarfReadError>
    do throws(DwarfReadError) {
      content = .success(try decode(unit))
    } catch {
      content = .failure(error)
    }
    unit.content = content
    return try content.get()
  }

  private func decode(_ unit: LibDwarfUnit) throws(DwarfReadError) -> LibDwarfUnit.Content {
    var content = LibDwarfUnit.Content()
    let firstDie = unit.header.offset + unit.header.headerSize
    guard let cursor = try cursor(at: firstDie, in: unit) else { return content }
    content.language = try? cursor.unsigned(DW_AT_language)
    // If the line table cannot be read, the functions still can.
    do throws(DwarfReadError) {
      if let result = try cursor.lineTable(sections) {
        content.lines = result.table
        content.files = result.files
        if let fault = result.fault { record(fault) }
      }
    } catch {
      record(error)
    }
    let (scopes, fault) = try cursor.scopes(sections)
    content.scopes = scopes
    if let fault { record(fault) }
    return content
  }
}
