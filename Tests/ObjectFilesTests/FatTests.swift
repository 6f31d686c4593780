import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are those put into the file, or follow from `<mach-o/fat.h>`.
@Suite struct FatTests {
  private static func slice(
    _ type: UInt32, _ subtype: UInt32, identity: UInt8
  ) -> FatImage.Slice {
    FatImage.Slice(
      cpuType: type, cpuSubtype: subtype,
      bytes: MachOImage(
        is64Bit: type & 0x0100_0000 != 0, cpuType: type, cpuSubtype: subtype,
        uuid: [UInt8](repeating: identity, count: 16)
      ).bytes)
  }
  private static let x86_64 = slice(0x0100_0007, 3, identity: 1)
  private static let x86_64h = slice(0x0100_0007, 8, identity: 2)
  private static let arm64 = slice(0x0100_000c, 0, identity: 3)
  private static let arm64e = slice(0x0100_000c, 0x8000_0002, identity: 4)
  private static let armv7 = slice(12, 9, identity: 5)

  @Test(arguments: [false, true], [false, true])
  func readsAllKindsOfHeaders(is64Bit: Bool, bigEndian: Bool) throws {
    let image = FatImage(
      is64Bit: is64Bit, bigEndian: bigEndian, slices: [Self.x86_64, Self.armv7, Self.arm64e])
    let container = try parse(image.bytes)
    expectEqual(container.kind, is64Bit ? .fat64 : .fat)
    expectEqual(container.objectFiles.map(\.architecture), [.x86_64, .armv7, .arm64e])
    expectEqual(container.objectFiles.map { $0.identity?.bytes.first }, [1, 5, 4])
    expectEqual(container.faults, [])
  }

  @Test func findsSlicesByArchitecture() throws {
    let container = try parse(FatImage(slices: [Self.x86_64, Self.arm64]).bytes)
    func identity(_ architecture: Architecture) -> UInt8? {
      container.objectFile(for: architecture)?.identity?.bytes.first
    }
    expectEqual(identity(.x86_64), 1)
    expectEqual(identity(.arm64), 3)
    expectEqual(identity(.arm64e), 3)
    expectEqual(identity(.x86_64h), 1)
    expectNil(identity(.armv7))
  }

  @Test func prefersTheSliceItselfAndNeverFallsForward() throws {
    let both = try parse(
      FatImage(slices: [Self.arm64, Self.arm64e, Self.x86_64, Self.x86_64h]).bytes)
    expectEqual(both.objectFile(for: .arm64e)?.identity?.bytes.first, 4)
    expectEqual(both.objectFile(for: .x86_64h)?.identity?.bytes.first, 2)
    let newer = try parse(FatImage(slices: [Self.arm64e, Self.x86_64h]).bytes)
    expectNil(newer.objectFile(for: .arm64))
    expectNil(newer.objectFile(for: .x86_64))
  }

  @Test func findsSlicesByIdentity() throws {
    let container = try parse(FatImage(slices: [Self.x86_64, Self.arm64]).bytes)
    let known = try require(ImageIdentity(bytes: [UInt8](repeating: 3, count: 16)))
    expectEqual(container.objectFile(identity: known)?.architecture, .arm64)
    let unknown = try require(ImageIdentity(bytes: [UInt8](repeating: 9, count: 16)))
    expectNil(container.objectFile(identity: unknown))
  }

  /// A class file of Java 17: minor version 0, major version 61, the size of the constant pool, …
  @Test func refusesJavaClassFiles() {
    let bytes: [UInt8] = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 29, 10, 0, 6, 0, 15, 9]
    expectEqual(refusal(of: bytes), .unlikelySliceCount(61))
    // The oldest: 45.3, written minor version first.
    expectEqual(refusal(of: [0xca, 0xfe, 0xba, 0xbe, 0, 3, 0, 45]), .unlikelySliceCount(0x3002d))
    // LLVM draws the line here as well.
    expectEqual(refusal(of: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 43]), .unlikelySliceCount(43))
    expectEqual(
      refusal(of: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 42]),
      .truncated(.fatHeader, offset: 8, wanted: 4, available: 8))
  }

  @Test func refusesHeadersWithoutSlices() {
    expectEqual(refusal(of: FatImage(slices: []).bytes), .noSlices)
    expectEqual(
      refusal(of: [0xca, 0xfe, 0xba, 0xbe, 0, 0]),
      .truncated(.fatHeader, offset: 4, wanted: 4, available: 6))
    expectEqual(
      refusal(of: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 20)),
      .truncated(.fatHeader, offset: 28, wanted: 4, available: 28))
    expectEqual(
      refusal(of: FatImage(is64Bit: true, slices: [Self.arm64], count: .max).bytes),
      .unlikelySliceCount(.max))
  }

  @Test func keepsTheUsableSlices() throws {
    var damaged = Self.x86_64
    damaged.bytes.replaceSubrange(36..<40, with: [0, 0, 0, 0])
    var outside = Self.armv7
    outside.size = 1 << 20
    let image = FatImage(slices: [damaged, Self.arm64, outside])
    let bytes = image.bytes
    let container = try parse(bytes)
    expectEqual(container.objectFiles.map(\.architecture), [.arm64])
    let armv7Offset = 8 + 60 + damaged.bytes.count + Self.arm64.bytes.count
    expectEqual(
      container.faults,
      [
        ObjectFileError(
          path: "file", architecture: .x86_64,
          reason: .loadCommandSize(index: 0, command: 2, size: 0, available: 48)),
        ObjectFileError(
          path: "file", architecture: .armv7,
          reason: .truncated(
            .slice(2), offset: UInt64(armv7Offset), wanted: 1 << 20,
            available: UInt64(bytes.count))),
      ])
  }

  @Test func refusesAFileWithoutAUsableSlice() {
    var archive = Self.x86_64
    archive.bytes = Array("!<arch>\n".utf8)
    var empty = Self.arm64
    empty.bytes = []
    expectEqual(
      refusal(of: FatImage(slices: [archive, empty]).bytes),
      .noUsableSlice([
        ObjectFileError(
          path: "file", architecture: .x86_64,
          reason: .unrecognized(firstBytes: Array("!<arch>\n".utf8))),
        ObjectFileError(path: "file", architecture: .arm64, reason: .empty),
      ]))
  }

  /// A fat file within a fat file, and an ELF file within one, do not exist.
  @Test func slicesAreThinMachOFiles() {
    for bytes in [FatImage(slices: [Self.arm64]).bytes, ElfImage().bytes] {
      let image = FatImage(slices: [FatImage.Slice(bytes: bytes)])
      expectEqual(
        refusal(of: image.bytes),
        .noUsableSlice([
          ObjectFileError(
            path: "file", architecture: .arm64,
            reason: .unrecognized(firstBytes: Array(bytes[..<8])))
        ]))
    }
  }

  @Test func slicesDoNotShareBytes() throws {
    var same = Self.arm64
    same.bytes = []
    same.offset = 8 + 40
    same.size = UInt64(Self.arm64.bytes.count)
    let container = try parse(FatImage(slices: [Self.arm64, same]).bytes)
    expectEqual(container.objectFiles.count, 1)
    expectEqual(container.faults.map(\.reason), [.overlappingSlice(index: 1)])
  }

  @Test func slicesMayNotReachBeyondSixtyFourBits() {
    var slice = Self.arm64
    slice.offset = .max
    slice.size = 2
    expectEqual(
      refusal(of: FatImage(is64Bit: true, slices: [slice]).bytes),
      .noUsableSlice([
        ObjectFileError(
          path: "file", architecture: .arm64,
          reason: .overflow(.slice(0), start: .max, size: 2))
      ]))
  }

  @Test func believesTheSliceAboutItsArchitecture() throws {
    var slice = Self.arm64e
    slice.cpuSubtype = 0
    let container = try parse(FatImage(slices: [slice]).bytes)
    expectEqual(container.objectFiles.map(\.architecture), [.arm64e])
    expectEqual(
      container.faults,
      [
        ObjectFileError(
          path: "file", architecture: .arm64e, reason: .architectureMismatch(fatHeader: .arm64))
      ])
  }
}
