import BinaryInput

/// Whether the DWARF of an image has anything to say: units, and rows that lead from code to lines.
package struct DwarfContents: Hashable, Sendable {
  /// Whether there is a unit with a DIE.
  package private(set) var hasUnits = false
  /// Whether a unit has a row for code of the image.
  package private(set) var hasLineRows = false
  /// The first thing that could not be read before a row was found.
  package private(set) var fault: DwarfReadError?

  /// Walks over the units until one has rows.
  ///
  /// Cost: normally that of the first unit of the file, however large the file is; if no unit has
  /// rows, the line programs of all units are run.
  package init(_ sections: DwarfSections) {
    let file: DwarfFile
    do throws(DwarfReadError) {
      file = try DwarfFile(imageSections: sections, referencedFiles: nil)
    } catch {
      fault = error
      return
    }
    var reader = file.info.reader(byteOrder: sections.byteOrder)
    while !reader.isAtEnd, !hasLineRows {
      let extent: DwarfUnitExtent
      do throws(DwarfReadError) {
        extent = try DwarfUnitExtent(&reader, in: .info)
      } catch {
        keep(error)
        return
      }
      do throws(DwarfReadError) {
        let header = try DwarfUnitHeader(&reader, extent: extent)
        if !header.isEmpty {
          hasUnits = true
          let lines = try LineProgram.run(for: DwarfUnit(header, of: file))
          if let lines {
            hasLineRows = !lines.table.sequences.isEmpty
            if let fault = lines.fault { keep(fault) }
          }
        }
      } catch {
        keep(error)
      }
      guard (try? reader.seek(to: extent.end)) != nil else { return }
    }
  }

  private mutating func keep(_ error: DwarfReadError) {
    if fault == nil { fault = error }
  }
}
