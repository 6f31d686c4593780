import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// The directories and files of version 5 line tables, in all forms. Expected values are read off
/// the tables that each test builds, according to DWARF 5, sections 6.2.4 and 6.2.4.1.
@Suite struct LineFileTests {
  private enum Content {
    static let path: UInt64 = 1
    static let directoryIndex: UInt64 = 2
    static let timestamp: UInt64 = 3
    static let size: UInt64 = 4
    static let md5: UInt64 = 5
    /// LLVM's content type for the text of the file.
    static let source: UInt64 = 0x2001
    static let unknown: UInt64 = 0x3abc
  }

  private static let digest = [UInt8](0x50..<0x60)

  /// A reader for one unit whose rows, 0x10 apart from 0x1000 on, are in the files `rows`.
  private func open(
    _ kind: DwarfReaderKind, _ image: DwarfImageBuilder, unit: [DieAttribute] = [],
    directory: String? = "/build", rows: Range<UInt64>, tables: (inout BinaryBuilder) -> Void
  ) throws -> any DwarfReading {
    var lines = LineProgramBuilder(image.format, tables: tables)
    lines.setAddress(0x1000)
    for file in rows {
      lines.setFile(file)
      lines.row(addressDelta: file == rows.lowerBound ? 0 : 0x10, lineDelta: 0)
    }
    lines.endSequence(addressDelta: 0x10)
    let table = lines.append(to: image)
    image.addUnit { builder in
      builder.die(
        Tag.compileUnit, unit + [.lines(table)] + (directory.map { [.directory($0)] } ?? []),
        code: 0x1000..<0x2000)
    }
    return try kind.open(image)
  }

  private func paths(_ reader: any DwarfReading, _ count: UInt64) throws -> [String?] {
    try (0..<count).map { try reader.row(0x1000 + 0x10 * $0)?.path }
  }

  /// Pairs of a content type and a form.
  private func format(_ pairs: [(UInt64, UInt64)], _ bytes: inout BinaryBuilder) {
    bytes.u8(UInt8(pairs.count))
    for (content, form) in pairs {
      bytes.uleb128(content)
      bytes.uleb128(form)
    }
  }

  /// Names in `.debug_line_str` or `.debug_str`, and an MD5 digest, as clang writes them.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all(of: 5))
  func stringsOfTheSections(kind: DwarfReaderKind, dwarf: DwarfFormat) throws {
    for (section, form, indexForm, indexSize): (DwarfSectionName, UInt64, UInt64, Int) in [
      (.lineStrings, Form.lineStrp, Form.data1, 1), (.strings, Form.strp, Form.udata, 1),
      (.lineStrings, Form.lineStrp, Form.data2, 2),
    ] {
      // libdwarf 20210528 rejects `DW_FORM_strp` (`DW_DLE_LNCT_FORM_CODE_NOT_HANDLED`).
      if kind == .libDwarf, section == .strings { continue }
      let image = DwarfImageBuilder(dwarf)
      _ = image.add("padding", to: section)
      let reader = try open(kind, image, rows: 0..<4) { bytes in
        format([(Content.path, form)], &bytes)
        bytes.uleb128(3)
        for name in ["/build", "lib", "/usr/include"] {
          bytes.offset(image.add(name, to: section), dwarf)
        }
        format(
          [(Content.path, form), (Content.directoryIndex, indexForm), (Content.md5, Form.data16)],
          &bytes)
        bytes.uleb128(4)
        for (name, directory): (String, UInt64) in [("a.c", 0), ("a.c", 0), ("b.h", 1), ("c.h", 2)]
        {
          bytes.offset(image.add(name, to: section), dwarf)
          bytes.unsigned(directory, size: indexSize)
          bytes.append(Self.digest)
        }
      }
      try expectEqual(
        paths(reader, 4), ["/build/a.c", "/build/a.c", "/build/lib/b.h", "/usr/include/c.h"])
      expectEmpty(reader.faults)
    }
  }

  /// Bytes of paths that are not UTF-8 are kept, each as one character: U+10FE00 plus the byte.
  @Test(arguments: DwarfReaderKind.allCases)
  func pathsThatAreNotUtf8(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 4))
    let folder = DieAttribute.raw(
      Attribute.compilationDirectory, form: Form.string, [0x2f, 0x71, 0xff, 0])
    let reader = try open(kind, image, unit: [folder], directory: nil, rows: 1..<4) { bytes in
      bytes.append([0x80, 0x64, 0, 0])  // include_directories
      bytes.append([0xe4, 0x2e, 0x63, 0, 0, 0, 0])
      bytes.append([0xe4, 0x2e, 0x63, 0, 1, 0, 0])
      bytes.append([0x2f, 0xc3, 0xa4, 0xc3, 0, 0, 0, 0])
      bytes.u8(0)
    }
    try expectEqual(
      paths(reader, 3),
      [
        "/q\u{10feff}/\u{10fee4}.c", "/q\u{10feff}/\u{10fe80}d/\u{10fee4}.c", "/ä\u{10fec3}",
      ])
    expectEmpty(reader.faults)
  }

  /// Timestamp, size, source and vendor fields are skipped by their forms, in any order.
  @Test(arguments: DwarfReaderKind.allCases)
  func contentThatIsPassedOver(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let source = image.add("int main;", to: .lineStrings)
    let reader = try open(kind, image, rows: 0..<2) { bytes in
      format([(Content.path, Form.string)], &bytes)
      bytes.uleb128(2)
      bytes.cString("/build")
      bytes.cString("lib")
      format(
        [
          (Content.md5, Form.data16), (Content.timestamp, Form.data4),
          (Content.directoryIndex, Form.udata), (Content.size, Form.udata),
          (Content.path, Form.string), (Content.source, Form.lineStrp),
        ], &bytes)
      bytes.uleb128(2)
      for (name, directory): (String, UInt64) in [("a.c", 1), ("b.c", 0)] {
        bytes.append(Self.digest)
        bytes.u32(0x5000_0000)
        bytes.uleb128(directory)
        bytes.uleb128(70_000)
        bytes.cString(name)
        bytes.offset(source, image.format)
      }
    }
    try expectEqual(paths(reader, 2), ["/build/lib/a.c", "/build/b.c"])
    expectEmpty(reader.faults)
  }

  /// What libdwarf 20210528 rejects: vendor content types, and forms that only they have. They can
  /// be skipped, because the form states the size.
  @Test(
    arguments: DwarfReaderKind.complete,
    [
      (Form.data1, [7]), (Form.data2, [7, 7]), (Form.data4, [7, 7, 7, 7]),
      (Form.data8, [7, 7, 7, 7, 7, 7, 7, 7]), (Form.data16, [UInt8](repeating: 7, count: 16)),
      (Form.sdata, [0x87, 0x7f]), (Form.udata, [0x87, 0x01]), (Form.string, [0x61, 0]),
      (0x0a, [2, 7, 7]), (0x03, [2, 0, 7, 7]), (0x04, [2, 0, 0, 0, 7, 7]), (0x09, [0x82, 0, 7, 7]),
      (Form.strx, [1]), (Form.strx1, [1]), (0x26, [1, 0]), (0x27, [1, 0, 0]), (0x28, [1, 0, 0, 0]),
      (0x0c, [1]), (Form.secOffset, [1, 0, 0, 0]), (Form.lineStrp, [0, 0, 0, 0]),
    ] as [(UInt64, [UInt8])])
  func formsThatArePassedOver(kind: DwarfReaderKind, form: (code: UInt64, bytes: [UInt8])) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let reader = try open(kind, image, rows: 0..<2) { bytes in
      format([(Content.unknown, form.code), (Content.path, Form.string)], &bytes)
      bytes.uleb128(2)
      for name in ["/build", "lib"] {
        bytes.append(form.bytes)
        bytes.cString(name)
      }
      format(
        [
          (Content.path, Form.string), (Content.unknown, form.code), (Content.directoryIndex, 0x0b),
        ],
        &bytes)
      bytes.uleb128(2)
      for (name, directory): (String, UInt8) in [("a.c", 1), ("b.c", 0)] {
        bytes.cString(name)
        bytes.append(form.bytes)
        bytes.u8(directory)
      }
    }
    try expectEqual(paths(reader, 2), ["/build/lib/a.c", "/build/b.c"])
    expectEmpty(reader.faults)
  }

  /// Names by index in the unit's `.debug_str_offsets`, with the base of the unit. libdwarf
  /// 20210528 rejects the table (`DW_DLE_LNCT_FORM_CODE_NOT_HANDLED`).
  @Test(
    arguments: DwarfReaderKind.complete,
    [(Form.strx, 1), (Form.strx1, 1), (0x26, 2), (0x27, 3), (0x28, 4)] as [(UInt64, Int)])
  func namesByIndex(kind: DwarfReaderKind, form: (code: UInt64, size: Int)) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    _ = image.addStringOffsets(["x", "y", "z"])
    let base = image.addStringOffsets(["/build", "lib", "a.c"])
    let reader = try open(
      kind, image, unit: [.sectionOffset(Attribute.stringOffsetsBase, base)], rows: 0..<1
    ) { bytes in
      format([(Content.path, form.code)], &bytes)
      bytes.uleb128(2)
      for index: UInt64 in [0, 1] { bytes.unsigned(index, size: form.size) }
      format([(Content.path, form.code), (Content.directoryIndex, Form.udata)], &bytes)
      bytes.uleb128(1)
      bytes.unsigned(2, size: form.size)
      bytes.uleb128(1)
    }
    try expectEqual(paths(reader, 1), ["/build/lib/a.c"])
    expectEmpty(reader.faults)
  }

  /// A table without directories, and one without files. A count without a format description means
  /// nothing.
  @Test(arguments: DwarfReaderKind.allCases) func emptyTables(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let reader = try open(kind, image, rows: 0..<2) { bytes in bytes.append([0, 0, 0, 0]) }
    try expectEqual(paths(reader, 2), [nil, nil])
  }

  /// Directory 0 is the compilation directory. If it is missing, `DW_AT_comp_dir` is used, and vice
  /// versa. An index behind the directories counts as none. (llvm-symbolizer 19 gives shorter,
  /// relative paths for some of these tables; the standard states what they are relative to.)
  @Test(
    arguments: DwarfReaderKind.allCases,
    [
      (["/build"], "/build", 0, "/build/a.c"), ([], "/build", 0, "/build/a.c"),
      (["/other"], "/build", 0, "/other/a.c"), (["/build", "lib"], nil, 0, "/build/a.c"),
      (["/build", "lib"], nil, 1, "/build/lib/a.c"), (["build", "lib"], nil, 1, "build/lib/a.c"),
      (["build"], "build", 0, "build/a.c"), (["."], "/build", 0, "/build/./a.c"),
      (["/build", "/usr"], "/build", 1, "/usr/a.c"), (["/build"], "/build", 9, "/build/a.c"),
    ] as [([String], String?, UInt8, String)])
  func compilationDirectory(
    kind: DwarfReaderKind,
    paths: (directories: [String], unit: String?, index: UInt8, expected: String)
  ) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let reader = try open(kind, image, directory: paths.unit, rows: 0..<1) { bytes in
      format([(Content.path, Form.string)], &bytes)
      bytes.uleb128(UInt64(paths.directories.count))
      paths.directories.forEach { bytes.cString($0) }
      format([(Content.path, Form.string), (Content.directoryIndex, Form.udata)], &bytes)
      bytes.append([1, 0x61, 0x2e, 0x63, 0, paths.index])
    }
    try expectEqual(self.paths(reader, 1), [paths.expected])
    expectEmpty(reader.faults)
  }

  /// A name that cannot be read leaves a fault. So does a directory, but its files keep their
  /// names.
  @Test(arguments: DwarfReaderKind.safe) func namesThatLeadNowhere(kind: DwarfReaderKind) throws {
    for isFile in [false, true] {
      let image = DwarfImageBuilder(DwarfFormat(version: 5))
      let name = image.add("name", to: .lineStrings)
      let reader = try open(kind, image, rows: 0..<1) { bytes in
        format([(Content.path, Form.lineStrp)], &bytes)
        bytes.uleb128(1)
        bytes.offset(isFile ? name : 0x1000, image.format)
        format([(Content.path, Form.lineStrp), (Content.directoryIndex, Form.udata)], &bytes)
        bytes.uleb128(1)
        bytes.offset(isFile ? 0x1000 : name, image.format)
        bytes.uleb128(0)
      }
      try expectEqual(paths(reader, 1), [isFile ? nil : "/build/name"])
      expectEqual(reader.faults, [.malformed(section: .line, offset: 0)])
    }
  }

  /// Counts that no file has room for: no location, a fault, and no time or memory spent on them.
  @Test(arguments: DwarfReaderKind.safe) func hugeCounts(kind: DwarfReaderKind) throws {
    for isEmptyEntry in [false, true] {
      let image = DwarfImageBuilder(DwarfFormat(version: 5))
      let reader = try open(kind, image, rows: 0..<1) { bytes in
        // Entries in a form without bytes would take no space in the file, however many there are.
        format([(Content.path, isEmptyEntry ? Form.flagPresent : Form.string)], &bytes)
        bytes.uleb128(UInt64.max)
        format([(Content.path, Form.string)], &bytes)
        bytes.uleb128(UInt64.max >> 1)
      }
      try expectNil(reader.row(0x1000))
      expectFalse(reader.faults.isEmpty)
    }
  }
}
