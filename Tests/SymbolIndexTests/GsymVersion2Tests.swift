import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Version 2 of the format. `Fixtures/Gsym/version2.py` wrote the files from one that llvm-gsymutil
/// wrote, after LLVM's HeaderV2.h and GlobalData.h.
struct GsymVersion2Tests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.path("Gsym/\(name).gsym"))
  }

  private static func file(_ name: String) throws -> GsymFile {
    try GsymFile(ByteRegion(copying: bytes(name)))
  }

  /// The second has big-endian numbers, 8-byte address offsets, and its tables in another order.
  @Test(arguments: [("inlines-version2", 2), ("inlines-version2-reversed", 8)])
  func answersAsVersion1(name: String, addressOffsetSize: Int) throws {
    let file = try Self.file(name)
    let version1 = try Self.file("inlines-version1")
    expectEqual(file.header.version, 2)
    expectEqual(version1.header.version, 1)
    expectEqual(file.header.addressOffsetSize, addressOffsetSize)
    expectEqual(file.uuid, version1.uuid)
    expectEqual(file.uuid.count, 16)
    expectEqual(file.extent, version1.extent)
    expectTrue(file.functionCount == version1.functionCount && file.functionCount > 50)
    let extent = try require(file.extent)
    var frameCount = 0
    for address in extent.lowerBound.value - 4..<extent.upperBound.value + 4 {
      let answer = try file.text(at: address)
      try expectEqual(answer, version1.text(at: address))
      frameCount += answer?.count ?? 0
    }
    #expect(frameCount > 10_000)
    for index in 0..<file.functionCount {
      try expectEqual(file.function(at: index), version1.function(at: index))
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func readsAllSizesOfAddressOffsets(size: UInt8) throws {
    let file = try GsymFile(Handmade(addressOffsetSize: size).region)
    try expectEqual(file.text(at: 0x1008), ["first + 8"])
    try expectNil(file.text(at: 0x1010))
    try expectEqual(file.text(at: 0x1023), ["second + 3"])
    try expectEqual(file.path(ofFile: 1), "/src/a.c")
  }

  private func error(_ handmade: Handmade) -> GsymError? {
    do throws(GsymError) {
      _ = try GsymFile(handmade.region)
      return nil
    } catch {
      return error
    }
  }

  @Test func refusesDamagedDirectories() {
    expectNil(error(Handmade()))
    expectEqual(error(Handmade(stringEncoding: 1)), .unsupportedStringEncoding(1))
    expectEqual(error(Handmade(addressOffsetSize: 3)), .unsupportedAddressOffsetSize(3))
    for (kind, table) in [
      (1, .addressOffsets), (2, .recordOffsets), (3, .strings), (4, .files), (5, .records),
    ] as [(UInt32, GsymTable)] {
      expectEqual(error(Handmade { $0.removeAll { $0.kind == kind } }), .missingTable(table))
      let beyond = Handmade { entries in
        for index in entries.indices where entries[index].kind == kind {
          entries[index].offset = .max - 3
        }
      }
      guard case .outOfBounds(table, offset: .max - 3, count: _, available: _) = error(beyond)
      else {
        Issue.record("\(table) beyond the end")
        continue
      }
    }
    let short = Handmade { $0[0].size -= 1 }
    expectEqual(error(short), .tableSize(.addressOffsets, stated: 3, expected: 4))
    let shortRecords = Handmade { $0[1].size = 8 }
    expectEqual(error(shortRecords), .tableSize(.recordOffsets, stated: 8, expected: 16))
    // The UUID is optional.
    expectNil(error(Handmade { $0.removeAll { $0.kind == 6 } }))
    let longUuid = Handmade { entries in
      entries[5].offset = 0
      entries[5].size = 65
    }
    expectEqual(error(longUuid), .oversizedUuid(65, limit: 64))
  }

  /// LLVM's reader keeps the last of several entries for a table, and ignores kinds it does not
  /// know.
  @Test func unknownAndRepeatedEntries() throws {
    let handmade = Handmade { entries in
      entries.insert((kind: 99, offset: .max, size: .max), at: 2)
      entries.insert((kind: 6, offset: 0, size: 4), at: 0)
    }
    let file = try GsymFile(handmade.region)
    expectEqual(file.uuid, [1, 2, 3, 4, 5])
    try expectEqual(file.text(at: 0x1000), ["first"])
  }

  @Test func directoriesEnd() {
    let endless = Handmade { entries in
      for _ in 0..<2000 { entries.append((kind: 99, offset: 0, size: 0)) }
    }
    expectEqual(error(endless), .unendedDirectory(entries: 1024))
    let bytes = Handmade().bytes
    func cut(_ count: Int) -> GsymError? {
      do throws(GsymError) {
        _ = try GsymFile(ByteRegion(copying: bytes[..<count]))
        return nil
      } catch {
        return error
      }
    }
    expectEqual(cut(19), .outOfBounds(.header, offset: 0, count: 20, available: 19))
    expectEqual(cut(30), .outOfBounds(.directory, offset: 20, count: 20, available: 30))
  }

  /// A record offset that overflows when the start of the records is added.
  @Test func recordOffsetsMayBeWrong() throws {
    let file = try GsymFile(Handmade(firstRecordOffset: .max - 3).region)
    #expect(throws: GsymError.malformedFunction(index: 0, offset: .max)) {
      try file.lookup(LinkAddress(0x1000))
    }
    try expectEqual(file.text(at: 0x1020), ["second"])
  }

  @Test func survivesBeingCutAndChanged() throws {
    let bytes = try Self.bytes("inlines-version2")
    var generator = SeededGenerator(seed: 5)
    var opened = 0
    for round in 0..<400 {
      var changed =
        round % 2 == 0
        ? Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))) : bytes
      for _ in 0..<(changed.isEmpty ? 0 : 8) {
        changed[Int.random(in: 0..<min(changed.count, 2000), using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      guard let file = try? GsymFile(ByteRegion(copying: changed)) else { continue }
      opened += 1
      for address in stride(from: UInt64(0x1_0000_4000), to: 0x1_0000_5600, by: 64) {
        _ = try? file.text(at: address)
      }
      for index in 0..<min(file.functionCount, 100) { _ = try? file.function(at: index) }
    }
    #expect(opened > 10)
  }
}

/// A small file of version 2, composed after HeaderV2.h and GlobalData.h.
private struct Handmade {
  var addressOffsetSize: UInt8 = 2
  var stringEncoding: UInt8 = 0
  var firstRecordOffset: UInt64 = 0
  /// Changes the entries of the directory.
  var change: (inout [(kind: UInt32, offset: UInt64, size: UInt64)]) -> Void = { _ in }

  /// Tables in the order of their kinds, with the UUID at the end.
  var bytes: [UInt8] {
    // Offsets in the string table: 1, 7, 14, 19.
    let strings = Array("\0first\0second\0/src\0a.c\0".utf8)
    var tables: [BinaryBuilder] = (0..<6).map { _ in BinaryBuilder() }
    for offset in [0, 0x20] as [UInt64] {
      switch addressOffsetSize {
      case 1: tables[0].u8(UInt8(offset))
      case 2: tables[0].u16(UInt16(offset))
      case 4: tables[0].u32(UInt32(offset))
      default: tables[0].u64(offset)
      }
    }
    // A record: size, name, the end of its parts.
    for name in [1, 7] as [UInt64] {
      tables[4].u32(0x10)
      tables[4].u64(name)
      tables[4].u64(0)
    }
    tables[1].u64(firstRecordOffset)
    tables[1].u64(20)
    tables[2].append(strings)
    tables[3].u32(2)
    for string in [0, 0, 14, 19] as [UInt64] { tables[3].u64(string) }
    tables[5].append([1, 2, 3, 4, 5])
    func entries(from start: UInt64) -> [(kind: UInt32, offset: UInt64, size: UInt64)] {
      var entries: [(kind: UInt32, offset: UInt64, size: UInt64)] = []
      var offset = start
      for (index, table) in tables.enumerated() {
        entries.append((UInt32(index + 1), offset, UInt64(table.count)))
        offset += UInt64(table.count)
      }
      change(&entries)
      return entries
    }
    let start = 20 + 20 * UInt64(entries(from: 0).count + 1)
    var file = BinaryBuilder()
    file.u32(0x4753_594d)
    file.u16(2)
    file.u8(addressOffsetSize)
    file.u8(stringEncoding)
    file.u64(0x1000)
    file.u32(2)
    for entry in entries(from: start) + [(0, 0, 0)] {
      file.u32(entry.kind)
      file.u64(entry.offset)
      file.u64(entry.size)
    }
    for table in tables { file.append(table.bytes) }
    return file.bytes
  }

  var region: ByteRegion { ByteRegion(copying: bytes) }
}
