import TestSupport

/// A value of each form, for attributes that a reader has to skip.
struct FormSample: Sendable, CustomStringConvertible {
  let description: String
  let code: UInt64
  /// The first version that has the form.
  let version: UInt16
  var implicit: Int64?
  let write: @Sendable (inout BinaryBuilder, DwarfFormat) -> Void

  private init(
    _ description: String, _ code: UInt64, _ version: UInt16, implicit: Int64? = nil,
    _ write: @escaping @Sendable (inout BinaryBuilder, DwarfFormat) -> Void
  ) {
    self.description = description
    self.code = code
    self.version = version
    self.implicit = implicit
    self.write = write
  }

  /// The value, in an attribute without a meaning.
  var attribute: DieAttribute {
    DieAttribute(Attribute.unknown, form: code, implicit: implicit) { bytes, unit in
      write(&bytes, unit.format)
    }
  }

  /// The same attribute with the form in front of the value (`DW_FORM_indirect`), which is not
  /// allowed for `DW_FORM_implicit_const` (DWARF 5, section 7.5.3).
  var indirect: DieAttribute {
    DieAttribute(Attribute.unknown, form: Form.indirect) { bytes, unit in
      bytes.uleb128(code)
      write(&bytes, unit.format)
    }
  }

  private static func fixed(_ description: String, _ code: UInt64, _ version: UInt16, size: Int)
    -> FormSample
  {
    // Bytes that would be abbreviation codes and strings if the value were not skipped.
    FormSample(description, code, version) { bytes, _ in
      bytes.append([UInt8](repeating: 0x41, count: size))
    }
  }

  private static func offset(_ description: String, _ code: UInt64, _ version: UInt16) -> FormSample
  {
    FormSample(description, code, version) { bytes, format in bytes.offset(0x41, format) }
  }

  private static func leb(_ description: String, _ code: UInt64, _ version: UInt16) -> FormSample {
    FormSample(description, code, version) { bytes, _ in bytes.append([0xc1, 0x80, 0x41]) }
  }

  /// Sizes according to DWARF 5, section 7.5.6, table 7.6; those of GNU forms according to the
  /// DWARF wiki ("Fission", "dwz").
  static let all: [FormSample] = [
    FormSample("addr", 0x01, 2) { bytes, format in bytes.address(0x4142, format) },
    FormSample("block2", 0x03, 2) { bytes, _ in
      bytes.u16(300)
      bytes.append([UInt8](repeating: 0x41, count: 300))
    },
    FormSample("block4", 0x04, 2) { bytes, _ in
      bytes.u32(5)
      bytes.append([1, 2, 3, 4, 5])
    },
    fixed("data2", 0x05, 2, size: 2), fixed("data4", 0x06, 2, size: 4),
    fixed("data8", 0x07, 2, size: 8),
    FormSample("string", 0x08, 2) { bytes, _ in bytes.cString("text") },
    FormSample("empty string", 0x08, 2) { bytes, _ in bytes.cString("") },
    FormSample("block", 0x09, 2) { bytes, _ in
      bytes.uleb128(200)
      bytes.append([UInt8](repeating: 0x41, count: 200))
    },
    FormSample("block1", 0x0a, 2) { bytes, _ in bytes.append([3, 1, 2, 3]) },
    FormSample("empty block1", 0x0a, 2) { bytes, _ in bytes.u8(0) },
    fixed("data1", 0x0b, 2, size: 1), fixed("flag", 0x0c, 2, size: 1),
    FormSample("sdata", 0x0d, 2) { bytes, _ in bytes.append([0xc1, 0x80, 0x7f]) },
    offset("strp", 0x0e, 2), leb("udata", 0x0f, 2),
    FormSample("ref_addr", 0x10, 2) { bytes, format in
      bytes.unsigned(0x41, size: format.version == 2 ? Int(format.addressSize) : format.offsetSize)
    },
    fixed("ref1", 0x11, 2, size: 1), fixed("ref2", 0x12, 2, size: 2),
    fixed("ref4", 0x13, 2, size: 4), fixed("ref8", 0x14, 2, size: 8), leb("ref_udata", 0x15, 2),
    offset("sec_offset", 0x17, 4),
    FormSample("exprloc", 0x18, 4) { bytes, _ in bytes.append([2, 0x41, 0x41]) },
    FormSample("flag_present", 0x19, 4) { _, _ in }, fixed("ref_sig8", 0x20, 4, size: 8),
    leb("strx", 0x1a, 5), leb("addrx", 0x1b, 5), fixed("ref_sup4", 0x1c, 5, size: 4),
    offset("strp_sup", 0x1d, 5), fixed("data16", 0x1e, 5, size: 16),
    offset("line_strp", 0x1f, 5),
    FormSample("implicit_const", 0x21, 5, implicit: -1_234_567) { _, _ in },
    leb("loclistx", 0x22, 5), leb("rnglistx", 0x23, 5), fixed("ref_sup8", 0x24, 5, size: 8),
    fixed("strx1", 0x25, 5, size: 1), fixed("strx2", 0x26, 5, size: 2),
    fixed("strx3", 0x27, 5, size: 3), fixed("strx4", 0x28, 5, size: 4),
    fixed("addrx1", 0x29, 5, size: 1), fixed("addrx2", 0x2a, 5, size: 2),
    fixed("addrx3", 0x2b, 5, size: 3), fixed("addrx4", 0x2c, 5, size: 4),
    leb("GNU_addr_index", 0x1f01, 4), leb("GNU_str_index", 0x1f02, 4),
    offset("GNU_ref_alt", 0x1f20, 4), offset("GNU_strp_alt", 0x1f21, 4),
  ]
}
