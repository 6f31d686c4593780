import BinaryInput

extension AbbreviationTable {
  /// Skips the attributes of a DIE.
  @inline(__always)
  func skip(_ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat) {
    if abbreviation.layout.skip(&cursor) { return }
    for index in abbreviation.skipSteps { skip(steps[Int(index)], &cursor, in: format) }
  }

  /// The position behind the attributes of a DIE with the abbreviation at `index`, whose layout is
  /// `steps`; −1 if they cannot be read. (The cursor is passed by value: a function that changed it
  /// would keep it out of the caller's registers.)
  @inline(never)
  func endOfSteps(_ index: Int, at cursor: ByteCursor, in format: DwarfUnitFormat) -> Int {
    var cursor = cursor
    for step in abbreviations[index].skipSteps { skip(steps[Int(step)], &cursor, in: format) }
    return cursor.hasFailed ? -1 : cursor.position
  }

  /// Reads the attributes of a DIE into `result`. Attributes that it lacks stay as they are there.
  @inline(__always)
  func read(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat,
    into result: inout ScopeAttributes
  ) {
    if abbreviation.readSteps.isEmpty { return skip(abbreviation, &cursor, in: format) }
    for index in abbreviation.readSteps {
      let step = steps[Int(index)]
      switch step.operation {
      case .sibling:
        result.sibling = value(step, &cursor, in: format).number
      case .lowPc: result.codeRange.low = value(step, &cursor, in: format)
      case .highPc: result.codeRange.high = value(step, &cursor, in: format)
      case .ranges: result.codeRange.ranges = value(step, &cursor, in: format)
      case .callFile:
        result.callFile = value(step, &cursor, in: format).number
        result.hasCallFile = true
      case .callLine: result.callLine = value(step, &cursor, in: format).number
      case .callColumn: result.callColumn = value(step, &cursor, in: format).number
      case .origin: result.origin = value(step, &cursor, in: format)
      default: skip(step, &cursor, in: format)
      }
    }
  }

  @inline(__always)
  private func value(
    _ step: AttributeStep, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) -> DwarfValue {
    DwarfValue(step.form, &cursor, in: format, implicit: step.operand)
  }

  @inline(__always)
  private func skip(
    _ step: AttributeStep, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
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

  /// Skips the attributes of a DIE and returns its `DW_AT_sibling`, the offset of the next sibling
  /// from the start of the unit; 0 without one.
  @inline(__always)
  func sibling(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) -> UInt64 {
    if abbreviation.readSteps.isEmpty {
      skip(abbreviation, &cursor, in: format)
      return 0
    }
    var attributes = ScopeAttributes()
    read(abbreviation, &cursor, in: format, into: &attributes)
    return attributes.sibling
  }
}
