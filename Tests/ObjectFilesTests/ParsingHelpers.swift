import BinaryInput
import ObjectFiles
import SymbolicationModel

func parse(_ bytes: [UInt8]) throws(ObjectFileError) -> ObjectContainer {
  try ObjectContainer.parse(ByteRegion(copying: bytes), path: "file")
}

func region(_ bytes: [UInt8]) -> ByteRegion { ByteRegion(copying: bytes) }

/// The one object file of a thin file.
func parseThin(_ bytes: [UInt8]) throws(ObjectFileError) -> ObjectFile {
  try parse(bytes).objectFiles[0]
}

/// The reason why the bytes cannot be used, or nil.
func refusal(of bytes: [UInt8]) -> ObjectFileError.Reason? {
  do {
    _ = try parse(bytes)
    return nil
  } catch {
    return error.reason
  }
}

func addresses(_ start: UInt64, _ end: UInt64) -> Range<LinkAddress> {
  LinkAddress(start)..<LinkAddress(end)
}

extension [UInt8] {
  /// A copy with the bytes at `offset` replaced.
  func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
    var copy = self
    copy.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    return copy
  }
}
