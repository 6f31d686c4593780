import BinaryInput
import BreakpadSymbols
import ObjectFiles
import SymbolicationModel

/// The number of addresses that are asked about for each input.
private let addressLimit = 256

func exerciseBreakpad(_ bytes: [UInt8]) throws(Violation) {
  if let module = BreakpadModule(bytes) {
    let size = module.identity?.bytes.count ?? 0
    try require(!module.isIdentityPrefix || size == 16 || size == 0, "a prefix has 16 bytes")
  }
  let region = ByteRegion(copying: bytes)
  let file = BreakpadFile(region)
  // Whatever the number of parts, the tables are the same.
  let inParts = BreakpadFile(region, jobs: 2, partSize: 64)
  try require(file.faults == inParts.faults, "faults do not depend on parts")
  try require(file.extent == inParts.extent, "the extent does not depend on parts")
  var texts = BreakpadTexts()
  for address in addresses(in: bytes) {
    let place = file.place(of: LinkAddress(address))
    try require(place == inParts.place(of: LinkAddress(address)), "answers do not depend on parts")
    switch place {
    case .function(let index):
      let function = file.function(index)
      try require(
        function.range.contains(LinkAddress(address)), "a function contains its address")
      var faults: [BreakpadFault] = []
      let frames = function.frames(
        at: LinkAddress(address), in: file, texts: &texts, faults: &faults)
      try require(
        frames.last?.start == function.range.lowerBound, "the last frame is the function")
      try require(
        frames.allSatisfy { $0.start.value <= address }, "a frame begins before its address")
    case .symbol(let index):
      try require(file.symbol(index).start.value <= address, "a symbol begins before its address")
    case nil: break
    }
  }
}

/// Hexadecimal numbers of the input, with their neighbours: most of them are addresses.
private func addresses(in bytes: [UInt8]) -> [UInt64] {
  var addresses: [UInt64] = [0, .max]
  for field in bytes.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") })
  where field.count <= 16 {
    guard addresses.count < addressLimit else { break }
    guard let number = UInt64(String(decoding: field, as: UTF8.self), radix: 16) else { continue }
    addresses += [number, number &- 1, number &+ 1]
  }
  return addresses
}
