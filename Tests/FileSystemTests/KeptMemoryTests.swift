import Platform
import SystemPackage
import TestSupport
import Testing

@testable import FileSystem

/// The memory that a program keeps when it starts itself anew.
struct KeptMemoryTests {
  /// The same file, mapped again, has everything.
  @Test func isThereForTheNextProgram() throws {
    let file = try TemporaryDirectory()
    let path = try file.write(Array("first\nsecond\nthird".utf8), to: "input")
    let input = try FileDescriptor.open(FilePath(path), .readOnly)
    defer { try? input.close() }
    let memory = try require(KeptMemory.make())
    try expectEqual(memory.makeRoom(for: 100), 0)
    try expectEqual(memory.append(from: input, count: 100), 18)
    memory.dropText(before: 6)
    memory[KeptMemory.Number.first + 3] = 42
    expectTrue(memory.count([1, 2, 3]))
    expectTrue(memory.count([1, 2, 3]))
    expectTrue(memory.count([]))

    let other = try require(KeptMemory.adopt(dup(memory.descriptor)))
    expectEqual(other.bytes(other.text), Array("second\nthird".utf8))
    expectEqual(other[KeptMemory.Number.first + 3], 42)
    expectEqual(other.firstOffset(of: UInt8(ascii: "\n"), from: other.text.lowerBound), 12)
    let counts = other.counts.sorted { $0.count < $1.count }
    expectEqual(counts.map(\.count), [1, 2])
    expectEqual(counts.map(\.key), [[], [1, 2, 3]])
  }

  @Test func textMovesAndGrows() throws {
    let file = try TemporaryDirectory()
    let size = 5 << 20
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let path = try file.write(bytes, to: "input")
    let input = try FileDescriptor.open(FilePath(path), .readOnly)
    defer { try? input.close() }
    let memory = try require(KeptMemory.make())
    var read: [UInt8] = []
    var moved = 0
    while true {
      moved += try memory.makeRoom(for: 1 << 18)
      let count = try memory.append(from: input, count: 1 << 18)
      if count == 0 { break }
      // Of each piece the last tenth stays for the next.
      let text = memory.text
      let end = text.upperBound - count / 10
      read += memory.bytes(text.lowerBound..<end)
      memory.dropText(before: end)
    }
    read += memory.bytes(memory.text)
    expectEqual(read, bytes)
    #expect(moved > 0)
  }

  @Test func otherFilesAreRefused() throws {
    let file = try TemporaryDirectory()
    let path = try file.write([UInt8](repeating: 1, count: 8 << 20), to: "other")
    let descriptor = try FileDescriptor.open(FilePath(path), .readWrite)
    expectNil(KeptMemory.adopt(descriptor.rawValue))
    expectNil(KeptMemory.adopt(-1))
    expectNil(KeptMemory.adopt(9999))
  }

  @Test func marks() throws {
    let memory = try require(KeptMemory.make())
    expectFalse(memory.hasMarks)
    expectNil(memory.reason(ofMarked: 0))
    // As `Restart` writes them.
    for (index, mark) in [(5, 11), (7, 0), (9, 6)].enumerated() {
      let place = KeptMemory.markStart + 16 * index
      unsafe memory.base.storeBytes(of: mark.0, toByteOffset: place, as: Int.self)
      unsafe memory.base.storeBytes(of: mark.1, toByteOffset: place + 8, as: Int.self)
    }
    memory[KeptMemory.Number.markCount] = 3
    expectEqual([5, 6, 7, 9].map { memory.reason(ofMarked: $0) }, [11, nil, 0, 6])
    memory.dropMarks(below: 7)
    expectEqual([5, 6, 7, 9].map { memory.reason(ofMarked: $0) }, [nil, nil, 0, 6])
    memory.dropMarks(below: 10)
    expectFalse(memory.hasMarks)
  }
}
