import BinaryInput

/// What an entry says of its code, as it is written.
struct EntryCode: Sendable {
  var low = DwarfValue.absent
  var high = DwarfValue.absent
  var ranges = DwarfValue.absent
}

/// What is read of a function or an inlined call while a unit is walked.
struct CodeEntry {
  var code = EntryCode()
  /// `DW_AT_sibling`, from the start of the unit; 0 without it.
  var sibling: UInt64 = 0
  var callFile: UInt64 = 0
  var callLine: UInt64 = 0
  var callColumn: UInt64 = 0
  var hasCallFile = false
  /// `DW_AT_abstract_origin`.
  var origin = DwarfValue.absent
}

extension DwarfValue {
  /// Stands for an attribute that is not there: no form has the number 0.
  static let absent = DwarfValue(form: 0, number: 0)

  var isPresent: Bool { form != 0 }
}

extension AbbreviationTable {
  /// Passes over the attributes of an entry.
  @inline(__always)
  func skip(_ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat) {
    if abbreviation.fixedSize >= 0 {
      cursor.skip(Int(abbreviation.fixedSize))
    } else {
      for index in abbreviation.skipSteps { pass(steps[Int(index)], &cursor, in: format) }
    }
  }

  /// Reads the attributes of an entry that concern code; what is left out stays as it is in `entry`.
  @inline(__always)
  func read(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat,
    into entry: inout CodeEntry
  ) {
    if abbreviation.readSteps.isEmpty { return skip(abbreviation, &cursor, in: format) }
    for index in abbreviation.readSteps {
      let step = steps[Int(index)]
      switch step.operation {
      case .sibling:
        entry.sibling = value(step, &cursor, in: format).number
      case .lowPc: entry.code.low = value(step, &cursor, in: format)
      case .highPc: entry.code.high = value(step, &cursor, in: format)
      case .ranges: entry.code.ranges = value(step, &cursor, in: format)
      case .callFile:
        entry.callFile = value(step, &cursor, in: format).number
        entry.hasCallFile = true
      case .callLine: entry.callLine = value(step, &cursor, in: format).number
      case .callColumn: entry.callColumn = value(step, &cursor, in: format).number
      case .origin: entry.origin = value(step, &cursor, in: format)
      default: pass(step, &cursor, in: format)
      }
    }
  }

  @inline(__always)
  private func value(
    _ step: EntryStep, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) -> DwarfValue {
    DwarfValue(step.form, &cursor, in: format, implicit: step.operand)
  }

  @inline(__always)
  private func pass(
    _ step: EntryStep, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) {
    switch step.operation {
    case .skipBytes: cursor.skip(Int(step.operand))
    case .skipLeb128: cursor.skipLeb128()
    case .skipString: cursor.skipCString()
    case .skipSizedBlock:
      let length = cursor.readUnsigned(size: Int(step.operand))
      cursor.skip(length)
    case .skipLengthPrefixedBlock:
      let length = cursor.readUleb128()
      cursor.skip(length)
    case .skipIndirect: _ = DwarfValue(DwarfForm.indirect, &cursor, in: format)
    default: cursor.fail()
    }
  }

  /// Where the entry says that its next sibling stands, for one whose subtree is of no interest; 0
  /// where it does not say. `cursor` has passed the attributes then.
  @inline(__always)
  func sibling(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) -> UInt64 {
    if abbreviation.readSteps.isEmpty {
      skip(abbreviation, &cursor, in: format)
      return 0
    }
    var entry = CodeEntry()
    read(abbreviation, &cursor, in: format, into: &entry)
    return entry.sibling
  }
}
