import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are read off the line programs that each test builds.
@Suite struct LineRowTests {
  /// Testing has a type of the same name.
  private typealias Place = SymbolicationModel.SourceLocation

  /// A unit whose DIE states its code range and its line table.
  private func addUnit(
    _ image: DwarfImageBuilder, _ format: DwarfFormat? = nil, directory: String? = "/build",
    lines: UInt64
  ) {
    image.addUnit(format) { unit in
      var attributes: [DieAttribute] = [.lines(lines)]
      if let directory { attributes.append(.directory(directory)) }
      unit.die(Tag.compileUnit, attributes, code: 0x1000..<0x2000)
    }
  }

  /// Directory 0 is the compilation directory, and the first file has number 1. Absolute Windows
  /// paths count as absolute, as in LLVM (`isPathAbsoluteOnWindowsOrPosix`).
  @Test(arguments: DwarfReaderKind.allCases, [2, 3, 4] as [UInt16])
  func pathsBeforeVersion5(kind: DwarfReaderKind, version: UInt16) throws {
    let format = DwarfFormat(version: version)
    let image = DwarfImageBuilder(format)
    var lines = LineProgramBuilder(
      format, directories: ["include", "/usr/include", ".", "/"],
      files: [
        ("a.c", 0), ("b.h", 1), ("c.h", 2), ("/abs/d.h", 1), ("e.h", 3), ("<generated>", 4),
        ("./f.h", 0), (#"C:\g.h"#, 1), ("D:/h.h", 1), (#"i\j.h"#, 2),
      ])
    lines.setAddress(0x1000)
    for file: UInt64 in 1...11 {
      lines.setFile(file)
      lines.row(addressDelta: file == 1 ? 0 : 0x10, lineDelta: 0)
    }
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, lines: lines.append(to: image))
    let reader = try kind.open(image)
    let expected: [String?] = [
      "/build/a.c", "/build/include/b.h", "/usr/include/c.h", "/abs/d.h", "/build/./e.h",
      "/<generated>", "/build/./f.h", #"C:\g.h"#, "D:/h.h", #"/usr/include/i\j.h"#, nil,
    ]
    for (index, path) in expected.enumerated() {
      try expectEqual(reader.row(0x1000 + 0x10 * UInt64(index))?.path, path)
    }
    try expectNil(reader.answer(at: LinkAddress(0x10b0)))
    expectEmpty(reader.faults)
  }

  /// Directory 0 is listed, and the first file has number 0.
  @Test(arguments: DwarfReaderKind.allCases)
  func pathsOfVersion5(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    var lines = LineProgramBuilder(
      image.format, directories: ["/build", "include", "/usr/include"],
      files: [("a.c", 0), ("b.h", 1), ("c.h", 2)])
    lines.setAddress(0x1000)
    for file: UInt64 in 0...2 {
      lines.setFile(file)
      lines.row(addressDelta: file == 0 ? 0 : 0x10, lineDelta: 0)
    }
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, lines: lines.append(to: image))
    let reader = try kind.open(image)
    let expected = ["/build/a.c", "/build/include/b.h", "/usr/include/c.h"]
    for (index, path) in expected.enumerated() {
      try expectEqual(reader.row(0x1000 + 0x10 * UInt64(index))?.path, path)
    }
  }

  /// A relative directory 0 is relative to `DW_AT_comp_dir`; without that, it is used alone.
  @Test(arguments: DwarfReaderKind.allCases)
  func relativePathsStayRelative(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder(files: [("a.c", 0)])
    lines.setAddress(0x1000)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, directory: nil, lines: lines.append(to: image))
    try expectEqual(kind.open(image).row(0x1000)?.path, "a.c")
  }

  /// The last row at or before the address counts; the end of a sequence is not a row.
  @Test(arguments: DwarfReaderKind.allCases)
  func rowsOfSeveralSequences(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x1800)
    lines.row(addressDelta: 0, lineDelta: 9)
    lines.endSequence(addressDelta: 0x20)
    // The linker removed this code and set it to 0, where there is none.
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
    addUnit(image, lines: lines.append(to: image))
    let reader = try kind.open(image)
    let rows: [(UInt64, UInt32, UInt32)] = [
      (0x1000, 1, 4), (0x1007, 1, 4), (0x1008, 3, 9), (0x100f, 3, 9), (0x1010, 0, 9),
      (0x101f, 0, 9), (0x1800, 10, 0), (0x181f, 10, 0),
    ]
    for (address, line, column) in rows {
      try expectEqual(reader.row(address), Place(path: "/build/a.c", line: line, column: column))
    }
    try expectNil(reader.row(0x1020))
    try expectNil(reader.row(0x1820))
    expectEmpty(reader.faults)
  }

  /// Swift 6 sets `epilogue_begin`; libdwarf 20210528 reports such a row as the end of a sequence.
  @Test(arguments: DwarfReaderKind.allCases)
  func epilogueDoesNotEndASequence(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x1000)
    lines.specialRow(addressDelta: 0, lineDelta: 4)
    lines.beginEpilogue()
    lines.specialRow(addressDelta: 8, lineDelta: 2)
    lines.specialRow(addressDelta: 4, lineDelta: 1)
    lines.endSequence(addressDelta: 4)
    addUnit(image, lines: lines.append(to: image))
    let reader = try kind.open(image)
    try expectEqual(reader.row(0x1007)?.line, 5)
    try expectEqual(reader.row(0x1008)?.line, 7)
    try expectEqual(reader.row(0x100c)?.line, 8)
    try expectNil(reader.row(0x1010))
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func formats(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    var lines = LineProgramBuilder(format, directories: format.version == 5 ? ["/build"] : [])
    lines.setAddress(0x1000)
    if format.version == 5 { lines.setFile(0) }
    lines.row(addressDelta: 0, lineDelta: 6)
    lines.endSequence(addressDelta: 0x10)
    addUnit(image, lines: lines.append(to: image))
    let reader = try kind.open(image)
    try expectEqual(reader.row(0x1004), Place(path: "/build/a.c", line: 7))
    expectEmpty(reader.faults)
  }

  /// Units of 64-bit DWARF may refer to line tables of 32-bit DWARF.
  @Test(arguments: DwarfReaderKind.allCases, [3, 4, 5] as [UInt16])
  func units64Bit(kind: DwarfReaderKind, version: UInt16) throws {
    let format = DwarfFormat(version: version)
    let image = DwarfImageBuilder(format)
    var lines = LineProgramBuilder(format, directories: version == 5 ? ["/build"] : [])
    lines.setAddress(0x1000)
    if version == 5 { lines.setFile(0) }
    lines.row(addressDelta: 0, lineDelta: 6)
    lines.endSequence(addressDelta: 0x10)
    addUnit(
      image, DwarfFormat(version: version, is64Bit: true), lines: lines.append(to: image))
    let reader = try kind.open(image)
    try expectEqual(reader.row(0x1004), Place(path: "/build/a.c", line: 7))
  }

  /// The unit's DIE does not state its code range, so the line table does.
  @Test(arguments: DwarfReaderKind.allCases)
  func lineTableGivesTheRangesOfAUnit(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    var lines = LineProgramBuilder()
    lines.setAddress(0x3000)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.endSequence(addressDelta: 0x10)
    let table = lines.append(to: image)
    image.addUnit { unit in unit.die(Tag.compileUnit, [.lines(table), .directory("/src")]) }
    let reader = try kind.open(image)
    try expectEqual(reader.row(0x3000), Place(path: "/src/a.c", line: 1))
  }

  /// If a line program has no end, the rows are lost, but not the functions.
  @Test(arguments: DwarfReaderKind.allCases)
  func damagedLineTable(kind: DwarfReaderKind) throws {
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
    let reader = try kind.open(image)
    let answer = try require(reader.answer(at: LinkAddress(0x1000)))
    expectNil(answer.row)
    expectEqual(answer.frames.map(\.name), ["f"])
    expectEqual(answer.frames.map(\.location), [nil])
    expectEqual(reader.faults, [.malformed(section: .line, offset: table)])
  }
}
