import DwarfReader
import TestSupport

/// One attribute of a DIE to build.
struct DieAttribute {
  let name: UInt64
  let form: (DwarfFormat) -> UInt64
  /// The value of `DW_FORM_implicit_const`, which is stored in the abbreviation.
  let implicit: Int64?
  let value: (inout BinaryBuilder, UnitBuilder) -> Void

  init(
    _ name: UInt64, form: @escaping (DwarfFormat) -> UInt64, implicit: Int64? = nil,
    _ value: @escaping (inout BinaryBuilder, UnitBuilder) -> Void
  ) {
    self.name = name
    self.form = form
    self.implicit = implicit
    self.value = value
  }

  init(
    _ name: UInt64, form: UInt64, implicit: Int64? = nil,
    _ value: @escaping (inout BinaryBuilder, UnitBuilder) -> Void
  ) {
    self.init(name, form: { _ in form }, implicit: implicit, value)
  }
}

// MARK: - Forms

extension DieAttribute {
  /// A form with these bytes as its value.
  static func raw(_ name: UInt64, form: UInt64, _ bytes: [UInt8]) -> Self {
    Self(name, form: form) { content, _ in content.append(bytes) }
  }
  /// A number of `size` bytes, in a form of that size.
  static func fixed(_ name: UInt64, form: UInt64, _ number: UInt64, size: Int) -> Self {
    Self(name, form: form) { bytes, _ in bytes.unsigned(number, size: size) }
  }
  static func uleb128(_ name: UInt64, form: UInt64, _ number: UInt64) -> Self {
    Self(name, form: form) { bytes, _ in bytes.uleb128(number) }
  }
  static func string(_ name: UInt64, _ text: String) -> Self {
    Self(name, form: Form.string) { bytes, _ in bytes.cString(text) }
  }
  /// `DW_FORM_strp`: the text in `.debug_str`.
  static func stringPointer(_ name: UInt64, _ text: String) -> Self {
    Self(name, form: Form.strp) { bytes, unit in
      bytes.offset(unit.image.add(text, to: .strings), unit.format)
    }
  }
  static func address(_ name: UInt64, _ address: UInt64) -> Self {
    Self(name, form: Form.addr) { bytes, unit in bytes.address(address, unit.format) }
  }
  static func data1(_ name: UInt64, _ number: UInt8) -> Self {
    fixed(name, form: Form.data1, UInt64(number), size: 1)
  }
  static func data4(_ name: UInt64, _ number: UInt32) -> Self {
    fixed(name, form: Form.data4, UInt64(number), size: 4)
  }
  static func data8(_ name: UInt64, _ number: UInt64) -> Self {
    fixed(name, form: Form.data8, number, size: 8)
  }
  static func implicitConstant(_ name: UInt64, _ number: Int64) -> Self {
    Self(name, form: Form.implicitConst, implicit: number) { _, _ in }
  }
  static func flag(_ name: UInt64) -> Self {
    Self(name, form: { $0.version >= 4 ? Form.flagPresent : 0x0c }) { bytes, unit in
      if unit.format.version < 4 { bytes.u8(1) }
    }
  }
  /// An offset in another section: `DW_FORM_sec_offset` since DWARF 4, a plain number before.
  static func sectionOffset(_ name: UInt64, _ offset: UInt64) -> Self {
    Self(
      name,
      form: { $0.version >= 4 ? Form.secOffset : $0.is64Bit ? Form.data8 : Form.data4 }
    ) { bytes, unit in bytes.offset(offset, unit.format) }
  }
  /// `DW_FORM_ref4`: refers to the DIE at `offset` of the same unit.
  static func reference(_ name: UInt64, _ offset: Int) -> Self {
    fixed(name, form: Form.ref4, UInt64(offset), size: 4)
  }
  /// `DW_FORM_ref_addr`: refers to the DIE at `offset` of `.debug_info`. In DWARF 2, it has the
  /// size of an address (DWARF 3, section 7.5.4).
  static func sectionReference(_ name: UInt64, _ offset: Int) -> Self {
    Self(name, form: Form.refAddr) { bytes, unit in
      let size = unit.format.version == 2 ? Int(unit.format.addressSize) : unit.format.offsetSize
      bytes.unsigned(UInt64(offset), size: size)
    }
  }
  /// A form whose value is an offset in another section, or another file.
  static func offset(_ name: UInt64, form: UInt64, _ offset: UInt64) -> Self {
    Self(name, form: form) { bytes, unit in bytes.offset(offset, unit.format) }
  }
}

// MARK: - Attributes

extension DieAttribute {
  static func name(_ text: String) -> Self { string(Attribute.name, text) }
  static func linkageName(_ text: String) -> Self { string(Attribute.linkageName, text) }
  static func lowPc(_ address: UInt64) -> Self { Self.address(Attribute.lowPc, address) }
  /// `DW_AT_high_pc` as a length (since DWARF 4).
  static func length(_ length: UInt32) -> Self { data4(Attribute.highPc, length) }
  /// `DW_AT_high_pc` for code that begins at `low`: an address before DWARF 4, a length since.
  static func highPc(_ high: UInt64, from low: UInt64) -> Self {
    Self(Attribute.highPc, form: { $0.version >= 4 ? Form.data4 : Form.addr }) { bytes, unit in
      if unit.format.version >= 4 {
        bytes.u32(UInt32(truncatingIfNeeded: high &- low))
      } else {
        bytes.address(high, unit.format)
      }
    }
  }
  static func lines(_ offset: UInt64) -> Self { sectionOffset(Attribute.statementList, offset) }
  static func directory(_ text: String) -> Self { string(Attribute.compilationDirectory, text) }
  static func origin(_ offset: Int) -> Self { reference(Attribute.abstractOrigin, offset) }
  static func ranges(_ offset: UInt64) -> Self { sectionOffset(Attribute.ranges, offset) }
  static func addressIndex(_ name: UInt64, _ index: UInt64) -> Self {
    uleb128(name, form: Form.addrx, index)
  }
}
