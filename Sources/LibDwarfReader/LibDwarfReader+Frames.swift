import CLibDwarf
import DwarfReader
import SymbolicationModel

extension LibDwarfReader {
  /// The frames from `scope` outwards, innermost first. `location` is that of the innermost frame.
  func frames(
    from scope: Int?, at address: LinkAddress, location: SourceLocation?, in unit: LibDwarfUnit,
    _ content: LibDwarfUnit.Content
  ) -> [DwarfFrame] {
    var frames: [DwarfFrame] = []
    var scope = scope
    var location = location
    var range = address.value..<(address.value &+ 1)
    while let index = scope {
      let frame = frame(ofScope: index, in: unit, content)
      // An outer scope covers an inner one. If the compiler erred, the range of the inner one is
      // used.
      range = content.scopes.range(ofScope: index, at: address.value) ?? range
      frames.append(
        DwarfFrame(
          linkageName: frame.names.linkageName, name: frame.names.name, location: location,
          range: LinkAddress(range.lowerBound)..<LinkAddress(range.upperBound)))
      location = frame.callSite.flatMap { site in
        content.files?.path(at: site.file).map {
          SourceLocation(path: $0, line: site.line, column: site.column)
        }
      }
      scope = content.scopes.scopes[index].parent
    }
    return frames
  }

  /// The names and the call site of a scope, read once.
  private func frame(
    ofScope index: Int, in unit: LibDwarfUnit, _ content: LibDwarfUnit.Content
  ) -> LibDwarfUnit.Frame {
    if let frame = unit.frames[index] { return frame }
    let scope = content.scopes.scopes[index]
    var frame = LibDwarfUnit.Frame(names: names(at: scope.dieOffset, in: unit))
    if scope.isInlined {
      do throws(DwarfReadError) {
        frame.callSite = try callSite(at: scope.dieOffset, in: unit)
      } catch {
        record(error)
      }
    }
    unit.frames[index] = frame
    return frame
  }

  /// The call site of the inlined call at `offset`. Nil without `DW_AT_call_file`; line 0 without
  /// `DW_AT_call_line`.
  private func callSite(
    at offset: UInt64, in unit: LibDwarfUnit
  ) throws(DwarfReadError) -> LibDwarfUnit.CallSite? {
    guard let cursor = try cursor(at: offset, in: unit),
      let file = try cursor.unsigned(DW_AT_call_file)
    else { return nil }
    return LibDwarfUnit.CallSite(
      file: UInt32(clamping: file),
      line: UInt32(clamping: try cursor.unsigned(DW_AT_call_line) ?? 0),
      column: UInt32(clamping: try cursor.unsigned(DW_AT_call_column) ?? 0))
  }

  /// The names of the function at `offset`. A name that it lacks is that of the DIE it is an
  /// instance of (`DW_AT_abstract_origin`) or completes (`DW_AT_specification`), in any unit.
  private func names(at offset: UInt64, in unit: LibDwarfUnit) -> FunctionNames {
    var names = FunctionNames()
    var next = offset
    var nextUnit = unit
    do throws(DwarfReadError) {
      // Real chains of references have at most three links.
      for _ in 0..<64 {
        guard let holder = try self.unit(containing: next, near: nextUnit),
          let cursor = try cursor(at: next, in: holder)
        else { return names }
        if names.linkageName == nil {
          names.linkageName = try cursor.firstString(DW_AT_linkage_name, DW_AT_MIPS_linkage_name)
        }
        if names.name == nil { names.name = try cursor.string(DW_AT_name) }
        if names.linkageName != nil, names.name != nil { return names }
        guard
          let reference = try cursor.firstReference(DW_AT_abstract_origin, DW_AT_specification)
        else { return names }
        next = reference
        nextUnit = holder
      }
      record(.endlessReferences(offset: offset))
    } catch {
      record(error)
    }
    return names
  }
}
