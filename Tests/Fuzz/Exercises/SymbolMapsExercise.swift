import BinaryInput
import ObjectFiles
import SymbolicationModel

/// Reads the input as a symbol map, and as a hidden name.
func exerciseSymbolMaps(_ bytes: [UInt8]) throws(Violation) {
  _ = HiddenName(String(decoding: bytes.prefix(64), as: UTF8.self))
  _ = WrittenIdentity(String(decoding: bytes.prefix(200), as: UTF8.self))
  guard let map = try? BcSymbolMap(ByteRegion(copying: bytes)) else { return }
  // The names again, by the definition: the lines after the first.
  var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .dropFirst()
  if lines.last?.isEmpty == true { lines.removeLast() }
  try require(map.count == lines.count, "a map has as many names as lines after the first")
  for (number, line) in lines.prefix(1000).enumerated() {
    guard let hidden = HiddenName("__hidden#\(number)_") else {
      throw Violation(statement: "a number makes a hidden name", file: #fileID, line: #line)
    }
    try require(hidden.number == number, "a hidden name has its number")
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    let isName = !text.isEmpty && line.count <= BcSymbolMap.nameLimit
    try require(
      map.name(of: hidden) == (isName ? String(decoding: text, as: UTF8.self) : nil),
      "name \(number) is line \(number)")
  }
  try require(
    HiddenName("__hidden#\(lines.count)_").flatMap { map.name(of: $0) } == nil,
    "no name follows the last line")
}
