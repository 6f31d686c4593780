import BinaryInput
import SymbolicationModel

/// The headers of all units of `.debug_info`.
package struct DwarfUnitList: Sendable {
  /// Ascending by offset and not overlapping. Units whose headers cannot be read are missing.
  package let units: [DwarfUnitHeader]
  /// Why the missing units cannot be read, in ascending order of offset; of thousands, the first
  /// ones.
  package let faults: [DwarfReadError]
  private static let faultLimit = 4096
  /// The offsets of the units that are missing in `units`, ascending.
  private let unreadableOffsets: [UInt64]

  /// Walks from length field to length field, so that only an unreadable unit itself is missing.
  /// The walk ends at a length that extends past the end of the section: no unit behind it can be
  /// found.
  ///
  /// Cost: reads the header of each unit.
  package init(_ sections: DwarfSections) { self.init(sections) { _, _ in } }

  /// - Parameter visit: called with each header, and with the start of the unit if that was read
  ///   without touching the mapping.
  init(_ sections: DwarfSections, visit: (DwarfUnitHeader, DwarfUnitStart?) -> Void) {
    var units: [DwarfUnitHeader] = []
    var faults: [DwarfReadError] = []
    var unreadableOffsets: [UInt64] = []
    if let info = sections[.info] {
      var reader = info.reader(byteOrder: sections.byteOrder)
      let scattered = DwarfUnitStart.reader(of: info)
      while !reader.isAtEnd {
        let offset = UInt64(reader.position)
        if UInt64(units.count + unreadableOffsets.count) >= sections.unitLimit {
          faults.append(.unitLimit(sections.unitLimit, offset: offset))
          break
        }
        if let scattered,
          let start = DwarfUnitStart(at: offset, of: info, sections.byteOrder, scattered),
          (try? reader.seek(to: start.header.end)) != nil
        {
          units.append(start.header)
          visit(start.header, start)
          continue
        }
        do throws(DwarfReadError) {
          let extent = try DwarfUnitExtent(&reader, in: .info)
          do throws(DwarfReadError) {
            let header = try DwarfUnitHeader(&reader, extent: extent)
            units.append(header)
            visit(header, nil)
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

  /// The units that may contain functions: all except type units and units without DIEs.
  var unitsWithDies: [DwarfUnitHeader] {
    units.filter { $0.unitType != DwarfUnitHeader.typeUnit && !$0.isEmpty }
  }

  /// Whether a unit begins at `offset`, even one that cannot be read. Cost: two binary searches.
  package func beginsUnit(at offset: UInt64) -> Bool {
    if unit(containing: offset)?.offset == offset { return true }
    let index = unreadableOffsets.partitionPoint { $0 >= offset }
    return index < unreadableOffsets.count && unreadableOffsets[index] == offset
  }

  /// The unit that contains the byte at `offset` of `.debug_info`; nil if none of `units` does.
  /// Cost: a binary search.
  package func unit(containing offset: UInt64) -> DwarfUnitHeader? {
    let next = units.partitionPoint { $0.offset > offset }
    guard next > 0, offset < units[next - 1].end else { return nil }
    return units[next - 1]
  }
}

/// The first bytes of units that are scattered over a large `.debug_info`, read without touching
/// the mapping of the file: 2,000 units of a kernel would load 200 MB of pages.
///
/// It only reads what is plainly sound. Everything else is left to the reader of the mapping, which
/// finds what is wrong.
struct DwarfUnitStart {
  let header: DwarfUnitHeader
  /// The bytes of the unit from its header on: all, or the first `size`.
  private let bytes: ByteRegion

  /// Enough for a header and the first DIE of most units.
  private static let size = 256
  /// Of a smaller section, all pages are loaded by reading a few units.
  private static let scatteredSize = 8 << 20

  /// A reader of the units of `info`; nil if the mapping is as good.
  static func reader(of info: ByteRegion) -> ScatteredReader? {
    info.count < scatteredSize ? nil : ScatteredReader(info)
  }

  /// The start of the unit at `offset` of `info`. Nil if it should be read from the mapping.
  init?(
    at offset: UInt64, of info: ByteRegion, _ byteOrder: ByteOrder, _ reader: ScatteredReader
  ) {
    guard let bytes = reader.part(at: offset, count: Self.size) else { return nil }
    var start = bytes.reader(byteOrder: byteOrder)
    guard let length = try? start.read(UInt32.self), length < 0xffff_fff0,
      UInt64(length) + 4 <= UInt64(info.count) - offset,
      let header = try? DwarfUnitHeader(&start, extent: DwarfUnitExtent(ofRegionWith: length))
    else { return nil }
    self.header = header.moved(to: offset)
    self.bytes = bytes
  }

  /// The unit of `file`, with the attributes of its first DIE. Nil if it should be read from the
  /// mapping.
  func unit(of file: DwarfFile) -> DwarfUnit? {
    guard bytes.count > Int(header.headerSize) || header.isEmpty else { return nil }
    let die = bytes.cursor(
      at: header.headerSize, end: min(header.size, UInt64(bytes.count)), byteOrder: file.byteOrder)
    guard let root = try? UnitRoot(header, of: file, die: die), !root.holdsText else { return nil }
    return DwarfUnit(header, root, of: file)
  }
}
