import BinaryInput
import SymbolIndex
import SymbolicationModel

/// The number of functions of an input that are looked up: inputs are small, but tables may claim
/// many.
private let functionLimit = 512

func exerciseGsym(_ bytes: [UInt8]) throws(Violation) {
  let region = ByteRegion(copying: bytes)
  // With a trailer, damage is found by checksums; a damaged one is rejected. The file is read
  // without it, too.
  if let index = try? IndexFile(region, path: "input"), index.trailer != nil {
    _ = index.hasIntactContent
    try exercise(index.gsym)
  }
  guard let file = try? GsymFile(region) else { return }
  try require(GsymHeader.begins(region), "what is read begins like a GSYM file")
  try exercise(file)
}

private func exercise(_ file: GsymFile) throws(Violation) {
  try require(
    file.uuid.count <= (file.header.version == 1 ? GsymHeader.maximumUuidSize : 64),
    "a UUID has up to 20 bytes, in version 2 up to 64")
  var reused = GsymAnswer()
  for index in 0..<min(file.functionCount, functionLimit) {
    // If a record cannot be read, only that record is lost.
    guard let function = (try? file.function(at: index)).flatMap(\.self) else { continue }
    try check(function, of: file)
    var addresses = [function.range.lowerBound.value, function.range.upperBound.value]
    addresses += function.rows.prefix(64).map(\.address.value)
    for range in function.inlinedRanges.prefix(64) {
      addresses += [range.lowerBound.value, range.upperBound.value]
    }
    for address in addresses {
      for asked in [address &- 1, address, address &+ 1] {
        try check(LinkAddress(asked), in: file, &reused)
      }
    }
  }
  for address: UInt64 in [0, 1, .max / 2, .max] {
    try check(LinkAddress(address), in: file, &reused)
  }
}

private func check(_ function: GsymFunction, of file: GsymFile) throws(Violation) {
  _ = try? file.name(at: function.name)
  for row in function.rows.prefix(64) { _ = try? file.path(ofFile: row.file) }
  for call in function.inlinedCalls {
    try require(
      call.ranges, in: 0..<function.inlinedRanges.count, "the ranges of a call are the function's")
  }
}

/// An answer must not depend on earlier uses of its memory, and its frames contain the address.
private func check(
  _ address: LinkAddress, in file: GsymFile, _ reused: inout GsymAnswer
) throws(Violation) {
  let fresh: GsymAnswer?
  do {
    fresh = try file.lookup(address)
  } catch {
    return
  }
  let isFound = (try? file.lookup(address, into: &reused)) ?? false
  try require(isFound == (fresh != nil), "a lookup finds what it found before")
  guard let fresh else { return }
  try require(fresh == reused, "an answer does not depend on the one before")
  try require(!fresh.frames.isEmpty, "an answer has a frame")
  for frame in fresh.frames {
    _ = try? file.name(at: frame.name)
    if let location = frame.location { _ = try? file.path(ofFile: location.file) }
  }
}
