import DwarfReader
import TestSupport

/// An image with a skeleton unit, and the sections of the split unit that belongs to it.
///
/// The function `f` is at 0x2000 and inlines `inner` at 0x2008; `g` has two ranges, at 0x2040 and
/// 0x2080. The names are indices into the strings of the split file. In front of the skeleton's own
/// addresses and ranges are others, which a reader would use if it ignored the bases.
struct SplitImage {
  let image: DwarfImageBuilder
  let split: DwarfImageBuilder
  let identifier: UInt64

  var reference: DwarfSplitUnitReference {
    DwarfSplitUnitReference(
      name: "a.dwo", compilationDirectory: "/build", identifier: identifier)
  }

  static let version4Formats = DwarfFormat.all(of: 4)
  static let version5Formats = DwarfFormat.all(of: 5)

  /// - Parameters:
  ///   - low: the address of the code, instead of 0x2000.
  ///   - addTo: the image and the package to add the units to.
  init(
    _ format: DwarfFormat, identifier: UInt64 = 0x1122_3344_5566_7788, low: UInt64 = 0x2000,
    suffix: String = "", image: DwarfImageBuilder? = nil
  ) {
    self.image = image ?? DwarfImageBuilder(format)
    self.split = DwarfImageBuilder(format)
    self.identifier = identifier
    var lines = LineProgramBuilder(format, directories: ["/build"])
    lines.sequence(low..<(low + 0x100), line: 5)
    let table = lines.append(to: self.image)
    if format.version >= 5 {
      addSkeleton5(low, table)
      addSplit5(suffix)
    } else {
      addSkeleton4(low, table)
      addSplit4(suffix)
    }
  }

  // MARK: - Version 4, the GNU extension

  private func addSkeleton4(_ low: UInt64, _ table: UInt64) {
    let format = image.format
    for _ in 0..<3 { image[.addresses].address(0xdead, format) }
    let base = UInt64(image[.addresses].count)
    for address in [low, low + 8] { image[.addresses].address(address, format) }
    _ = image.addRanges([(0x9000, 0x9999)])
    let rangesBase = UInt64(image[.ranges].count)
    _ = image.addRanges([(0, 0)])
    _ = image.addRanges([(low + 0x40, low + 0x50), (low + 0x80, low + 0x90)])
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit,
        [
          .lines(table), .directory("/build"), .string(Attribute.gnuDwoName, "a.dwo"),
          .data8(Attribute.gnuDwoIdentifier, identifier),
          .sectionOffset(Attribute.gnuAddressBase, base),
          .sectionOffset(Attribute.gnuRangesBase, rangesBase),
          // Not relative to the base, which is for the split unit.
          .ranges(image.addRanges([(low, low + 0x100)])),
        ])
    }
  }

  private func addSplit4(_ suffix: String) {
    let format = split.format
    let names = ["unit", "f", "inner", "g"].map { split.add($0 + suffix, to: .strings) }
    // Without a header.
    names.forEach { split[.stringOffsets].offset($0, format) }
    split.addUnit { unit in
      func name(_ index: UInt64) -> DieAttribute {
        .uleb128(Attribute.name, form: Form.gnuStrIndex, index)
      }
      func low(_ index: UInt64) -> DieAttribute {
        .uleb128(Attribute.lowPc, form: Form.gnuAddrIndex, index)
      }
      unit.die(
        Tag.compileUnit, [name(0), .data8(Attribute.gnuDwoIdentifier, identifier)]
      ) { unit in
        let inner = unit.die(Tag.subprogram, [name(2), .data1(Attribute.inline, 1)])
        unit.die(Tag.subprogram, [name(1), low(0), .length(0x20)]) {
          $0.die(
            Tag.inlined,
            [
              .origin(inner), low(1), .length(8), .data1(Attribute.callFile, 1),
              .data1(Attribute.callLine, 33),
            ])
        }
        // Behind the empty list at the base.
        unit.die(Tag.subprogram, [name(3), .ranges(UInt64(4 * format.addressSize))])
      }
    }
  }

  // MARK: - Version 5

  private func identifierHeader(_ format: DwarfFormat) -> [UInt8] {
    var header = format.bytes
    header.u64(identifier)
    return header.bytes
  }

  private func addSkeleton5(_ low: UInt64, _ table: UInt64) {
    let format = image.format
    _ = image.addAddresses([0xdead, 0xdead])
    let base = image.addAddresses([low, low + 8, low + 0x40])
    image.addUnit(type: UnitType.skeleton, header: identifierHeader(format)) { unit in
      unit.die(
        Tag.skeletonUnit,
        [
          .lines(table), .directory("/build"), .string(Attribute.dwoName, "a.dwo"),
          .sectionOffset(Attribute.addressBase, base),
          .addressIndex(Attribute.lowPc, 0), .length(0x100),
        ])
    }
  }

  private func addSplit5(_ suffix: String) {
    let format = split.format
    _ = split.addStringOffsets(["unit", "f", "inner", "g"].map { $0 + suffix })
    split.addRangeLists([
      { $0.u8(0) },
      // startx_length 2, 0x10, and offset_pair from the skeleton's low_pc.
      { $0.append([0x03, 2, 0x10, 0x04, 0x80, 0x01, 0x90, 0x01, 0]) },
    ])
    split.addUnit(type: UnitType.splitCompile, header: identifierHeader(format)) { unit in
      func name(_ index: UInt8) -> DieAttribute {
        .raw(Attribute.name, form: Form.strx1, [index])
      }
      unit.die(Tag.compileUnit, [name(0)]) { unit in
        let inner = unit.die(Tag.subprogram, [name(2), .data1(Attribute.inline, 1)])
        unit.die(
          Tag.subprogram, [name(1), .addressIndex(Attribute.lowPc, 0), .length(0x20)]
        ) {
          $0.die(
            Tag.inlined,
            [
              .origin(inner), .addressIndex(Attribute.lowPc, 1), .length(8),
              .data1(Attribute.callFile, 1), .implicitConstant(Attribute.callLine, 33),
            ])
        }
        unit.die(
          Tag.subprogram, [name(3), .uleb128(Attribute.ranges, form: Form.rnglistx, 1)])
      }
    }
  }
}
