import CLibDwarf
import DwarfReader
import SymbolicationModel

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
