import BinaryInput

/// The undecoded value of one attribute.
struct DwarfValue: Hashable, Sendable {
  /// Never `DW_FORM_indirect`: it is replaced by the actual form.
  let form: UInt16
  /// The number that is stored. For `sdata` and `implicit_const`, its bit pattern; for `string` and
  /// blocks, the offset of the content in the section being read; for `flag_present`, 1.
  let number: UInt64

  init(form: UInt16, number: UInt64) {
    self.form = form
    self.number = number
  }

  /// Reads a value at `cursor`. An unknown form fails the cursor, because the size of its value is
  /// not known.
  ///
  /// - Parameter implicit: the value that the abbreviation holds for `DW_FORM_implicit_const`.
  @inline(__always)
  init(
    _ form: UInt16, _ cursor: inout ByteCursor, in format: DwarfUnitFormat, implicit: Int64 = 0
  ) {
    switch form {
    case DwarfForm.udata, DwarfForm.strx, DwarfForm.addrx, DwarfForm.refUdata:
      self.init(form: form, number: cursor.readUleb128())
    case DwarfForm.data1, DwarfForm.ref1, DwarfForm.strx1, DwarfForm.addrx1, DwarfForm.flag:
      self.init(form: form, number: UInt64(cursor.readUInt8()))
    case DwarfForm.data2, DwarfForm.ref2, DwarfForm.strx2, DwarfForm.addrx2:
      self.init(form: form, number: UInt64(cursor.readUInt16()))
    case DwarfForm.data4, DwarfForm.ref4, DwarfForm.strx4, DwarfForm.addrx4:
      self.init(form: form, number: UInt64(cursor.readUInt32()))
    case DwarfForm.implicitConst:
      self.init(form: form, number: UInt64(bitPattern: implicit))
    case DwarfForm.flagPresent:
      self.init(form: form, number: 1)
    case DwarfForm.addr:
      self.init(form: form, number: cursor.readUnsigned(size: format.addressSize))
    case DwarfForm.secOffset, DwarfForm.strp, DwarfForm.lineStrp:
      self.init(form: form, number: cursor.readUnsigned(size: format.offsetSize))
    case DwarfForm.sdata:
      self.init(form: form, number: UInt64(bitPattern: cursor.readSleb128()))
    default:
      let (value, next) = Self.rare(form, at: cursor, in: format)
      self = value
      if next < 0 { cursor.fail() } else { cursor.seek(to: UInt64(next)) }
    }
  }

  /// Reads a value of a rare form. Returns the position behind it, or −1 if it cannot be read. (The
  /// cursor is passed by value: a function that changed it would keep it out of the caller's
  /// registers.)
  @inline(never)
  private static func rare(
    _ form: UInt16, at cursor: ByteCursor, in format: DwarfUnitFormat
  ) -> (value: DwarfValue, next: Int) {
    var cursor = cursor
    let value = DwarfValue(any: form, &cursor, in: format, mayBeIndirect: true)
    return (value, cursor.hasFailed ? -1 : cursor.position)
  }

  private init(
    any form: UInt16, _ cursor: inout ByteCursor, in format: DwarfUnitFormat,
    mayBeIndirect: Bool
  ) {
    switch DwarfForm.layout(of: form, in: format) {
    case .fixed(16):
      self.init(form: form, number: UInt64(cursor.position))
      cursor.skip(16)
    case .fixed(let size):
      self.init(form: form, number: form == DwarfForm.flagPresent ? 1 : cursor.readNumber(size))
    case .leb128:
      let number =
        form == DwarfForm.sdata
        ? UInt64(bitPattern: cursor.readSleb128()) : cursor.readUleb128()
      self.init(form: form, number: number)
    case .string:
      self.init(form: form, number: UInt64(cursor.position))
      cursor.skipCString()
    case .block(let lengthSize):
      let length = cursor.readUnsigned(size: lengthSize)
      self.init(form: form, number: UInt64(cursor.position))
      cursor.skip(length)
    case .lengthPrefixedBlock:
      let length = cursor.readUleb128()
      self.init(form: form, number: UInt64(cursor.position))
      cursor.skip(length)
    case .indirect where mayBeIndirect:
      // The actual form may be neither indirect nor an implicit constant.
      let actual = UInt16(truncatingIfNeeded: min(cursor.readUleb128(), 0xffff))
      if actual == DwarfForm.implicitConst { cursor.fail() }
      self.init(any: actual, &cursor, in: format, mayBeIndirect: false)
    case .indirect, .unknown:
      cursor.fail()
      self.init(form: form, number: 0)
    }
  }

  /// Whether the number is an address or the index of one, and not a size.
  var isAddress: Bool {
    switch form {
    case DwarfForm.addr, DwarfForm.addrx, DwarfForm.addrx1, DwarfForm.addrx2, DwarfForm.addrx3,
      DwarfForm.addrx4, DwarfForm.gnuAddrIndex:
      true
    default: false
    }
  }
}

extension DwarfValue {
  /// Stands for an attribute that a DIE lacks: no form has the number 0.
  static let absent = DwarfValue(form: 0, number: 0)

  var isPresent: Bool { form != 0 }
}

extension ByteCursor {
  /// Reads a number of 0 to 8 bytes. Sizes of 5 to 7 bytes fail the cursor: no real file has such
  /// addresses.
  fileprivate mutating func readNumber(_ size: Int) -> UInt64 {
    size == 0 ? 0 : readUnsigned(size: size)
  }
}
