import BinaryInput

/// The units of a file of split units, or of one part of a package.
final class DwarfSplitUnits: Sendable {
  private let file: DwarfFile
  /// By identifier: of several with one the first.
  private let headers: [UInt64: DwarfUnitHeader]
  /// Of the first unit whose identifier cannot be read.
  private let fault: DwarfReadError?

  /// Throws `missingSection`, and `decodingLimit` where parts of a package lie in each other.
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

  /// The unit that `reference` names, on behalf of `skeleton`.
  ///
  /// Throws `splitUnitNotFound` where there is no unit with the identifier: the file was made from
  /// another build.
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
  /// The sections of a split unit's file, with those that stand in the image only: addresses, ranges
  /// before DWARF 5, and where the code is.
  fileprivate func combined(withSkeletonsOf image: DwarfSections) -> DwarfSections {
    var regions = regions
    regions[.addresses] = image[.addresses]
    regions[.ranges] = image[.ranges]
    return DwarfSections(
      regions: regions, byteOrder: byteOrder, addressSize: addressSize,
      codeRanges: image.codeRanges)
  }
}
