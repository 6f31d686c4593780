@inline(never) public func checksum(_ bytes: [UInt8]) -> UInt32 {
  var sum: UInt32 = 5381
  for byte in bytes {
    sum = sum &* 33 ^ UInt32(byte)
  }
  return sum
}
