import BinaryInput
import Platform

/// A region over a copy of `bytes` that ends, to the next multiple of 8, where a page ends that
/// nobody may read. So reading beyond the end is a signal, in a C library too.
func guardedRegion(_ bytes: [UInt8]) -> ByteRegion {
  let page = 4096
  let pages = (bytes.count + page - 1) / page * page
  let start = (pages - bytes.count) & ~7
  let content = Array(repeating: 0, count: start) + bytes
  let storage = ByteStorage(capacity: pages + page) { (output) in
    for byte in content { output.append(byte) }
    for _ in content.count..<(pages + page) { output.append(0 as UInt8) }
  }
  guard let storage else { return ByteRegion(copying: bytes) }
  let whole = ByteRegion(storage)
  unsafe mprotect(
    UnsafeMutableRawPointer(bitPattern: whole.memoryAddress + UInt(pages)), page, PROT_NONE)
  let region = try? whole.subregion(offset: UInt64(start), count: UInt64(bytes.count))
  return region ?? ByteRegion(copying: bytes)
}
