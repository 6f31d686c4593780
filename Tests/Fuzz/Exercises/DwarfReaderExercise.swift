import BinaryInput
import DwarfReader
import ObjectFiles
import SymbolicationModel

func exerciseDwarfReader(_ bytes: [UInt8]) throws(Violation) {
  let input = DwarfReaderInput(bytes)
  try check(input.image, other: input.other)
}

/// The reader as the program uses it: over the sections of an object file, which also serves as the
/// file that it refers to.
func exerciseDwarfFiles(_ bytes: [UInt8]) throws(Violation) {
  for file in DwarfReaderInput.files(bytes) where file.hasDebugInfo {
    let names = DwarfSectionName.allCases
    let regions = DwarfReaderInput.debugSections(of: file).map { (names[$0.index], $0.region) }
    let sections = DwarfSections(
      regions: Dictionary(uniqueKeysWithValues: regions), byteOrder: file.byteOrder,
      addressSize: file.addressSize, codeRanges: file.codeRanges)
    try check(sections, other: sections)
  }
}

private final class OtherFile: DwarfReferencedFiles {
  let sections: DwarfSections

  init(_ sections: DwarfSections) { self.sections = sections }

  func supplementarySections() -> DwarfSections? { sections }

  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? {
    DwarfSplitFile(sections: sections)
  }
}

private typealias Outcome = Result<DwarfAnswer?, DwarfReadError>

private func ask(_ reader: BuiltInDwarfReader, _ address: UInt64) -> Outcome {
  do throws(DwarfReadError) {
    return .success(try reader.answer(at: LinkAddress(address)))
  } catch {
    return .failure(error)
  }
}

private func check(_ sections: DwarfSections, other: DwarfSections?) throws(Violation) {
  func makeReader() -> BuiltInDwarfReader? {
    try? BuiltInDwarfReader(
      sections: sections, referencedFiles: other.map(OtherFile.init))
  }
  guard let reader = makeReader() else {
    return try require(
      sections[.info] == nil || sections[.abbreviations] == nil,
      "only a missing section makes no reader")
  }
  var pending = Array(addresses(in: sections).reversed())
  var outcomes: [UInt64: Outcome] = [:]
  // Answers lead to further addresses.
  while let address = pending.popLast(), outcomes.count < 256 {
    if outcomes[address] != nil { continue }
    let outcome = ask(reader, address)
    outcomes[address] = outcome
    guard case .success(let answer?) = outcome else { continue }
    try check(answer, at: address)
    for frame in answer.frames.prefix(4) {
      let (low, high) = (frame.range.lowerBound.value, frame.range.upperBound.value)
      pending.insert(contentsOf: [low, low &- 1, high &- 1, high], at: 0)
    }
  }
  let faults = reader.faults
  try require(Set(faults).count == faults.count, "a fault is reported once")
  let again = outcomes.keys.map { ($0, ask(reader, $0)) }
  // Which answers a limit leaves incomplete depends on the questions before.
  let isComplete = !reader.faults.contains { if case .decodingLimit = $0 { true } else { false } }
  for (address, answer) in again where isComplete {
    try require(
      answer == outcomes[address],
      "at \(address) the answer is the same again: \(String(describing: outcomes[address])), \(answer)"
    )
  }
  if let index = try? DwarfIndexSource(
    sections: sections, referencedFiles: other.map(OtherFile.init))
  {
    try check(index)
  }
  guard isComplete else { return }
  try checkPrepared(makeReader(), outcomes)
  // Answers do not depend on earlier questions, either.
  for address in outcomes.keys.sorted().prefix(3) {
    guard let alone = makeReader() else { continue }
    let outcome = ask(alone, address)
    try require(
      outcome == outcomes[address],
      "at \(address) a question alone has the same answer: \(outcome), \(String(describing: outcomes[address]))"
    )
  }
}

/// Prepared answers are the same.
private func checkPrepared(
  _ reader: BuiltInDwarfReader?, _ outcomes: [UInt64: Outcome]
) throws(Violation) {
  guard let reader else { return }
  let addresses = outcomes.keys.sorted().prefix(16)
  reader.prepare(for: addresses.map { LinkAddress($0) }, jobs: 1)
  for address in addresses {
    let outcome = ask(reader, address)
    try require(
      outcome == outcomes[address],
      "at \(address) prepared: \(outcome), \(String(describing: outcomes[address]))")
  }
}

/// Everything that an index is made from.
private func check(_ source: DwarfIndexSource) throws(Violation) {
  for index in 0..<min(source.unitCount, 64) {
    guard let unit = try? source.unit(index) else { continue }
    var violation: Violation?
    unit.forEachFunction { function in
      do throws(Violation) {
        try check(function, of: unit)
      } catch {
        violation = violation ?? error
      }
    }
    if let violation { throw violation }
  }
}

private func check(
  _ function: DwarfFunction, of unit: DwarfUnitFunctions
) throws(Violation) {
  try require(!function.range.isEmpty, "a function has code")
  try require(!unit.name(function.name).isEmpty, "a function has a name")
  if let first = function.rows.first {
    try require(
      first.address <= function.range.lowerBound.value, "rows cover the start of the function")
  }
  for (row, next) in zip(function.rows, function.rows.dropFirst()) {
    try require(row.address < next.address, "rows ascend")
    try require(next.address < function.range.upperBound.value, "rows are the function's")
  }
  var depth = -1
  for call in function.calls {
    try require(
      call.depth >= 0 && call.depth <= depth + 1, "a call is behind what it is inlined into")
    depth = call.depth
    try require(!call.ranges.isEmpty, "a call has code")
    try require(!unit.name(call.name).isEmpty, "a call has a name")
    _ = call.file.map { unit.path(ofFile: $0) }
    for range in function.callRanges[call.ranges] {
      try require(
        range.lowerBound >= function.range.lowerBound
          && range.upperBound <= function.range.upperBound, "a call lies in the function")
    }
  }
}

private func check(_ answer: DwarfAnswer, at address: UInt64) throws(Violation) {
  for frame in answer.frames {
    try require(frame.range.contains(LinkAddress(address)), "a frame's range holds the address")
  }
  if let innermost = answer.frames.first {
    try require(innermost.location == answer.row, "the innermost frame is where the row is")
  }
  for location in answer.frames.map(\.location) + [answer.row] {
    try require(location.map { !$0.path.isEmpty } ?? true, "a location has a path")
  }
}

/// Addresses that the sections themselves state, and their neighbours.
private func addresses(in sections: DwarfSections) -> [UInt64] {
  var found: Set<UInt64> = [0, 1, .max - 1, .max]
  func add(_ values: some Sequence<UInt64>, limit: Int) {
    var left = limit
    for value in values where sections.isCode(LinkAddress(value)) {
      if left == 0 { return }
      if found.insert(value).inserted { left -= 1 }
    }
  }
  let table = DwarfAddressRanges(sections).table.entries
  add(table.lazy.flatMap { [$0.low, $0.high &- 1] }, limit: 24)
  add(sections.codeRanges.lazy.map(\.lowerBound.value), limit: 8)
  let size = sections.addressSize
  func number(_ region: ByteRegion, at offset: Int) -> UInt64 {
    var reader = region.reader(byteOrder: sections.byteOrder)
    guard (try? reader.seek(to: UInt64(offset))) != nil else { return 0 }
    return (try? reader.readUnsigned(size: size)) ?? 0
  }
  // `DW_LNE_set_address`, wherever it seems to be.
  if let region = sections[.line] {
    let bytes = region.bytes
    let offsets = bytes.indices.lazy.dropLast(3).filter {
      bytes[$0] == 0 && bytes[$0 + 1] == size + 1 && bytes[$0 + 2] == 2
    }
    add(offsets.map { number(region, at: $0 + 3) }, limit: 24)
  }
  if let region = sections[.addresses] {
    add(
      stride(from: 8, to: region.count, by: size).lazy.map { number(region, at: $0) }, limit: 24)
  }
  for name in [DwarfSectionName.info, .ranges, .rangeLists] {
    guard let region = sections[name] else { continue }
    let values = (0..<region.count).lazy.map { number(region, at: $0) }
    add(values.filter { $0 > 0xff && $0 < 1 << 48 }, limit: 24)
  }
  return found.flatMap { [$0, $0 &- 1, $0 &+ 1] }.sorted()
}
