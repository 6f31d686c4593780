import BinaryInput
import SymbolicationModel

/// The table of slices at the start of a fat Mach-O file (`<mach-o/fat.h>`).
///
/// The format is big-endian. Little-endian tables (`FAT_CIGAM`) are read too, because a careless
/// writer on a little-endian machine leaves them.
struct FatHeader {
  let kind: ObjectContainer.Kind
  let slices: [Slice]

  struct Slice {
    let architecture: Architecture
    /// In bytes, from the start of the file.
    let offset: UInt64
    let size: UInt64

    /// The slice's offsets in the file and its bytes. Throws `overflow` and `truncated` if the file
    /// does not hold them all.
    func content(
      index: Int, in region: ByteRegion, path: String
    ) throws(ObjectFileError) -> (range: Range<UInt64>, bytes: ByteRegion) {
      guard let range = fileRange(start: offset, size: size) else {
        throw ObjectFileError(
          path: path, architecture: architecture,
          reason: .overflow(.slice(index), start: offset, size: size))
      }
      do {
        return (range, try region.subregion(offset: offset, count: size))
      } catch {
        throw ObjectFileError(
          path: path, architecture: architecture, reason: .truncation(.slice(index), error))
      }
    }
  }

  /// A header that states so many slices or more is not one. A Java class file begins with the same
  /// magic number and has its version in this place: 45 (JDK 1.0) or more (Java SE specification,
  /// section 4.1).
  static let sliceLimit: UInt32 = 43

  /// Nil if `region` does not start with a fat header's magic number.
  static func parse(_ region: ByteRegion, path: String) throws(ObjectFileError) -> FatHeader? {
    guard case .fat(let is64Bit, let isBigEndian)? = SymbolFileMagic(region.prefix(4)) else {
      return nil
    }
    let kind: ObjectContainer.Kind = is64Bit ? .fat64 : .fat
    var reader = region.reader(byteOrder: isBigEndian ? .big : .little)
    let count: UInt32
    do {
      try reader.skip(4)
      count = try reader.read()
    } catch {
      throw ObjectFileError(path: path, reason: .truncation(.fatHeader, error))
    }
    guard count < Self.sliceLimit else {
      throw ObjectFileError(path: path, reason: .unlikelySliceCount(count))
    }
    guard count > 0 else { throw ObjectFileError(path: path, reason: .noSlices) }
    var slices: [Slice] = []
    do {
      for _ in 0..<count { slices.append(try readSlice(&reader, kind: kind)) }
    } catch {
      throw ObjectFileError(path: path, reason: .truncation(.fatHeader, error))
    }
    return FatHeader(kind: kind, slices: slices)
  }

  /// Reads a `fat_arch` or `fat_arch_64`.
  private static func readSlice(
    _ reader: inout ByteReader, kind: ObjectContainer.Kind
  ) throws(ByteReadError) -> Slice {
    let type: UInt32 = try reader.read()
    let subtype: UInt32 = try reader.read()
    let is64Bit = kind == .fat64
    let offset = try reader.readUnsigned(size: is64Bit ? 8 : 4)
    let size = try reader.readUnsigned(size: is64Bit ? 8 : 4)
    try reader.skip(is64Bit ? 8 : 4)  // align, reserved
    return Slice(
      architecture: Architecture(machCpuType: type, subtype: subtype), offset: offset, size: size)
  }
}
