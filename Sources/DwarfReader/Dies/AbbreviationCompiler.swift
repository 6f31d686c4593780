import BinaryInput

/// Compiles the declarations of an abbreviation table into steps.
struct AbbreviationCompiler {
  let format: DwarfUnitFormat
  var abbreviations: [Abbreviation] = []
  var layouts: [DieLayout] = []
  var attributes: [AttributeSpecification] = []
  var steps: [AttributeStep] = []
  var codes: [UInt64] = []
  var isDense = true
  /// The values of `DW_FORM_implicit_const` in the current declaration, by index of the attribute.
  private var implicits: [(attribute: Int, value: Int64)] = []

  init(format: DwarfUnitFormat) {
    self.format = format
    // Enough for the tables of most units. Pages that are not written cost nothing.
    abbreviations.reserveCapacity(256)
    layouts.reserveCapacity(256)
    attributes.reserveCapacity(1024)
    steps.reserveCapacity(512)
    codes.reserveCapacity(256)
  }

  /// Compiles one declaration. The cursor must stand behind its code.
  mutating func compile(code: UInt64, _ cursor: inout ByteCursor) {
    let tag = cursor.readUleb128()
    let hasChildren = cursor.readUInt8() != 0
    let start = attributes.count
    if !implicits.isEmpty { implicits.removeAll(keepingCapacity: true) }
    let role = DieRole(tag: tag)
    var layout = DieLayout(role: role, hasChildren: hasChildren)
    var hasName = false
    var hasWanted = false
    while true {
      if attributes.count - start == Abbreviation.attributeLimit { cursor.fail() }
      let name = cursor.readUleb128()
      let form = cursor.readUleb128()
      if name == 0, form == 0 { break }
      if form == UInt64(DwarfForm.implicitConst) {
        implicits.append((attributes.count, cursor.readSleb128()))
      }
      // A name or form of more than 16 bits is unknown. 0xffff stands for it, and is not in use.
      let attribute = AttributeSpecification(
        name: UInt16(exactly: name) ?? 0xffff, form: UInt16(exactly: form) ?? 0xffff)
      attributes.append(attribute)
      layout.add(attribute, in: format)
      if Self.isName(attribute.name) { hasName = true }
      if Self.operation(for: attribute.name, role, hasChildren: hasChildren) != nil {
        hasWanted = true
      }
    }
    guard !cursor.hasFailed else { return }
    let declared = start..<attributes.count
    let end = Int32(clamping: steps.count)
    var skipSteps = end..<end
    if layout.shape == .steps { skipSteps = compileSteps(declared) { _ in nil } }
    var readSteps = skipSteps.upperBound..<skipSteps.upperBound
    if hasWanted {
      readSteps = compileSteps(declared) {
        Self.operation(for: $0, role, hasChildren: hasChildren)
      }
    }
    layouts.append(layout)
    abbreviations.append(
      Abbreviation(
        layout: layout, hasName: hasName, skipSteps: skipSteps, readSteps: readSteps,
        attributes: Int32(clamping: start)..<Int32(clamping: attributes.count)))
    codes.append(code)
    if code != UInt64(abbreviations.count) { isDense = false }
  }

  private static func isName(_ attribute: UInt16) -> Bool {
    attribute == DwarfAttribute.name || attribute == DwarfAttribute.linkageName
      || attribute == DwarfAttribute.mipsLinkageName
  }

  /// What `AbbreviationTable.read` does with an attribute; nil if it skips it.
  private static func operation(
    for name: UInt16, _ role: DieRole, hasChildren: Bool
  ) -> AttributeStep.Operation? {
    switch role {
    case .function, .inlinedCall:
      switch name {
      case DwarfAttribute.lowPc: .lowPc
      case DwarfAttribute.highPc: .highPc
      case DwarfAttribute.ranges: .ranges
      case DwarfAttribute.sibling: .sibling
      case DwarfAttribute.callFile: .callFile
      case DwarfAttribute.callLine: .callLine
      case DwarfAttribute.callColumn: .callColumn
      case DwarfAttribute.abstractOrigin: .origin
      default: nil
      }
    case .block, .container, .type, .other:
      hasChildren && name == DwarfAttribute.sibling ? .sibling : nil
    }
  }

  /// Appends the steps for the attributes `declared`, those that `wanted` has an operation for
  /// being read and all others skipped. Consecutive attributes of fixed size are skipped in one
  /// step.
  private mutating func compileSteps(
    _ declared: Range<Int>, _ wanted: (UInt16) -> AttributeStep.Operation?
  ) -> Range<Int32> {
    let start = steps.count
    var pendingBytes = 0
    // A DIE has each attribute at most once (section 2.2). If one is declared twice, the first is
    // read.
    var seen: UInt32 = 0
    for index in declared {
      let attribute = attributes[index]
      let layout = DwarfForm.layout(of: attribute.form, in: format)
      if let operation = wanted(attribute.name), seen & 1 << operation.rawValue == 0 {
        seen |= 1 << operation.rawValue
        flush(&pendingBytes)
        steps.append(
          AttributeStep(
            operation: operation, form: attribute.form,
            operand: implicits.first { $0.attribute == index }?.value ?? 0))
        continue
      }
      if case .fixed(let size) = layout {
        pendingBytes += size
        continue
      }
      flush(&pendingBytes)
      steps.append(Self.skipStep(layout, form: attribute.form))
    }
    flush(&pendingBytes)
    return Int32(clamping: start)..<Int32(clamping: steps.count)
  }

  private mutating func flush(_ pendingBytes: inout Int) {
    if pendingBytes > 0 {
      steps.append(AttributeStep(operation: .skipBytes, form: 0, operand: Int64(pendingBytes)))
    }
    pendingBytes = 0
  }

  private static func skipStep(_ layout: DwarfForm.Layout, form: UInt16) -> AttributeStep {
    switch layout {
    case .fixed(let size): AttributeStep(operation: .skipBytes, form: form, operand: Int64(size))
    case .leb128: AttributeStep(operation: .skipLeb128, form: form, operand: 0)
    case .string: AttributeStep(operation: .skipString, form: form, operand: 0)
    case .block(let lengthSize):
      AttributeStep(operation: .skipSizedBlock, form: form, operand: Int64(lengthSize))
    case .lengthPrefixedBlock:
      AttributeStep(operation: .skipLengthPrefixedBlock, form: form, operand: 0)
    case .indirect: AttributeStep(operation: .skipIndirect, form: form, operand: 0)
    case .unknown: AttributeStep(operation: .fail, form: form, operand: 0)
    }
  }
}
