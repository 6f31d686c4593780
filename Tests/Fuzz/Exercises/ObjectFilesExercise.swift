import BinaryInput
import DwarfReader
import ObjectFiles
import SymbolicationModel

func exerciseObjectFiles(_ bytes: [UInt8]) throws(Violation) {
  let region = guardedRegion(bytes)
  try checkArchives(in: region)
  let container: ObjectContainer
  do {
    container = try ObjectContainer.parse(region, path: "input")
  } catch {
    _ = SymbolFileProblem(error)
    return
  }
  try require(!container.objectFiles.isEmpty, "a container has an object file")
  try require(
    container.kind != .thin || container.objectFiles.count == 1, "a thin file has one")
  for fault in container.faults { _ = SymbolFileProblem(fault) }
  for file in container.objectFiles {
    try require(
      container.objectFile(for: file.architecture)?.architecture == file.architecture,
      "a slice is found by its architecture")
    if let identity = file.identity {
      try require(
        container.objectFile(identity: identity)?.identity == identity,
        "a slice is found by its identity")
    }
    try check(file, byteCount: bytes.count)
  }
  for architecture in [Architecture.arm64e, .x86_64h, .armv7, nil] {
    _ = try? container.preferredObjectFile(for: architecture)
  }
}

private func check(_ file: ObjectFile, byteCount: Int) throws(Violation) {
  try require(file.addressSize == 4 || file.addressSize == 8, "addresses have 4 or 8 bytes")
  for fault in file.faults { _ = SymbolFileProblem(fault) }
  for ranges in [file.loadedRanges, file.codeRanges] {
    try requireAscending(ranges, "ranges of addresses")
    try require(!ranges.contains(where: \.isEmpty), "no range of addresses is empty")
  }
  let loaded = file.loadedRanges
  if let base = file.linkBase(), let segment = file.segments.first {
    try require(
      file.segments.contains { $0.addresses.lowerBound.value & ~4095 == base.value & ~4095 },
      "the link base is that of a segment")
    try require(
      file.linkBase(segmentName: segment.name) != nil || file.format != .machO,
      "a segment is found by its name")
  }
  if file.format == .machO {
    for segment in file.segments where segment.name == "__TEXT" && !segment.addresses.isEmpty {
      try require(
        loaded.contains { $0.lowerBound <= segment.addresses.lowerBound }
          || file.fileType == .relocatable, "code is loaded")
    }
  }
  try checkDebugSections(of: file, byteCount: byteCount)
  try checkStubsAndFunctionStarts(of: file)
  try checkDebugMap(of: file)
  _ = try? file.debugLink()
  try checkLinkageTable(of: file)
  try check(of: file) { () throws(ObjectFileError) in try file.symbolTable() }
  try check(of: file) { () throws(ObjectFileError) in try file.dynamicSymbolTable() }
  if file.sharedCacheImage != nil {
    try check(of: file) { () throws(ObjectFileError) in try file.allNames().table }
  }
  let starts = (try? file.readFunctionStarts()) ?? nil
  try check(of: file) { () throws(ObjectFileError) in
    try file.exportedSymbols(functionStarts: starts)
  }
  var inner: ObjectFile?
  do {
    inner = try file.miniDebugInfo(inflatedSizeLimit: 1 << 20)
  } catch {
    _ = SymbolFileProblem(error)
  }
  if let inner {
    for fault in inner.faults { _ = SymbolFileProblem(fault) }
    try check(of: inner) { () throws(ObjectFileError) in try inner.symbolTable() }
  }
}

private func check(
  of file: ObjectFile, _ read: () throws(ObjectFileError) -> SymbolTable?
) throws(Violation) {
  let table: SymbolTable?
  do {
    table = try read()
  } catch {
    _ = SymbolFileProblem(error)
    return
  }
  if let table { try check(table, of: file) }
}

private func checkLinkageTable(of file: ObjectFile) throws(Violation) {
  let table: ProcedureLinkageTable?
  do {
    table = try file.readProcedureLinkageTable()
  } catch {
    _ = SymbolFileProblem(error)
    return
  }
  guard let table else { return }
  for section in file.sections.prefix(64) where section.isSymbolStubs {
    let start = section.addresses.lowerBound.value
    for offset in 0..<64 as Range<UInt64> {
      let address = LinkAddress(start &+ offset)
      guard let entry = table.entry(at: address) else { continue }
      try require(entry.addresses.contains(address), "an entry holds the address")
      try require(!entry.rawName.isEmpty, "an entry has a name")
    }
  }
}

private func checkStubsAndFunctionStarts(of file: ObjectFile) throws(Violation) {
  let stubs = (try? file.readSymbolStubs()) ?? nil
  let starts = (try? file.readFunctionStarts()) ?? nil
  for fault in starts?.faults ?? [] { _ = SymbolFileProblem(fault) }
  for section in file.sections.prefix(64) {
    let (low, high) = (section.addresses.lowerBound.value, section.addresses.upperBound.value)
    for value in [low &- 1, low, low / 2 + high / 2, high &- 1, high] {
      let address = LinkAddress(value)
      if let start = starts?.start(containing: address) {
        try require(start <= address, "a function starts before what it holds")
      }
      do {
        guard let stub = try stubs?.stub(at: address) else { continue }
        try require(stub.addresses.contains(address), "a stub holds the address")
      } catch let violation as Violation {
        throw violation
      } catch let error as ObjectFileError {
        _ = SymbolFileProblem(error)
      } catch {
        throw Violation(statement: "stub() throws \(error)", file: #fileID, line: #line)
      }
    }
  }
}

private func checkDebugSections(of file: ObjectFile, byteCount: Int) throws(Violation) {
  let limit: UInt64 = 1 << 20
  _ = file.hasDebugInfo
  for name in DwarfSectionName.allCases {
    do {
      guard let section = try file.debugSection(name.rawValue, inflatedSizeLimit: limit) else {
        continue
      }
      try require(
        section.count <= max(byteCount, Int(limit)), "a section is in the file or within the limit")
      // Reading the last byte shows whether the range ends in memory.
      _ = (section.byte(at: 0), section.byte(at: UInt64(max(section.count, 1)) - 1))
    } catch let error as ObjectFileError {
      _ = SymbolFileProblem(error)
    } catch let violation as Violation {
      throw violation
    } catch {
      throw Violation(statement: "debugSection() throws \(error)", file: #fileID, line: #line)
    }
  }
}

private func check(_ table: SymbolTable, of file: ObjectFile) throws(Violation) {
  for fault in table.faults { _ = SymbolFileProblem(fault) }
  let symbols = (0..<table.count).map { table[$0] }
  let starts = symbols.map(\.addresses.lowerBound)
  for (symbol, next) in zip(symbols, symbols.dropFirst()) {
    try require(
      symbol.addresses.lowerBound < next.addresses.lowerBound, "symbols ascend and are distinct")
  }
  // The list of a shared cache states where a library is, and the library where its code is. Dart's
  // files of symbols have their code in a section without a size.
  let isLimited =
    !file.codeRanges.isEmpty && file.sharedCacheImage == nil
    && !file.sections.contains { $0.holdsCode && $0.addresses.isEmpty }
  for (index, symbol) in symbols.enumerated() {
    try require(!symbol.addresses.isEmpty, "a symbol has code")
    try require(
      !isLimited || index > 64
        || file.codeRanges.contains { $0.contains(symbol.addresses.lowerBound) },
      "a symbol is in code")
    try require(
      table.index(of: symbol.addresses.lowerBound) == index, "a symbol is found at its start")
  }
  // Addresses around the edges, compared with a linear search through all symbols.
  for symbol in symbols.prefix(48) {
    let (low, high) = (symbol.addresses.lowerBound.value, symbol.addresses.upperBound.value)
    for value in [low &- 1, low, high &- 1, high, low / 2 + high / 2] {
      let address = LinkAddress(value)
      var expected: Int?
      for index in symbols.indices.reversed() where starts[index] <= address {
        if symbols[index].addresses.contains(address) {
          expected = index
          break
        }
      }
      try require(
        table.index(of: address) == expected, "the symbol that starts last holds the address")
    }
  }
}

private func checkDebugMap(of file: ObjectFile) throws(Violation) {
  _ = try? file.codeSymbolAddresses()
  guard let map = try? file.readDebugMap() else { return }
  try require(map.count > 0, "a debug map has a function")
  var last: LinkAddress?
  for index in 0..<min(map.count, 64) {
    let function = map[index]
    let start = function.addresses.lowerBound
    try require(!function.addresses.isEmpty, "a function has code")
    try require(last.map { $0 < start } ?? true, "functions ascend and are distinct")
    try require(map.function(at: start) == function, "a function is found at its start")
    try require(function.object < map.objectCount, "a function is of an object file")
    _ = map.object(function.object)
    last = start
  }
  _ = map.function(at: LinkAddress(.max))
}

/// What a debug map of the fixtures asks for, and names that hostile archives may have.
private func checkArchives(in region: ByteRegion) throws(Violation) {
  for archive in Archive.archives(in: region, path: "input") {
    for name in ["early.o", "interest-of-the-year.o", "a.o", "", "/", "//", "__.SYMDEF"] {
      for member in archive.members(named: name) {
        try require(member.content.count <= region.count, "a member is in the archive")
        guard let files = try? ObjectFile.machOFiles(in: member.content, path: "member") else {
          continue
        }
        for file in files { try checkDebugMap(of: file) }
      }
    }
  }
}
