import BinaryInput
import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Images with every section, truncated and changed byte by byte. Nothing may trap or loop forever,
/// and every answer that differs from those of the sound image must have left a fault. libdwarf is
/// left out: it is known to read outside its memory.
@Suite struct DamageTests {
  /// Two units, with inlined calls, ranges, lines and names in all sections that their version has.
  private static func image(_ format: DwarfFormat) -> DwarfImageBuilder {
    let image = DwarfImageBuilder(format)
    for (index, low): (Int, UInt64) in [(0, 0x1000), (1, 0x2000)] {
      var lines = lineTable(image)
      lines.setAddress(low)
      lines.specialRow(addressDelta: 0, lineDelta: 4)
      lines.setColumn(7)
      lines.row(addressDelta: 0x20, lineDelta: 90)
      lines.endSequence(addressDelta: 0xe0)
      let table = lines.append(to: image)
      let is5 = format.version >= 5
      var bases: [DieAttribute] = []
      if is5 {
        let strings = image.addStringOffsets(["f\(index)", "_f\(index)"])
        let addresses = image.addAddresses([low, low + 0x20])
        let lists = image.addRangeLists([{ $0.append([0x03, 1, 0x10, 0x04, 0x40, 0x50, 0]) }])
        bases = [
          .sectionOffset(Attribute.stringOffsetsBase, strings),
          .sectionOffset(Attribute.addressBase, addresses),
          .sectionOffset(Attribute.rangeListsBase, lists.base),
        ]
      }
      let list = is5 ? 0 : image.addRanges([(0x20, 0x30), (0x40, 0x50)])
      let unit = image.addUnit { unit in
        unit.die(
          Tag.compileUnit, bases + [.lines(table), .directory("/build")],
          code: low..<(low + 0x100)
        ) { unit in
          let inner = unit.die(
            Tag.subprogram,
            is5
              ? [.uleb128(Attribute.name, form: Form.strx, 0)]
              : [.stringPointer(Attribute.name, "f\(index)")])
          unit.function("outer", low..<(low + 0x80)) { unit in
            unit.die(Tag.lexicalBlock, []) { unit in
              unit.die(
                Tag.inlined,
                [
                  .origin(inner), .data1(Attribute.callFile, 1), .data1(Attribute.callLine, 9),
                  is5
                    ? .uleb128(Attribute.ranges, form: Form.rnglistx, 0) : .ranges(list),
                ])
            }
          }
        }
      }
      image.addAddressRanges(unit: unit, [low..<(low + 0x100)])
    }
    return image
  }

  /// With names in `.debug_line_str` if the version has it.
  private static func lineTable(_ image: DwarfImageBuilder) -> LineProgramBuilder {
    guard image.format.version >= 5 else {
      return LineProgramBuilder(image.format, directories: ["lib"], files: [("a.c", 1)])
    }
    return LineProgramBuilder(image.format) { bytes in
      bytes.append([1, 1, 0x1f, 2])
      for name in ["/build", "lib"] {
        bytes.offset(image.add(name, to: .lineStrings), image.format)
      }
      bytes.append([2, 1, 0x1f, 2, 0x0b, 2])
      for _ in 0..<2 {
        bytes.offset(image.add("a.c", to: .lineStrings), image.format)
        bytes.u8(1)
      }
    }
  }

  /// All versions, and one image with everything that is rare.
  private static let formats =
    DwarfFormat.versions
    + [DwarfFormat(version: 5, is64Bit: true, addressSize: 4, isBigEndian: true)]

  private static let questions: [UInt64] = [
    0x1000, 0x1020, 0x1048, 0x10ff, 0x1800, 0x2000, 0x2020, 0x2048, 0x3000,
  ]

  private enum Outcome: Equatable {
    case answer(DwarfAnswer?)
    case failure
  }

  /// - Parameter jobs: the number of threads that prepare the answers; 0 to ask without preparing.
  private static func outcomes(
    _ sections: DwarfSections, _ kind: DwarfReaderKind, jobs: Int = 0
  ) -> (outcomes: [Outcome], faults: [DwarfReadError]) {
    do throws(DwarfReadError) {
      let reader = try kind.open(sections)
      if jobs > 0 { reader.prepare(for: questions.map { LinkAddress($0) }, jobs: jobs) }
      let outcomes = questions.map { address in
        do throws(DwarfReadError) {
          return Outcome.answer(try reader.answer(at: LinkAddress(address)))
        } catch {
          return Outcome.failure
        }
      }
      return (outcomes, reader.faults)
    } catch {
      return (questions.map { _ in .failure }, [error])
    }
  }

  /// An answer that differs from that of the sound image must have left a fault.
  @Test(arguments: DwarfReaderKind.safe, formats)
  func everyLengthOfEverySection(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let sections = Self.image(format).sections()
    let (sound, faults) = Self.outcomes(sections, kind)
    expectEmpty(faults)
    try require(sound[1] != .answer(nil) && sound[7] != .answer(nil))
    // A file truncated at the end of a unit is a sound file without the later units.
    let unitStarts = Set(DwarfUnitList(sections).units.map { Int($0.offset) })
    for name in DwarfSectionName.allCases {
      guard let bytes = sections[name]?.bytes else { continue }
      for count in bytes.indices {
        let cut = sections.replacing(name, with: ByteRegion(copying: bytes.prefix(count)))
        let (outcomes, faults) = Self.outcomes(cut, kind)
        if outcomes != sound, faults.isEmpty, name != .info || !unitStarts.contains(count) {
          Issue.record("\(name.rawValue) cut to \(count) bytes changes answers silently")
        }
      }
    }
  }

  /// A changed byte may still make sense and give another answer: only a trap or a hang is a
  /// failure.
  @Test(arguments: DwarfReaderKind.safe, formats)
  func everyByte(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let sections = Self.image(format).sections()
    for name in DwarfSectionName.allCases {
      guard let sound = sections[name]?.bytes else { continue }
      for offset in sound.indices {
        let byte = sound[offset]
        for value in Set([0, 0x7f, 0x80, 0xff, byte ^ 0x01]) where value != byte {
          var bytes = sound
          bytes[offset] = value
          let changed = sections.replacing(name, with: ByteRegion(copying: bytes))
          expectEqual(Self.outcomes(changed, kind).outcomes.count, Self.questions.count)
        }
      }
    }
  }

  /// Random bytes in several sections at once. Answers and faults must be the same when they are
  /// prepared, on any number of threads.
  @Test(arguments: DwarfReaderKind.safe, DwarfFormat.versions)
  func severalBytes(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let sections = Self.image(format).sections()
    var generator = SeededGenerator(seed: UInt64(format.version))
    let names = DwarfSectionName.allCases.filter { sections[$0] != nil }
    for _ in 0..<500 {
      var changed = sections
      for _ in 0..<Int.random(in: 2...8, using: &generator) {
        guard let name = names.randomElement(using: &generator),
          var bytes = changed[name]?.bytes,
          let offset = bytes.indices.randomElement(using: &generator)
        else { continue }
        bytes[offset] = UInt8.random(in: 0...255, using: &generator)
        changed = changed.replacing(name, with: ByteRegion(copying: bytes))
      }
      let (outcomes, faults) = Self.outcomes(changed, kind)
      for jobs in [1, 2] {
        let prepared = Self.outcomes(changed, kind, jobs: jobs)
        expectEqual(prepared.outcomes, outcomes)
        expectEqual(Set(prepared.faults), Set(faults))
      }
    }
  }

  /// Whatever happens to the second unit, except to its length, the others answer as before. It has
  /// the highest addresses, so a greater end cannot make it claim those of others.
  @Test(arguments: DwarfReaderKind.safe, DwarfFormat.versions)
  func neighboursOfADamagedUnit(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    func add(_ name: String, _ low: UInt64) -> Range<Int> {
      var lines = LineProgramBuilder(format, directories: ["/build"])
      lines.sequence(low..<(low + 0x100), line: 5)
      let table = lines.append(to: image)
      let start = image.addUnit { unit in
        unit.die(Tag.compileUnit, [.lines(table)], code: low..<(low + 0x100)) { unit in
          let inner = unit.function("inner")
          unit.function(name, low..<(low + 0x80)) { unit in
            unit.die(Tag.inlined, [.origin(inner)], code: low..<(low + 0x10))
          }
        }
      }
      return (start + 4)..<image[.info].count
    }
    var starts: [DwarfSectionName: Int] = [:]
    _ = add("first", 0x1000)
    for name in [DwarfSectionName.abbreviations, .line] { starts[name] = image[name].count }
    let second = add("second", 0x80000)
    var damaged: [(DwarfSectionName, Range<Int>)] = [(.info, second)]
    for (name, start) in starts {
      damaged.append((name, (start + (name == .line ? 4 : 0))..<image[name].count))
    }
    _ = add("third", 0x3000)
    let sections = image.sections()
    for (name, range) in damaged {
      let sound = try require(sections[name]).bytes
      for offset in range {
        for value: UInt8 in [0, 2, 0x7f, 0xff] where value != sound[offset] {
          var bytes = sound
          bytes[offset] = value
          let reader = try kind.open(sections.replacing(name, with: ByteRegion(copying: bytes)))
          _ = try? reader.answer(at: LinkAddress(0x80000))
          for (low, function): (UInt64, String) in [(0x1000, "first"), (0x3000, "third")] {
            let names = try reader.names(low)
            expectEqual(
              names, ["inner", function], "\(name.rawValue) \(offset - range.lowerBound) \(value)")
            try expectEqual(reader.row(low)?.line, 5)
          }
        }
      }
    }
  }
}
