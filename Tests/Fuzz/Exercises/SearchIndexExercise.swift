import BinaryInput
import SymbolIndex
import SymbolStore

/// Reads the input as the index of a searched directory: as it is, and with the checksum that it
/// would need.
func exerciseSearchIndexes(_ bytes: [UInt8]) throws(Violation) {
  let roots = [false, true].map { SearchRoot("/", followsLinks: $0) }
  for root in roots {
    _ = DirectoryTreeCoding.decode(ByteRegion(copying: bytes), of: root)
    var checksum = IndexChecksum()
    let content = Array(bytes.dropLast(8))
    checksum.add(content)
    let sealed = content + (0..<8).map { UInt8(truncatingIfNeeded: checksum.value >> ($0 * 8)) }
    guard let tree = DirectoryTreeCoding.decode(ByteRegion(copying: sealed), of: root) else {
      continue
    }
    try check(tree, of: root, size: bytes.count)
  }
}

private func check(_ tree: DirectoryTree, of root: SearchRoot, size: Int) throws(Violation) {
  let links = tree.folders.flatMap(\.links)
  let texts = tree.folders.map(\.path) + tree.files.map(\.path) + links
  try require(texts.count <= size, "each string takes a byte of the input")
  // A byte that is not UTF-8 is read as a character of three bytes.
  try require(
    texts.reduce(0) { $0 + $1.utf8.count } <= 6 * size, "strings are as long as the text at most")
  guard let encoded = DirectoryTreeCoding.encode(tree, of: root) else { return }
  try require(
    DirectoryTreeCoding.decode(ByteRegion(copying: encoded), of: root) == tree,
    "what is written of a tree is read as the same")
}
