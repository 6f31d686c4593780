import BinaryInput

/// Skeleton units, and the split units that hold their entries (DWARF 5, section 7.3.2; before it the
/// GNU extension with the same shape).
extension DwarfUnit {
  /// What finds the split unit; nil where the unit is no skeleton.
  ///
  /// Units of clang modules carry the same attributes and name a module file (`.pcm`), in which no
  /// code is: a skeleton says where the code is, and they have none.
  var splitReference: DwarfSplitUnitReference? {
    guard root.code.low.isPresent || root.code.ranges.isPresent, let value = root.splitName,
      let name = string(value),
      let identifier = header.dwoIdentifier ?? root.splitIdentifier
    else { return nil }
    return DwarfSplitUnitReference(
      name: name, compilationDirectory: root.compilationDirectory.flatMap(string),
      identifier: identifier)
  }
}

extension DwarfUnit {
  /// The unit whose entries are read for this one: its split unit, or itself where it has none or that
  /// cannot be read, which is told to `record`.
  func entriesUnit(record: (DwarfReadError) -> Void) -> DwarfUnit {
    do throws(DwarfReadError) {
      return try file.splitUnit(of: self) ?? self
    } catch {
      record(error)
      return self
    }
  }
}

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
      sections: sections.combined(withSkeletonsOf: image.sections), supplementaryFiles: nil,
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
