import BinaryInput
import SymbolicationModel

/// Reads fields of a structure, and says which one is wrong.
struct FieldReader {
  let region: ByteRegion
  let path: String
  /// What truncation is a truncation of.
  let structure: String

  var size: UInt64 { UInt64(region.count) }

  func problem(_ kind: SymbolFileProblem.Kind) -> SymbolFileProblem {
    SymbolFileProblem(path: path, kind: kind)
  }

  private func truncated(_ offset: UInt64, _ wanted: UInt64) -> SymbolFileProblem {
    problem(.truncated(structure: structure, offset: offset, wanted: wanted, available: size))
  }

  func number(at offset: UInt64) throws(SymbolFileProblem) -> UInt32 {
    guard let number = region.unsigned(at: offset, size: 4, byteOrder: .little) else {
      throw truncated(offset, 4)
    }
    return UInt32(truncatingIfNeeded: number)
  }

  func number64(at offset: UInt64) throws(SymbolFileProblem) -> UInt64 {
    guard let number = region.unsigned(at: offset, size: 8, byteOrder: .little) else {
      throw truncated(offset, 8)
    }
    return number
  }

  func bytes(at offset: UInt64, count: UInt64) throws(SymbolFileProblem) -> [UInt8] {
    do {
      return try region.subregion(offset: offset, count: count).bytes
    } catch {
      throw truncated(offset, count)
    }
  }

  /// The path in `count` bytes, without the zeros after it.
  func path(
    at offset: UInt64, count: UInt64, _ field: String
  ) throws(SymbolFileProblem) -> String {
    guard let part = try? region.subregion(offset: offset, count: count) else {
      throw problem(
        .malformed(
          structure: "size of the \(field)", value: count,
          expected: .atMost(size - min(size, offset))))
    }
    return part.path(at: 0, count: part.countBeforeZero(from: 0) ?? part.count) ?? ""
  }

  /// Throws if the number at `offset` is not `value`.
  func expect(
    _ value: UInt32, at offset: UInt64, in field: String
  ) throws(SymbolFileProblem) {
    let found = try number(at: offset)
    guard found == value else {
      throw problem(
        .malformed(structure: field, value: UInt64(found), expected: .exactly(UInt64(value))))
    }
  }

  /// The end of a table of `count` records. Throws if it is not in the region.
  func end(
    ofTableAt offset: UInt64, count: UInt64, stride: UInt64, _ field: String
  ) throws(SymbolFileProblem) -> UInt64 {
    let room = (size - min(size, offset)) / stride
    guard count <= room else {
      throw problem(.malformed(structure: field, value: count, expected: .atMost(room)))
    }
    return offset + count * stride
  }

  /// The rest of the region as a structure of its own.
  func part(from offset: UInt64, _ structure: String) throws(SymbolFileProblem) -> FieldReader {
    guard offset <= size,
      let part = try? region.subregion(offset: offset, count: size - offset)
    else { throw truncated(offset, 0) }
    return FieldReader(region: part, path: path, structure: structure)
  }
}
