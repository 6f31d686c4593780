/// A 64-bit ELF library with a build-id and nothing else (System V gABI: header, two program
/// headers, a note).
public enum TinyElf {
  public static func bytes(buildId: [UInt8]) -> [UInt8] {
    var file = BinaryBuilder()
    file.append([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    file.u16(3)  // ET_DYN
    file.u16(62)  // EM_X86_64
    file.u32(1)
    file.u64(0)
    file.u64(64)  // e_phoff
    file.u64(0)
    file.u32(0)
    for size in [64, 56, 2, 64, 0, 0] as [UInt16] { file.u16(size) }
    let noteSize = UInt64(16 + (buildId.count + 3) / 4 * 4)
    // PT_LOAD and PT_NOTE.
    for (type, offset, size) in [(1, 0, 176 + noteSize), (4, 176, noteSize)]
      as [(UInt32, UInt64, UInt64)]
    {
      file.u32(type)
      file.u32(4)
      file.u64(offset)
      file.u64(offset)
      file.u64(offset)
      file.u64(size)
      file.u64(size)
      file.u64(4)
    }
    file.u32(4)
    file.u32(UInt32(buildId.count))
    file.u32(3)  // NT_GNU_BUILD_ID
    file.cString("GNU")
    file.append(buildId)
    file.pad(to: Int(176 + noteSize))
    return file.bytes
  }
}
