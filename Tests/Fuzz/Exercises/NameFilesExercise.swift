import BinaryInput
import CoreSymbolication
import LearntNames
import SymbolicationModel

/// The number of addresses that are asked about for each input.
private let addressLimit = 256

func exerciseNameFiles(_ bytes: [UInt8]) throws(Violation) {
  try exerciseObjectFiles(bytes)
  try exerciseSymbols(bytes)
  try exerciseLearnt(bytes)
  // Past the checksum, which nearly every change breaks.
  try exerciseLearnt(withChecksum(bytes))
}

/// Numbers of the input, with their neighbours: most of them are addresses or offsets.
private func numbers(in bytes: [UInt8]) -> [UInt64] {
  var numbers: [UInt64] = [0, .max]
  for start in stride(from: 0, to: bytes.count - 7, by: 4) where numbers.count < addressLimit {
    let long = bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    for number in [long, long & 0xffff_ffff] { numbers += [number, number &- 1, number &+ 1] }
  }
  return numbers
}

// MARK: Apple's `.symbols`

private func exerciseSymbols(_ bytes: [UInt8]) throws(Violation) {
  guard let file = try? CoreSymbolicationFile(guardedRegion(bytes), path: "input") else { return }
  for fault in file.faults {
    try require(fault.offset <= UInt64(bytes.count), "a fault lies in the file")
  }
  for number in numbers(in: bytes) {
    for address in [number, file.linkBase.value &+ number].map({ LinkAddress($0) }) {
      if let symbol = file.symbol(at: address) {
        try require(symbol.start <= address, "a symbol begins before its address")
        try require(!file.name(at: symbol.name).isEmpty, "a symbol has a name")
        try require(file.symbol(at: address) == symbol, "the same question has the same answer")
      }
      if let location = file.location(of: address) {
        try require(!file.path(at: location.path).isEmpty, "a place has a file")
      }
    }
  }
}

// MARK: Names learnt from reports

private func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
  let place = Int(LearntFile.checksumOffset)
  guard bytes.count >= place + 8,
    (try? LearntFile(ByteRegion(copying: bytes), path: "input")) != nil
  else { return bytes }
  var bytes = bytes
  var checksum = LearntFile.checksum(of: ByteRegion(copying: bytes))
  for index in place..<place + 8 {
    bytes[index] = UInt8(truncatingIfNeeded: checksum)
    checksum >>= 8
  }
  return bytes
}

private func exerciseLearnt(_ bytes: [UInt8]) throws(Violation) {
  let region = guardedRegion(bytes)
  guard let file = try? LearntFile(region, path: "input") else { return }
  for address in numbers(in: bytes) {
    guard let answer = file.answer(at: address) else { continue }
    try require(answer.start <= address, "a function begins before its address")
    try require(!answer.name.isEmpty, "a function has a name")
  }
  let isSound = (try? file.checkContent(path: "input")) != nil
  guard var image = LearntImage(file), isSound else { return }
  try requireSame(image)
  let observations = [1, 16, .max - 1].compactMap {
    LearntImage.Observation(start: $0, address: $0 + 1, name: "f")
  }
  image.add(Set(observations), incident: "00000000-0000-4000-8000-000000000000")
  try requireSame(image)
}

/// What is written is read as the same.
private func requireSame(_ image: LearntImage) throws(Violation) {
  guard let written = image.encoded else { return }
  guard let file = try? LearntFile(ByteRegion(copying: written), path: "written"),
    (try? file.checkContent(path: "written")) != nil, let again = LearntImage(file)
  else { throw Violation(statement: "what was written is read", file: #fileID, line: #line) }
  try require(again.functions == image.functions, "the functions are the same")
  try require(again.reports == image.reports, "the reports are the same")
}
