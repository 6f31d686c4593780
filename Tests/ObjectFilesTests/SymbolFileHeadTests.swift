import BinaryInput
import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import ObjectFiles

/// What the first bytes of symbol files state. The UUIDs are those that `llvm-dwarfdump-19 --uuid`
/// prints.
struct SymbolFileHeadTests {
  /// Reads a head as from a stream: bytes before the last offset are gone.
  private func head(of bytes: [UInt8]) -> (finding: SymbolFileHead.Finding, end: Int) {
    var start: UInt64 = 0
    var end = 0
    let finding = SymbolFileHead.read { (offset, count) throws(Never) in
      #expect(offset >= start, "offsets never shrink")
      start = offset
      let lower = min(Int(clamping: offset), bytes.count)
      let upper = min(lower + count, bytes.count)
      end = max(end, upper)
      return ByteRegion(copying: bytes[lower..<upper])
    }
    return (finding, end)
  }

  @Test func dsym() throws {
    let bytes = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    let found = head(of: bytes)
    expectEqual(
      found.finding,
      .slices([
        SymbolFileHead(
          format: .machO, architecture: .arm64,
          identity: ImageIdentity(hexadecimal: "a4b1de4970b3301da64458d6bc22f513".utf8),
          hasDebugInfo: true)
      ]))
    #expect(found.end < bytes.count / 2)
  }

  /// For every fixture the head says what the whole file does, unless it asks for the whole file.
  @Test func everyFixture() throws {
    let root = Fixtures.path("")
    var counts: [ObjectFormat: Int] = [:]
    for name in try require(FileManager.default.enumerator(atPath: root)) {
      let path = "\(root)\(name)"
      guard !path.contains("/Malformed/"), let bytes = try? Fixtures.bytes(of: path),
        let container = try? ObjectContainer.parse(ByteRegion(copying: bytes), path: path)
      else { continue }
      guard case .slices(let heads) = head(of: bytes).finding else { continue }
      expectEqual(heads.count, container.objectFiles.count)
      let files = container.objectFiles
      for head in heads {
        counts[head.format, default: 0] += 1
        expectTrue(
          files.contains {
            $0.format == head.format && $0.architecture == head.architecture
              // A relocatable ELF file may have a note, which nobody asks for.
              && ($0.identity == head.identity || $0.fileType == .relocatable)
              && (head.hasDebugInfo == nil || head.hasDebugInfo == $0.hasDebugInfo)
          }, "\(path)")
      }
    }
    #expect(counts[.machO, default: 0] > 10)
    #expect(counts[.elf, default: 0] > 5)
  }

  /// Like an object file: `e_phnum` is 0.
  @Test func elfWithoutProgramHeaders() {
    var bytes = TinyElf.bytes(buildId: [1, 2, 3])
    bytes[56] = 0
    let found = head(of: bytes).finding
    guard case .slices(let heads) = found else {
      Issue.record("\(found)")
      return
    }
    expectEqual(heads.map(\.identity), [nil])
  }

  /// A 32-bit big-endian ELF file, by the gABI: 52 bytes of header, one program header (`PT_NOTE`)
  /// with 32, and a note.
  @Test(arguments: [false, true]) func elfNotes(_ is64Bit: Bool) {
    var file = BinaryBuilder(bigEndian: true)
    file.append([0x7f, 0x45, 0x4c, 0x46, is64Bit ? 2 : 1, 2, 1] + [UInt8](repeating: 0, count: 9))
    let word = is64Bit ? 8 : 4
    let headerSize: UInt64 = is64Bit ? 64 : 52
    let entrySize: UInt64 = is64Bit ? 56 : 32
    file.u16(3)  // ET_DYN
    file.u16(is64Bit ? 183 : 20)
    file.u32(1)
    file.unsigned(0, size: word)  // e_entry
    file.unsigned(headerSize, size: word)  // e_phoff
    file.unsigned(0, size: word)  // e_shoff
    file.u32(0)
    file.u16(UInt16(headerSize))
    file.u16(UInt16(entrySize))
    file.u16(1)
    file.u16(0)
    file.u16(0)
    file.u16(0)
    file.u32(4)  // PT_NOTE
    if is64Bit { file.u32(4) }
    file.unsigned(headerSize + entrySize, size: word)  // p_offset
    file.unsigned(0, size: word)
    file.unsigned(0, size: word)
    file.unsigned(44, size: word)  // p_filesz
    file.unsigned(44, size: word)
    if !is64Bit { file.u32(4) }
    file.unsigned(4, size: word)  // p_align
    // A note of another kind first.
    file.u32(4)
    file.u32(4)
    file.u32(1)
    file.cString("GNU")
    file.u32(0)
    file.u32(4)
    file.u32(8)
    file.u32(3)  // NT_GNU_BUILD_ID
    file.cString("GNU")
    file.append([1, 2, 3, 4, 5, 6, 7, 8])
    expectEqual(
      head(of: file.bytes).finding,
      .slices([
        SymbolFileHead(
          format: .elf, architecture: Architecture(name: is64Bit ? "arm64" : "ppc"),
          identity: ImageIdentity(bytes: [1, 2, 3, 4, 5, 6, 7, 8]), hasDebugInfo: nil)
      ]))
    // Notes that are not where the program headers say: only section headers lead to them.
    expectEqual(head(of: file.bytes.dropLast(28)).finding, .needsWholeFile)
  }

  @Test func otherFiles() {
    expectEqual(head(of: []).finding, .notASymbolFile)
    expectEqual(head(of: Array("text".utf8)).finding, .notASymbolFile)
    // A Java class file of version 52 begins like a fat file.
    expectEqual(
      head(of: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52] + [UInt8](repeating: 0, count: 99)).finding,
      .notASymbolFile)
    expectEqual(head(of: [0xcf, 0xfa, 0xed, 0xfe]).finding, .needsWholeFile)
    expectEqual(head(of: [0x7f, 0x45, 0x4c, 0x46, 2]).finding, .needsWholeFile)
    expectEqual(head(of: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1]).finding, .needsWholeFile)
  }
}

extension SymbolFileHeadTests {
  private func head(of bytes: ArraySlice<UInt8>) -> (finding: SymbolFileHead.Finding, end: Int) {
    head(of: Array(bytes))
  }
}
