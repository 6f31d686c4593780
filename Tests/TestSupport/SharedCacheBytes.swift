/// The bytes of small dyld shared caches, with the structure of Apple's `dyld_cache_format.h` and
/// invented names. Each file holds one library.
public struct SharedCacheBytes: Sendable {
  /// A kind of header, by the system that wrote it.
  public struct Kind: Sendable, CustomStringConvertible {
    public let description: String
    /// 15 characters.
    let magic: String
    /// `mappingOffset`: where the fields end.
    public let headerSize: Int
    /// The suffixes of the files with other libraries.
    public let suffixes: [String]
    let cpu: (type: UInt32, subtype: UInt32)
    let slideVersion: UInt32

    var is64Bit: Bool { cpu.type != 0x0200_000c }
    /// Whether local symbols have a file of their own.
    public var hasSymbolFile: Bool { headerSize > 0x190 }
    var hasSelectorBase: Bool { headerSize > 0x1d0 }
  }

  public static let kinds = [
    Kind(
      description: "macOS 11, arm64", magic: "dyld_v1   arm64", headerSize: 0x140, suffixes: [],
      cpu: (0x0100_000c, 0), slideVersion: 2),
    Kind(
      description: "macOS 11, x86_64h", magic: "dyld_v1 x86_64h", headerSize: 0x140, suffixes: [],
      cpu: (0x0100_0007, 8), slideVersion: 2),
    Kind(
      description: "iOS 15", magic: "dyld_v1  arm64e", headerSize: 0x1c8, suffixes: [".1", ".2"],
      cpu: (0x0100_000c, 0x8000_0002), slideVersion: 3),
    Kind(
      description: "iOS 16", magic: "dyld_v1  arm64e", headerSize: 0x200,
      suffixes: [".01", ".02"], cpu: (0x0100_000c, 0x8000_0002), slideVersion: 3),
    Kind(
      description: "macOS 26, x86_64", magic: "dyld_v1  x86_64", headerSize: 0x228,
      suffixes: [".01", ".02.dylddata"], cpu: (0x0100_0007, 3), slideVersion: 5),
    Kind(
      description: "watchOS 26", magic: "dyld_v1arm64_32", headerSize: 0x228, suffixes: [".01"],
      cpu: (0x0200_000c, 1), slideVersion: 4),
  ]

  public struct Function: Hashable, Sendable, Comparable {
    public let library: Int
    public let start: UInt64
    public let end: UInt64
    public let name: String

    public init(library: Int, start: UInt64, end: UInt64, name: String) {
      self.library = library
      self.start = start
      self.end = end
      self.name = name
    }

    public static func < (left: Self, right: Self) -> Bool { left.start < right.start }
  }

  public let kind: Kind
  /// Suffix and content; the main file is the first.
  public var files: [(suffix: String, bytes: [UInt8])] = []
  /// What a reader must find.
  public private(set) var functions: [Function] = []

  /// The positions in each file.
  static let libraryOffset = 0x1000
  static let codeOffset = 0x1800
  static let linkEditOffset = 0x3000
  /// Of the trie of exports in the file.
  public static let trieOffset = linkEditOffset + 0x100

  private var base: UInt64 { kind.is64Bit ? 0x1_8000_0000 : 0x1a00_0000 }
  private var wordSize: Int { kind.is64Bit ? 8 : 4 }
  private var libraryCount: Int { 1 + kind.suffixes.count }

  public func uuid(ofLibrary index: Int) -> [UInt8] { identifier(0x10 + index) }
  public func installName(ofLibrary index: Int) -> String { "/usr/lib/libexample\(index).dylib" }
  private func fileBase(_ index: Int) -> UInt64 { base + UInt64(index) * 0x100_0000 }
  private func identifier(_ number: Int) -> [UInt8] {
    Array(repeating: UInt8(number), count: 16)
  }

  public init(_ kind: Kind) {
    self.kind = kind
    for index in 0..<libraryCount {
      let suffix = index == 0 ? "" : kind.suffixes[index - 1]
      files.append((suffix, file(index)))
      let code = fileBase(index) + UInt64(Self.codeOffset)
      for (offset, name) in [
        (0, "exported\(index)"), (0x10, "trie\(index)"), (0x20, "local\(index)"),
        (0x40, "-[Class\(index) method\(index)]"),
      ] {
        let start = code + UInt64(offset)
        functions.append(Function(library: index, start: start, end: start + 0x10, name: name))
      }
    }
    if kind.hasSymbolFile {
      var bytes = header(identity: identifier(0x30), mappingCount: 0)
      addLocalSymbols(to: &bytes, at: 0x400)
      files.append((".symbols", bytes))
    } else {
      addLocalSymbols(to: &files[0].bytes, at: 0x4000)
    }
  }

  // MARK: - Header

  private func header(identity: [UInt8], mappingCount: UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: kind.headerSize)
    bytes.put(Array(kind.magic.utf8), at: 0)
    bytes.put(UInt32(kind.headerSize), at: 0x10)
    bytes.put(mappingCount, at: 0x14)
    bytes.put(identity, at: 0x58)
    bytes.put(base, at: 0xe0)
    return bytes
  }

  private func file(_ index: Int) -> [UInt8] {
    var bytes = header(identity: identifier(0x20 + index), mappingCount: 3)
    let start = fileBase(index)
    let mappings: [(address: UInt64, size: UInt64, offset: UInt64)] = [
      (start, 0x2000, 0), (start + 0x10_0000, 0x1000, 0x2000), (start + 0x20_0000, 0x1000, 0x3000),
    ]
    let slides = kind.headerSize + 96
    bytes.put(UInt32(slides), at: 0x138)
    bytes.put(UInt32(3), at: 0x13c)
    for (number, mapping) in mappings.enumerated() {
      for place in [kind.headerSize + 32 * number, slides + 56 * number] {
        bytes.put(mapping.address, at: place)
        bytes.put(mapping.size, at: place + 8)
        bytes.put(mapping.offset, at: place + 16)
      }
      bytes.put(UInt64(number == 1 ? 0x3f00 : 0), at: slides + 56 * number + 24)
      bytes.put(UInt64(number == 1 ? 0x40 : 0), at: slides + 56 * number + 32)
    }
    bytes.put(kind.slideVersion, at: 0x3f00)
    if [2, 4].contains(kind.slideVersion) {
      bytes.put(kind.slideVersion == 2 ? 0x00ff_ff00_0000_0000 : UInt64(0xc000_0000), at: 0x3f18)
      bytes.put(base, at: 0x3f20)
    } else {
      bytes.put(base, at: 0x3f10)
    }
    if index == 0 { addLists(to: &bytes, at: slides + 3 * 56) }
    addLibrary(index, to: &bytes)
    bytes.pad(to: 0x4000)
    return bytes
  }

  /// The libraries, the other files, and the selectors.
  private func addLists(to bytes: inout [UInt8], at texts: Int) {
    let infos = texts + 32 * libraryCount
    var path = infos + 32 * libraryCount
    for index in 0..<libraryCount {
      let address = fileBase(index) + UInt64(Self.libraryOffset)
      bytes.put(uuid(ofLibrary: index), at: texts + 32 * index)
      bytes.put(address, at: texts + 32 * index + 16)
      bytes.put(UInt32(0x1000), at: texts + 32 * index + 24)
      bytes.put(UInt32(path), at: texts + 32 * index + 28)
      bytes.put(address, at: infos + 32 * index)
      bytes.put(UInt32(path), at: infos + 32 * index + 24)
      bytes.put(Array(installName(ofLibrary: index).utf8) + [0], at: path)
      path += 32
    }
    bytes.put(UInt64(texts), at: 0x88)
    bytes.put(UInt64(libraryCount), at: 0x90)
    let isNew = kind.headerSize > 0x1c0
    bytes.put(UInt32(infos), at: isNew ? 0x1c0 : 0x18)
    bytes.put(UInt32(libraryCount), at: isNew ? 0x1c4 : 0x1c)
    if kind.hasSymbolFile {
      let hasSuffixes = kind.headerSize > 0x1c8
      bytes.put(UInt32(path), at: 0x188)
      bytes.put(UInt32(kind.suffixes.count), at: 0x18c)
      for (number, suffix) in kind.suffixes.enumerated() {
        bytes.put(identifier(0x21 + number), at: path)
        bytes.put(fileBase(number + 1) - base, at: path + 16)
        if hasSuffixes { bytes.put(Array(suffix.utf8) + [0], at: path + 24) }
        path += hasSuffixes ? 56 : 24
      }
      bytes.put(identifier(0x30), at: 0x190)
    }
    if kind.hasSelectorBase {
      bytes.put(UInt64(0x900), at: 0x1d0)
      bytes.put(UInt32(1), at: 0x900)
      bytes.put(UInt64(0x980), at: 0x930)
    }
    for index in 0..<libraryCount { bytes.put(Array("method\(index)".utf8), at: 0x980 + 8 * index) }
    precondition(path < 0x900)
  }

  // MARK: - Libraries

  private func symbol(_ name: Int, _ type: UInt8, _ value: UInt64) -> [UInt8] {
    var symbol = BinaryBuilder()
    symbol.u32(UInt32(name))
    symbol.u8(type)
    symbol.u8(1)
    symbol.u16(0)
    symbol.unsigned(value, size: wordSize)
    return symbol.bytes
  }

  private func addLibrary(_ index: Int, to bytes: inout [UInt8]) {
    let start = fileBase(index)
    let (data, linkEdit) = (start + 0x10_0000, start + 0x20_0000)
    let code = start + UInt64(Self.codeOffset)
    var commands = BinaryBuilder()
    func segment(
      _ name: String, _ address: UInt64, _ size: UInt64, _ offset: Int,
      _ sections: [(name: String, address: UInt64, size: UInt64, offset: Int, flags: UInt32)] = []
    ) {
      let sectionSize = kind.is64Bit ? 80 : 68
      commands.u32(kind.is64Bit ? 0x19 : 1)
      commands.u32(UInt32((kind.is64Bit ? 72 : 56) + sectionSize * sections.count))
      commands.fixedString(name, width: 16)
      for number in [address, size, UInt64(offset), size] {
        commands.unsigned(number, size: wordSize)
      }
      for number in [7, 5, UInt32(sections.count), 0] { commands.u32(number) }
      for section in sections {
        commands.fixedString(section.name, width: 16)
        commands.fixedString(name, width: 16)
        commands.unsigned(section.address, size: wordSize)
        commands.unsigned(section.size, size: wordSize)
        for number in [UInt32(section.offset), 0, 0, 0, section.flags, 0, 0] {
          commands.u32(number)
        }
        if kind.is64Bit { commands.u32(0) }
      }
    }
    segment(
      "__TEXT", start + UInt64(Self.libraryOffset), 0x1000, Self.libraryOffset,
      [("__text", code, 0x60, Self.codeOffset, 0x8000_0400)])
    segment(
      "__DATA_CONST", data, 0x1000, 0x2000,
      [("__objc_classlist", data, UInt64(wordSize), 0x2000, 0)])
    segment("__LINKEDIT", linkEdit, 0x1000, Self.linkEditOffset)
    commands.u32(0x1b)
    commands.u32(24)
    commands.append(uuid(ofLibrary: index))
    for number in [2, 24, 0x3000, 2, 0x3200, 0x80] as [UInt32] { commands.u32(number) }
    for number in [0x8000_0033, 16, UInt32(Self.trieOffset), 0x60] { commands.u32(number) }
    for number in [0x26, 16, 0x3080, 8] as [UInt32] { commands.u32(number) }

    var header = BinaryBuilder()
    for number in [
      kind.is64Bit ? 0xfeed_facf : 0xfeed_face, kind.cpu.type, kind.cpu.subtype, 6, 7,
      UInt32(commands.count), 0,
    ] as [UInt32] { header.u32(number) }
    if kind.is64Bit { header.u32(0) }
    bytes.put(header.bytes + commands.bytes, at: Self.libraryOffset)

    // The symbol table: an external symbol, and one whose name is redacted.
    bytes.put(symbol(1, 0x0f, code) + symbol(0x20, 0x0e, code + 0x30), at: 0x3000)
    bytes.put(Array("_exported\(index)".utf8), at: 0x3201)
    bytes.put(Array("<redacted>".utf8), at: 0x3220)
    // Function starts, from the start of the library: 0x800, and five times 0x10.
    bytes.put([0x80, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0], at: 0x3080)
    // The exports: a root with two edges, and a leaf for each. 0x800 is 80 10 as ULEB128.
    let edges = Array("_exported\(index)\0".utf8) + [0x30] + Array("_trie\(index)\0".utf8) + [0x38]
    bytes.put([0, 2] + edges, at: Self.trieOffset)
    bytes.put([3, 0, 0x80, 0x10, 0], at: Self.trieOffset + 0x30)
    bytes.put([3, 0, 0x90, 0x10, 0], at: Self.trieOffset + 0x38)
    addClass(index, to: &bytes, data: data, code: code)
  }

  private func addClass(_ index: Int, to bytes: inout [UInt8], data: UInt64, code: UInt64) {
    let start = fileBase(index)
    let word = UInt64(wordSize)
    func put(_ address: UInt64, at place: UInt64) {
      var pointer = BinaryBuilder()
      pointer.unsigned(stored(address), size: wordSize)
      bytes.put(pointer.bytes, at: Int(0x2000 + place - data))
    }
    let (list, name) = (start + 0x1940, start + 0x1900)
    put(data + 0x40, at: data)
    // The class with its content; its metaclass is absent.
    put(data + 0x100, at: data + 0x40 + 4 * word)
    let nameOffset: UInt64 = kind.is64Bit ? 24 : 16
    put(name, at: data + 0x100 + nameOffset)
    put(list, at: data + 0x100 + nameOffset + word)
    bytes.put(Array("Class\(index)".utf8), at: 0x1900)
    bytes.put(UInt32(0xc000_000c), at: 0x1940)
    bytes.put(UInt32(1), at: 0x1944)
    let entry = start + 0x1948
    // Relative to the base in the main file, or to the entry.
    let selector =
      kind.hasSelectorBase
      ? UInt32(8 * index) : UInt32(truncatingIfNeeded: selectorAddress(index) &- entry)
    bytes.put(selector, at: 0x1948)
    bytes.put(UInt32(truncatingIfNeeded: code &+ 0x40 &- (entry + 8)), at: 0x1950)
  }

  private func selectorAddress(_ index: Int) -> UInt64 { base + 0x980 + 8 * UInt64(index) }

  /// A pointer as the loader finds it in the file.
  private func stored(_ address: UInt64) -> UInt64 {
    switch kind.slideVersion {
    case 3:
      address & 0x40 != 0 ? 1 << 63 | 1 << 51 | (address - base) : 1 << 51 | address
    case 4: 1 << 30 | (address - base)
    case 5: 1 << 52 | (address - base)
    default: 1 << 40 | (address - base)
    }
  }

  // MARK: - Local symbols

  private func addLocalSymbols(to bytes: inout [UInt8], at offset: Int) {
    var symbols: [UInt8] = []
    var strings: [UInt8] = [0]
    var entries = BinaryBuilder()
    for index in 0..<libraryCount {
      let library = fileBase(index) + UInt64(Self.libraryOffset)
      entries.unsigned(library - base, size: kind.hasSymbolFile ? 8 : 4)
      entries.u32(UInt32(index))
      entries.u32(1)
      symbols += symbol(
        strings.count, 0x0e, fileBase(index) + UInt64(Self.codeOffset) + 0x20)
      strings += Array("_local\(index)\0".utf8)
    }
    var info = BinaryBuilder()
    let stringsOffset = 24 + symbols.count
    for number in [
      24, libraryCount, stringsOffset, strings.count, stringsOffset + strings.count, libraryCount,
    ] { info.u32(UInt32(number)) }
    let all = info.bytes + symbols + strings + entries.bytes
    bytes.put(all, at: offset)
    bytes.put(UInt64(offset), at: 0x48)
    bytes.put(UInt64(all.count), at: 0x50)
  }

  /// Writes the files to a folder.
  ///
  /// - Returns: the path of the main file.
  public func write(to folder: TemporaryDirectory, named name: String = "cache") throws -> String {
    for file in files { try folder.write(file.bytes, to: name + file.suffix) }
    return folder.path(name)
  }
}

extension [UInt8] {
  public mutating func pad(to count: Int) {
    if self.count < count { self += [UInt8](repeating: 0, count: count - self.count) }
  }

  /// Overwrites the bytes at `offset`; there are zeros before, if there was nothing.
  public mutating func put(_ bytes: [UInt8], at offset: Int) {
    pad(to: offset + bytes.count)
    replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }

  /// Overwrites the bytes at `offset` with a number, the least significant byte first.
  public mutating func put(_ number: some FixedWidthInteger, at offset: Int) {
    var bytes = BinaryBuilder()
    bytes.number(number)
    put(bytes.bytes, at: offset)
  }
}
