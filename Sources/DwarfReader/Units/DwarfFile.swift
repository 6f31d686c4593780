import BinaryInput
import SymbolicationModel
import Synchronization

/// The DWARF of one file, with everything that its units share. Several threads may use it.
final class DwarfFile: Sendable {
  let sections: DwarfSections
  let byteOrder: ByteOrder
  let info: ByteRegion
  let abbreviationSection: ByteRegion
  let strings: ByteRegion?
  let lineStrings: ByteRegion?
  let stringOffsets: ByteRegion?
  let addresses: ByteRegion?
  let ranges: ByteRegion?
  let rangeLists: ByteRegion?
  private let onlyCodeRange: Range<UInt64>?
  /// Shared with the files that this one refers to.
  let decodedOnce: DwarfDecodedOnce
  private let referencedFiles: (any DwarfReferencedFiles)?
  private let state = Mutex(State())

  private struct State {
    var unitList: DwarfUnitList?
    /// By the offset of the unit. (A unit refers to its file, so the file must not refer to units.)
    var roots: [UInt64: Result<(DwarfUnitHeader, UnitRoot), DwarfReadError>] = [:]
    var supplementary: Result<DwarfFile, DwarfReadError>??
    /// The units of `.dwo` files, by the address of their `.debug_info` in memory.
    var splitFiles: [UInt: Result<DwarfSplitUnits, DwarfReadError>] = [:]
    /// The packages that were counted in `limits`, by the address of their unit index in memory.
    var packages: Set<UInt> = []
  }

  /// The DWARF of an image. The files that it refers to will share its `decodedOnce`. Reads
  /// nothing.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`.
  convenience init(
    imageSections sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)?
  ) throws(DwarfReadError) {
    let decodedOnce = DwarfDecodedOnce()
    decodedOnce.limits.add(sections)
    try self.init(
      sections: sections, referencedFiles: referencedFiles, decodedOnce: decodedOnce)
  }

  /// The DWARF of an image, or of a file that an image refers to. Reads nothing.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`.
  init(
    sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)?,
    decodedOnce: DwarfDecodedOnce
  ) throws(DwarfReadError) {
    guard let info = sections[.info] else { throw .missingSection(.info) }
    guard let abbreviations = sections[.abbreviations] else {
      throw .missingSection(.abbreviations)
    }
    self.sections = sections
    self.byteOrder = sections.byteOrder
    self.info = info
    self.abbreviationSection = abbreviations
    self.strings = sections[.strings]
    self.lineStrings = sections[.lineStrings]
    self.stringOffsets = sections[.stringOffsets]
    self.addresses = sections[.addresses]
    self.ranges = sections[.ranges]
    self.rangeLists = sections[.rangeLists]
    let codeRanges = sections.codeRanges
    self.onlyCodeRange =
      codeRanges.count == 1
      ? codeRanges[0].lowerBound.value..<codeRanges[0].upperBound.value : nil
    self.referencedFiles = referencedFiles
    self.decodedOnce = decodedOnce
  }

  var limits: DecodingLimits { decodedOnce.limits }

  /// Whether the image has code at `address`.
  @inline(__always)
  func isCode(_ address: UInt64) -> Bool {
    // Most images have one code range.
    if let only = onlyCodeRange { return only.contains(address) }
    return sections.isCode(LinkAddress(address))
  }

  /// The headers of all units, read at the first call.
  var unitList: DwarfUnitList {
    if let list = state.withLock({ $0.unitList }) { return list }
    return readUnitList { _, _ in }
  }

  /// Reads the headers of all units. For `visit`, see `DwarfUnitList`.
  @discardableResult
  func readUnitList(visit: (DwarfUnitHeader, DwarfUnitStart?) -> Void) -> DwarfUnitList {
    let list = DwarfUnitList(sections, visit: visit)
    state.withLock { $0.unitList = list }
    return list
  }

  /// The unit that should begin at `offset`. It is read once; later calls return or throw the same.
  func unit(at offset: UInt64) throws(DwarfReadError) -> DwarfUnit {
    if let known = state.withLock({ $0.roots[offset] }) {
      let (header, root) = try known.get()
      return DwarfUnit(header, root, of: self)
    }
    let read: Result<(DwarfUnitHeader, UnitRoot), DwarfReadError>
    do throws(DwarfReadError) {
      let header = try DwarfUnitHeader.read(at: offset, of: sections)
      read = .success((header, try UnitRoot(header, of: self)))
    } catch {
      read = .failure(error)
    }
    state.withLock { $0.roots[offset] = read }
    let (header, root) = try read.get()
    return DwarfUnit(header, root, of: self)
  }

  /// How many bytes have to be read of the unit that should begin at `offset`, as far as its length
  /// tells; 0 if none can begin there.
  func workload(ofUnitAt offset: UInt64) -> Int {
    guard var reader = sections[.info]?.reader(byteOrder: byteOrder),
      (try? reader.seek(to: offset)) != nil,
      let extent = try? DwarfUnitExtent(&reader, in: .info)
    else { return 0 }
    let size = Int(clamping: extent.end - extent.offset)
    return size < Self.skeletonSize ? Self.splitUnitSize : size
  }

  /// A smaller unit is probably a skeleton: its functions are in another file, which is not opened
  /// to see how large they are.
  private static let skeletonSize = 512
  private static let splitUnitSize = 1 << 18

  /// The unit that contains the DIE at `offset`; nil if there is none.
  func unit(containing offset: UInt64) throws(DwarfReadError) -> DwarfUnit? {
    guard let header = unitList.unit(containing: offset) else { return nil }
    return try unit(at: header.offset)
  }

  /// The supplementary file, to which dwz moved what several files share; nil if it is not found.
  func supplementary() throws(DwarfReadError) -> DwarfFile? {
    if let known = state.withLock({ $0.supplementary }) { return try known?.get() }
    var file: Result<DwarfFile, DwarfReadError>?
    if let sections = referencedFiles?.supplementarySections() {
      do throws(DwarfReadError) {
        limits.add(sections)
        file = .success(
          try DwarfFile(sections: sections, referencedFiles: nil, decodedOnce: decodedOnce))
      } catch {
        file = .failure(error)
      }
    }
    state.withLock { [file] in $0.supplementary = .some(file) }
    return try file?.get()
  }

  /// The split unit of the skeleton `unit`; nil if `unit` is not a skeleton, or the file of its
  /// split unit is not found.
  func splitUnit(of unit: DwarfUnit) throws(DwarfReadError) -> DwarfUnit? {
    guard let reference = unit.splitReference, let referencedFiles,
      let splitFile = referencedFiles.splitFile(for: reference)
    else { return nil }
    do throws(DwarfReadError) {
      return try splitUnits(in: splitFile, for: reference).unit(reference, of: unit)
    } catch {
      guard splitFile.sections[.unitIndex] != nil,
        let ownFile = referencedFiles.splitFileBesidePackage(for: reference),
        let split = try? splitUnits(in: ownFile, for: reference).unit(reference, of: unit)
      else { throw error }
      return split
    }
  }

  /// The units of `splitFile`; in a package, only those of the part that belongs to `reference`.
  ///
  /// Cost: reads the first DIE of each of these units. For a `.dwo` file, which several skeletons
  /// may share, this happens only once.
  private func splitUnits(
    in splitFile: DwarfSplitFile, for reference: DwarfSplitUnitReference
  ) throws(DwarfReadError) -> DwarfSplitUnits {
    if let index = splitFile.sections[.unitIndex] {
      if state.withLock({ $0.packages.insert(index.memoryAddress).inserted }) {
        limits.add(splitFile.sections)
      }
      let part = try DwarfPackageIndex.sections(
        of: splitFile.sections, forUnit: reference.identifier)
      return try DwarfSplitUnits(part, of: self)
    }
    let key = splitFile.sections[.info]?.memoryAddress ?? 0
    if let known = state.withLock({ $0.splitFiles[key] }) { return try known.get() }
    limits.add(splitFile.sections)
    let units: Result<DwarfSplitUnits, DwarfReadError>
    do throws(DwarfReadError) {
      units = .success(try DwarfSplitUnits(splitFile.sections, of: self))
    } catch {
      units = .failure(error)
    }
    state.withLock { [units] in $0.splitFiles[key] = units }
    return try units.get()
  }
}
