import CrashLogParser
import SymbolicationModel

/// Checks a frame that was read into values. Swift's backtraces have such frames.
func check(_ values: FrameValues, of frame: StackFrame, _ bytes: [UInt8]) throws(Violation) {
  guard let line = values.parts else { return }
  let parts = [line.index, line.attributes, line.address, line.content].compactMap(\.self)
  for part in parts { try require(part, in: values.byteRange, "part of a frame") }
  try requireAscending(parts, "parts of a frame")
  if let range = line.address, let address = frame.address, !bytes[range].contains(0x1b) {
    let digits = String(decoding: bytes[range].dropFirst(2), as: UTF8.self)
    try require(UInt64(digits, radix: 16) == address.value, "the address is what its digits say")
  }
}
