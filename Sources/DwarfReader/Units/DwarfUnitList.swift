import BinaryInput
import SymbolicationModel

/// The headers of all units of `.debug_info`, in the order in which they stand there.
package struct DwarfUnitList: Sendable {
  /// Ascending by offset and not overlapping. Units with a header that cannot be read are missing.
  package let units: [DwarfUnitHeader]
  /// What was passed over, in the same order; of thousands the first ones.
  package let faults: [DwarfReadError]
  private static let faultLimit = 4096
  /// Where units begin that are missing in `units`; ascending.
  private let unreadableOffsets: [UInt64]

  /// Walks from length field to length field, so that a unit that cannot be read costs that unit;
  /// behind a length that passes the section's end nothing can be found any more.
  ///
  /// Cost: one header is read for each unit.
  package init(_ sections: DwarfSections) {
    var units: [DwarfUnitHeader] = []
    var faults: [DwarfReadError] = []
    var unreadableOffsets: [UInt64] = []
    if var reader = sections[.info]?.reader(byteOrder: sections.byteOrder) {
      while !reader.isAtEnd {
        let offset = UInt64(reader.position)
        do throws(DwarfReadError) {
          let extent = try DwarfUnitExtent(&reader, in: .info)
          do throws(DwarfReadError) {
            units.append(try DwarfUnitHeader(&reader, extent: extent))
          } catch {
            if faults.count < Self.faultLimit { faults.append(error) }
            unreadableOffsets.append(offset)
          }
          guard (try? reader.seek(to: extent.end)) != nil else { break }
        } catch {
          faults.append(error)
          unreadableOffsets.append(offset)
          break
        }
      }
    }
    self.units = units
    self.faults = faults
    self.unreadableOffsets = unreadableOffsets
  }

  /// The units that may hold functions: neither type units nor those without entries.
  var unitsWithDies: [DwarfUnitHeader] {
    units.filter { $0.unitType != DwarfUnitHeader.typeUnit && !$0.isEmpty }
  }

  /// Whether a unit begins at `offset`, readable or not. Cost: two binary searches.
  package func beginsUnit(at offset: UInt64) -> Bool {
    if unit(containing: offset)?.offset == offset { return true }
    let index = unreadableOffsets.partitionPoint { $0 >= offset }
    return index < unreadableOffsets.count && unreadableOffsets[index] == offset
  }

  /// The unit that holds the byte at `offset` of `.debug_info`. Cost: a binary search.
  package func unit(containing offset: UInt64) -> DwarfUnitHeader? {
    let next = units.partitionPoint { $0.offset > offset }
    guard next > 0, offset < units[next - 1].end else { return nil }
    return units[next - 1]
  }
}
