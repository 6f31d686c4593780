import BinaryInput
import SymbolicationModel

/// One table of `.debug_abbrev`, compiled for units of one format.
final class AbbreviationTable: Sendable {
  /// In the order of the table.
  let abbreviations: [Abbreviation]
  let attributes: [AttributeSpecification]
  let steps: [EntryStep]
  /// Whether the codes count from 1 without a gap, as all known compilers write them.
  let isDense: Bool
  /// Codes and places in `abbreviations`, ascending by code; empty where `isDense`.
  private let places: [(code: UInt64, index: Int32)]
  /// In `.debug_abbrev`, in bytes.
  let size: Int

  /// The table at `offset` of `section`; of one that ends before its end mark, the abbreviations in front.
  /// Cost: a walk over that table.
  init(
    _ section: ByteRegion, at offset: UInt64, byteOrder: ByteOrder, format: DwarfUnitFormat
  ) {
    var compiler = AbbreviationCompiler(format: format)
    var cursor = section.cursor(at: offset, byteOrder: byteOrder)
    let start = cursor.position
    while true {
      let code = cursor.readUleb128()
      if code == 0 { break }
      compiler.compile(code: code, &cursor)
      if cursor.hasFailed { break }
    }
    self.size = cursor.position - start
    self.abbreviations = compiler.abbreviations
    self.attributes = compiler.attributes
    self.steps = compiler.steps
    self.isDense = compiler.isDense
    if compiler.isDense {
      self.places = []
    } else {
      // Of one code used twice the first counts.
      self.places = compiler.codes.enumerated().map { (code: $1, index: Int32($0)) }
        .sorted { ($0.code, $0.index) < ($1.code, $1.index) }
    }
  }

  /// Moves `cursor`, which stands at the start of a table, to the attributes of the declaration of `code`.
  ///
  /// Returns its tag; nil where there is none, or none in front of `limit`, and the cursor is then
  /// anywhere.
  static func find(_ code: UInt64, in cursor: inout ByteCursor, until limit: Int) -> UInt64? {
    while cursor.position < limit {
      let declared = cursor.readUleb128()
      if declared == 0 { return nil }
      let tag = cursor.readUleb128()
      cursor.skip(1)  // whether it has children
      if declared == code { return cursor.hasFailed ? nil : tag }
      while cursor.position < limit {
        let name = cursor.readUleb128()
        let form = cursor.readUleb128()
        if name == 0, form == 0 { break }
        if form == UInt64(DwarfForm.implicitConst) { cursor.skipLeb128() }
      }
    }
    return nil
  }

  /// The place in `abbreviations` of `code`; nil where the table has no such code.
  @inline(__always)
  func index(of code: UInt64) -> Int? {
    if isDense { return code &- 1 < UInt64(abbreviations.count) ? Int(code) - 1 : nil }
    return search(code)
  }

  private func search(_ code: UInt64) -> Int? {
    let index = places.partitionPoint { $0.code >= code }
    guard index < places.count, places[index].code == code else { return nil }
    return Int(places[index].index)
  }
}

/// Turns the declarations of a table into steps.
private struct AbbreviationCompiler {
  let format: DwarfUnitFormat
  var abbreviations: [Abbreviation] = []
  var attributes: [AttributeSpecification] = []
  var steps: [EntryStep] = []
  var codes: [UInt64] = []
  var isDense = true

  init(format: DwarfUnitFormat) {
    self.format = format
    // Ordinary sizes of one unit's table.
    abbreviations.reserveCapacity(256)
    attributes.reserveCapacity(1024)
    steps.reserveCapacity(2048)
    codes.reserveCapacity(256)
  }

  /// Reads one declaration behind its code.
  mutating func compile(code: UInt64, _ cursor: inout ByteCursor) {
    let tag = cursor.readUleb128()
    let hasChildren = cursor.readUInt8() != 0
    let start = attributes.count
    while true {
      if attributes.count - start == Abbreviation.attributeLimit { cursor.fail() }
      let name = cursor.readUleb128()
      let form = cursor.readUleb128()
      if name == 0, form == 0 { break }
      let implicit = form == UInt64(DwarfForm.implicitConst) ? cursor.readSleb128() : 0
      // Names and forms beyond 16 bits are unknown ones, and 0xffff is none.
      attributes.append(
        AttributeSpecification(
          name: UInt16(exactly: name) ?? 0xffff, form: UInt16(exactly: form) ?? 0xffff,
          implicit: implicit))
    }
    guard !cursor.hasFailed else { return }
    let role = EntryRole(tag: tag)
    let declared = start..<attributes.count
    let (skipSteps, fixedSize) = compileSteps(declared) { _ in nil }
    let wanted = wantedAttributes(role, hasChildren: hasChildren)
    var readSteps = skipSteps.lowerBound..<skipSteps.lowerBound
    if attributes[declared].contains(where: { wanted($0.name) != nil }) {
      readSteps = compileSteps(declared, wanted).steps
    }
    abbreviations.append(
      Abbreviation(
        role: role, hasChildren: hasChildren,
        hasName: attributes[declared].contains { Self.isName($0.name) }, fixedSize: fixedSize,
        skipSteps: skipSteps,
        readSteps: readSteps,
        attributes: Int32(clamping: start)..<Int32(clamping: attributes.count)))
    codes.append(code)
    if code != UInt64(abbreviations.count) { isDense = false }
  }

  private static func isName(_ attribute: UInt16) -> Bool {
    attribute == DwarfAttribute.name || attribute == DwarfAttribute.linkageName
      || attribute == DwarfAttribute.mipsLinkageName
  }

  private func wantedAttributes(
    _ role: EntryRole, hasChildren: Bool
  ) -> (UInt16) -> EntryStep.Operation? {
    switch role {
    case .function, .inlinedCall:
      { name in
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
      }
    case .block, .container, .type, .other:
      { name in hasChildren && name == DwarfAttribute.sibling ? .sibling : nil }
    }
  }

  /// Appends the steps for `declared`; runs of bytes that are passed over become one step.
  private mutating func compileSteps(
    _ declared: Range<Int>, _ wanted: (UInt16) -> EntryStep.Operation?
  ) -> (steps: Range<Int32>, fixedSize: Int32) {
    let start = steps.count
    var pendingBytes = 0
    var fixedSize = 0
    var isFixed = true
    // An entry has each attribute once (section 2.2): of one declared twice the first is read.
    var seen: UInt32 = 0
    for index in declared {
      let attribute = attributes[index]
      let layout = DwarfForm.layout(of: attribute.form, in: format)
      if case .fixed(let size) = layout { fixedSize += size } else { isFixed = false }
      if let operation = wanted(attribute.name), seen & 1 << operation.rawValue == 0 {
        seen |= 1 << operation.rawValue
        flush(&pendingBytes)
        steps.append(
          EntryStep(operation: operation, form: attribute.form, operand: attribute.implicit))
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
    let range = Int32(clamping: start)..<Int32(clamping: steps.count)
    return (range, isFixed ? Int32(clamping: fixedSize) : -1)
  }

  private mutating func flush(_ pendingBytes: inout Int) {
    if pendingBytes > 0 {
      steps.append(EntryStep(operation: .skipBytes, form: 0, operand: Int64(pendingBytes)))
    }
    pendingBytes = 0
  }

  private static func skipStep(_ layout: DwarfForm.Layout, form: UInt16) -> EntryStep {
    switch layout {
    case .fixed(let size): EntryStep(operation: .skipBytes, form: form, operand: Int64(size))
    case .leb128: EntryStep(operation: .skipLeb128, form: form, operand: 0)
    case .string: EntryStep(operation: .skipString, form: form, operand: 0)
    case .block(let lengthSize):
      EntryStep(operation: .skipSizedBlock, form: form, operand: Int64(lengthSize))
    case .lengthPrefixedBlock:
      EntryStep(operation: .skipLengthPrefixedBlock, form: form, operand: 0)
    case .indirect: EntryStep(operation: .skipIndirect, form: form, operand: 0)
    case .unknown: EntryStep(operation: .fail, form: form, operand: 0)
    }
  }
}
