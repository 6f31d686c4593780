import BinaryInput

/// The units of a `.dwo` file, or of one part of a package.
final class DwarfSplitUnits: Sendable {
  private let file: DwarfFile
  /// By identifier. Of several units with the same identifier, the first counts.
  private let headers: [UInt64: DwarfUnitHeader]
  /// Why the identifier of the first unreadable unit cannot be read.
  private let fault: DwarfReadError?

  /// Throws `missingSection`, and `decodingLimit` if the parts of a package overlap too often.
  init(_ sections: DwarfSections, of image: DwarfFile) throws(DwarfReadError) {
    let limits = image.limits
    guard limits.walks.permitsMore else { throw .decodingLimit(section: .info) }
    limits.walks.add(sections[.info]?.count ?? 0)
    let file = try DwarfFile(
      sections: sections.combined(withSkeletonsOf: image.sections), referencedFiles: nil,
      decodedOnce: image.decodedOnce)
    var headers: [UInt64: DwarfUnitHeader] = [:]
    var fault: DwarfReadError?
    for header in file.unitList.units {
      if header.unitType == DwarfUnitHeader.splitTypeUnit
        || header.unitType == DwarfUnitHeader.typeUnit
      {
        continue
      }
      do throws(DwarfReadError) {
        let identifier =
          if let own = header.dwoIdentifier { own } else {
            try UnitRoot(header, of: file).splitIdentifier
          }
        if let identifier, headers[identifier] == nil { headers[identifier] = header }
      } catch {
        fault = fault ?? error
      }
    }
    self.file = file
    self.headers = headers
    self.fault = fault
  }

  /// The unit that `reference` of `skeleton` refers to.
  ///
  /// Throws `splitUnitNotFound` if no unit has the identifier: the file is from another build.
  func unit(
    _ reference: DwarfSplitUnitReference, of skeleton: DwarfUnit
  ) throws(DwarfReadError) -> DwarfUnit {
    guard let header = headers[reference.identifier] else {
      throw fault ?? .splitUnitNotFound(name: reference.name, identifier: reference.identifier)
    }
    return try DwarfUnit(header, of: file, skeleton: skeleton)
  }
}

extension DwarfSections {
  /// The sections of a split DWARF file, together with those that only the image has: the
  /// addresses, the ranges before DWARF 5, and the code ranges.
  fileprivate func combined(withSkeletonsOf image: DwarfSections) -> DwarfSections {
    DwarfSections(byteOrder: byteOrder, addressSize: addressSize, codeRanges: image.codeRanges) {
      switch $0 {
      case .addresses, .ranges: image[$0]
      default: self[$0]
      }
    }
  }
}
