import DwarfReader
import LibDwarfReader
import SymbolicationModel
import Testing

/// Expected values are read off the line programs that each test builds.
@Suite struct LineRowTests {
  /// Testing has a type of the same name.
  private typealias Place = SymbolicationModel.SourceLocation

  private func location(_ reader: LibDwarfReader, _ address: UInt64) throws -> Place? {
    try reader.answer(at: LinkAddress(address))?.row
  }

  /// A unit of `version` whose DIE says where it has code, and where its lines are.
  private func addUnit(
    _ image: DwarfImageBuilder, version: UInt16, is64Bit: Bool = false, addressSize: UInt8 = 8,
    directory: String? = "/build", lines: UInt64
  ) {
    image.addUnit(version: version, is64Bit: is64Bit, addressSize: addressSize) { unit in
      // Before DWARF 4 the end is an address, and an offset a plain number.
      var attributes: [DieAttribute] = [.lowPc(0x1000)]
      attributes.append(version >= 4 ? .length(0x1000) : .address(0x12, 0x2000))
      if version >= 4 {
        attributes.append(.lines(lines))
      } else if is64Bit {
        attributes.append(.data8(0x10, lines))
      } else {
        attributes.append(.data4(0x10, UInt32(lines)))
      }
      if let directory { attributes.append(.directory(directory)) }
      unit.die(Tag.compileUnit, attributes)
    }
  }

  /// Directory 0 is the compilation directory, and files count from 1.
  @Test(arguments: [2, 3, 4] as [UInt16]) func pathsBeforeVersion5(version: UInt16) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder(
      version: version, directories: ["include", "/usr/include", ".", "/"],
      files: [
        ("a.c", 0), ("b.h", 1), ("c.h", 2), ("/abs/d.h", 1), ("e.h", 3), ("<generated>", 4),
        ("./f.h", 0),
      ])
    lines.setAddress(0x1000)
    for file: UInt64 in 1...8 {
      lines.setFile(file)
      lines.row(addressDelta: file == 1 ? 0 : 0x10, lineDelta: 0)
    }
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: version, lines: lines.append(to: image))
    let reader = try image.reader()
    let expected: [String?] = [
      "/build/a.c", "/build/include/b.h", "/usr/include/c.h", "/abs/d.h", "/build/e.h",
      "/<generated>", "/build/f.h", nil,
    ]
    for (index, path) in expected.enumerated() {
      #expect(try location(reader, 0x1000 + 0x10 * UInt64(index))?.path == path)
    }
    #expect(try reader.answer(at: LinkAddress(0x1080)) == nil)
    #expect(reader.faults.isEmpty)
  }

  /// Directory 0 is listed, and files count from 0.
  @Test func pathsOfVersion5() throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder(
      version: 5, directories: ["/build", "include", "/usr/include"],
      files: [("a.c", 0), ("b.h", 1), ("c.h", 2)])
    lines.setAddress(0x1000)
    for file: UInt64 in 0...2 {
      lines.setFile(file)
      lines.row(addressDelta: file == 0 ? 0 : 0x10, lineDelta: 0)
    }
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: 5, lines: lines.append(to: image))
    let reader = try image.reader()
    let expected = ["/build/a.c", "/build/include/b.h", "/usr/include/c.h"]
    for (index, path) in expected.enumerated() {
      #expect(try location(reader, 0x1000 + 0x10 * UInt64(index))?.path == path)
    }
  }

  /// A relative directory 0 stands in `DW_AT_comp_dir`, and without that alone.
  @Test func relativePathsStayRelative() throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder(files: [("a.c", 0)])
    lines.setAddress(0x1000)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: 4, directory: nil, lines: lines.append(to: image))
    #expect(try location(image.reader(), 0x1000)?.path == "a.c")
  }

  /// The last row that does not begin behind the address counts; the end of a sequence is no row.
  @Test func rowsOfSeveralSequences() throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x1800)
    lines.row(addressDelta: 0, lineDelta: 9)
    lines.endSequence(addressDelta: 0x20)
    // What the linker left out: no code stands at 0.
    lines.setAddress(0)
    lines.row(addressDelta: 0, lineDelta: 50)
    lines.endSequence(addressDelta: 0x1900)
    lines.setAddress(0x1000)
    lines.setColumn(4)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.row(addressDelta: 8, lineDelta: 1)
    lines.setColumn(9)
    lines.row(addressDelta: 0, lineDelta: 1)
    lines.row(addressDelta: 8, lineDelta: -3)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: 4, lines: lines.append(to: image))
    let reader = try image.reader()
    let rows: [(UInt64, UInt32, UInt32)] = [
      (0x1000, 1, 4), (0x1007, 1, 4), (0x1008, 3, 9), (0x100f, 3, 9), (0x1010, 0, 9),
      (0x101f, 0, 9), (0x1800, 10, 0), (0x181f, 10, 0),
    ]
    for (address, line, column) in rows {
      #expect(
        try location(reader, address)
          == Place(path: "/build/a.c", line: line, column: column))
    }
    #expect(try location(reader, 0x1020) == nil)
    #expect(try location(reader, 0x1820) == nil)
    #expect(reader.faults.isEmpty)
  }

  /// Swift 6 sets `epilogue_begin`; libdwarf 20210528 calls such a row the end of a sequence.
  @Test func epilogueDoesNotEndASequence() throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x1000)
    lines.specialRow(addressDelta: 0, lineDelta: 4)
    lines.beginEpilogue()
    lines.specialRow(addressDelta: 8, lineDelta: 2)
    lines.specialRow(addressDelta: 4, lineDelta: 1)
    lines.endSequence(addressDelta: 4)
    addUnit(image, version: 4, lines: lines.append(to: image))
    let reader = try image.reader()
    #expect(try location(reader, 0x1007)?.line == 5)
    #expect(try location(reader, 0x1008)?.line == 7)
    #expect(try location(reader, 0x100c)?.line == 8)
    #expect(try location(reader, 0x1010) == nil)
  }

  @Test(arguments: [2, 3, 4, 5] as [UInt16], [4, 8] as [UInt8])
  func versionsAndAddressSizes(version: UInt16, addressSize: UInt8) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder(
      version: version, addressSize: addressSize, directories: version == 5 ? ["/build"] : [])
    lines.setAddress(0x1000)
    if version == 5 { lines.setFile(0) }
    lines.row(addressDelta: 0, lineDelta: 6)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: version, addressSize: addressSize, lines: lines.append(to: image))
    let reader = try LibDwarfReader(sections: image.sections(addressSize: Int(addressSize)))
    #expect(try location(reader, 0x1004) == Place(path: "/build/a.c", line: 7))
    #expect(reader.faults.isEmpty)
  }

  /// Units of 64-bit DWARF may refer to line tables of 32-bit DWARF.
  @Test(arguments: [3, 4, 5] as [UInt16]) func units64Bit(version: UInt16) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder(version: version, directories: version == 5 ? ["/build"] : [])
    lines.setAddress(0x1000)
    if version == 5 { lines.setFile(0) }
    lines.row(addressDelta: 0, lineDelta: 6)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: version, is64Bit: true, lines: lines.append(to: image))
    let reader = try image.reader()
    #expect(try location(reader, 0x1004) == Place(path: "/build/a.c", line: 7))
  }

  @Test func bigEndian() throws {
    let image = DwarfImageBuilder(isBigEndian: true)
    var lines = LineProgramBuilder(isBigEndian: true)
    lines.setAddress(0x1000)
    lines.row(addressDelta: 0, lineDelta: 6)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, version: 4, lines: lines.append(to: image))
    let reader = try image.reader()
    #expect(try location(reader, 0x1004) == Place(path: "/build/a.c", line: 7))
  }

  /// A unit whose DIE does not say where its code is: the line table does.
  @Test func lineTableGivesTheRangesOfAUnit() throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x3000)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.endSequence(addressDelta: 0x10)
    let table = lines.append(to: image)
    image.addUnit { unit in unit.die(Tag.compileUnit, [.lines(table), .directory("/src")]) }
    let reader = try image.reader()
    #expect(try location(reader, 0x3000) == Place(path: "/src/a.c", line: 1))
  }

  /// A line program that stops without an end costs the rows, not the functions.
  @Test func damagedLineTable() throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x1000)
    lines.row(addressDelta: 0, lineDelta: 0)
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x100), .lines(table)]) { unit in
        unit.die(Tag.subprogram, [.name("f"), .lowPc(0x1000), .length(0x10)])
      }
    }
    let reader = try image.reader()
    let answer = try #require(try reader.answer(at: LinkAddress(0x1000)))
    #expect(answer.row == nil)
    #expect(answer.frames.map(\.name) == ["f"])
    #expect(answer.frames.map(\.location) == [nil])
    #expect(reader.faults == [.malformed(section: .line, offset: table)])
  }
}
