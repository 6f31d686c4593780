import BinaryInput
import SymbolicationModel

/// The names that a Mach-O image exports, in the form in which the loader looks them up:
/// `LC_DYLD_EXPORTS_TRIE`, or the export part of `LC_DYLD_INFO`. Stripping leaves them.
///
/// A node begins with the size of its export, which is 0 if it exports nothing. The export follows:
/// flags, then offsets from the Mach-O header. Then comes the number of edges, and for each edge
/// the characters that it adds to the name and the offset of the node it leads to
/// (`<mach-o/loader.h>`, "dyld_info_command"; numbers are ULEB128).
///
/// Each node is read once. A trie with cycles, or with a part that many edges lead to, therefore
/// costs no more than its size. Names are put together when they are asked for.
struct ExportTrie: Sendable {
  /// `damagedExportTrie` for the first node that cannot be read, or that a second edge leads to.
  /// The nodes of other edges are used.
  let faults: [ObjectFileError]
  /// The exports that have an address in the image, in the order of the trie.
  let exports: [Export]
  /// The root is the first. Every node comes after its parent.
  private let nodes: [Node]
  private let data: ByteRegion

  struct Export {
    let address: UInt64
    /// The node where the name ends.
    let node: UInt32
  }

  private struct Node {
    let parent: UInt32
    /// The offset in the data of the characters of the edge to this node, and their number.
    let label: UInt32
    let labelSize: UInt32
  }

  /// How many bytes and nodes a name may have: each node may end another name.
  private static let nameLimit = 1 << 14
  /// What is shown of a longer one.
  private static let cutNameSize = 253

  /// The name that ends in the node at `index`; empty if there is no such node. Of a name that has
  /// too many bytes or nodes, `…` and the end.
  func name(ofNode index: Int) -> String {
    guard nodes.indices.contains(index) else { return "" }
    var labels: [Range<UInt64>] = []
    var size = 0
    var current = index
    // Parents have lower indices, so this ends.
    while current > 0, size <= Self.nameLimit, labels.count <= Self.nameLimit {
      let node = nodes[current]
      labels.append(UInt64(node.label)..<UInt64(node.label) + UInt64(node.labelSize))
      size += Int(node.labelSize)
      current = Int(node.parent)
    }
    var bytes: [UInt8] = []
    for label in labels.reversed() {
      for offset in label { if let byte = data.byte(at: offset) { bytes.append(byte) } }
    }
    let isCut = current > 0 || size > Self.nameLimit
    let shown = String(decoding: isCut ? bytes.suffix(Self.cutNameSize) : bytes[...], as: UTF8.self)
    return isCut ? "…" + shown : shown
  }

  /// - Parameter base: the address of the Mach-O header in the image.
  init(_ data: ByteRegion, base: UInt64, of file: ObjectFile) {
    var walk = Walk(data, base: base, byteOrder: file.byteOrder)
    walk.run()
    self.data = data
    self.nodes = walk.nodes
    self.exports = walk.exports
    self.faults = walk.firstFault.map { [file.error(.damagedExportTrie(offset: $0))] } ?? []
  }

  private struct Walk {
    let base: UInt64
    var reader: ByteReader
    var nodes: [Node] = []
    var exports: [Export] = []
    var firstFault: UInt64?
    /// One bit for each byte of the data, set when a node that begins there was read.
    private var seen: [UInt64]
    /// The nodes to read, by offset, with their indices in `nodes`. The last one is read next.
    private var waiting: [(offset: UInt64, node: Int)] = []

    init(_ data: ByteRegion, base: UInt64, byteOrder: ByteOrder) {
      self.base = base
      reader = data.reader(byteOrder: byteOrder)
      seen = Array(repeating: 0, count: data.count / 64 + 1)
    }

    mutating func run() {
      guard reader.count > 0 else { return }
      nodes.append(Node(parent: 0, label: 0, labelSize: 0))
      waiting = [(0, 0)]
      while let (offset, node) = waiting.popLast() {
        do {
          try read(offset, node)
        } catch {
          firstFault = firstFault ?? offset
        }
      }
    }

    private struct SecondVisit: Error {}

    private mutating func read(_ offset: UInt64, _ number: Int) throws {
      try reader.seek(to: offset)
      let word = Int(offset / 64)
      let bit: UInt64 = 1 << (offset % 64)
      guard seen[word] & bit == 0 else { throw SecondVisit() }
      seen[word] |= bit

      let size = try reader.readUleb128()
      var export = try reader.readRegion(count: size).reader(byteOrder: reader.byteOrder)
      if size > 0 { try readExport(&export, number) }
      let count = Int(try reader.read(UInt8.self))
      let first = waiting.count
      for _ in 0..<count {
        let label = reader.position
        let characters = try reader.readCString().count
        let child = try reader.readUleb128()
        guard let label = UInt32(exactly: label), let characters = UInt32(exactly: characters),
          let parent = UInt32(exactly: number)
        else { return }
        waiting.append((child, nodes.count))
        nodes.append(Node(parent: parent, label: label, labelSize: characters))
      }
      // The first edge is followed first.
      waiting[first...].reverse()
    }

    private mutating func readExport(_ reader: inout ByteReader, _ number: Int) throws {
      let flags = try reader.readUleb128()
      // EXPORT_SYMBOL_FLAGS_REEXPORT: the symbol is in another image.
      // EXPORT_SYMBOL_FLAGS_KIND_MASK: thread-local variables and absolute values are not code.
      guard flags & 0x08 == 0, flags & 0x03 == 0, let node = UInt32(exactly: number) else { return }
      exports.append(
        Export(address: base &+ (try reader.readUleb128()), node: node))
      // EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER: the stub's offset was the first, the resolver's
      // follows.
      if flags & 0x10 != 0 {
        exports.append(
          Export(address: base &+ (try reader.readUleb128()), node: node))
      }
    }
  }
}

extension ObjectFile {
  /// The code that the image exports, ready for lookups; `SymbolTable` says what is kept. Sizes are
  /// not known. Nil if there is no export trie, as in a dSYM, or if the file is not Mach-O.
  ///
  /// Throws `truncated` if the trie is beyond the end of the file. Cost: the whole trie is read at
  /// each call.
  package func exportedSymbols(
    functionStarts: FunctionStarts?
  ) throws(ObjectFileError) -> SymbolTable? {
    guard let range = exportTrie, let base = linkBase() else { return nil }
    let trie = ExportTrie(
      try bytes(of: .exportTrie, at: range), base: base.value, of: self)
    let code = codeSections
    var candidates: [SymbolTable.Candidate] = []
    candidates.reserveCapacity(trie.exports.count)
    for (index, export) in trie.exports.enumerated() {
      let start = architecture.hasThumb ? export.address & ~1 : export.address
      guard let number = UInt32(exactly: index),
        let section = code.lastStarting(upTo: LinkAddress(start), range: \.addresses),
        section.addresses.contains(LinkAddress(start))
      else { continue }
      candidates.append(
        SymbolTable.Candidate(
          start: start, limit: section.endOfUnsizedCode(at: start), name: export.node,
          index: number, hasSize: false, rank: 0))
    }
    return SymbolTable(
      candidates, names: .exportTrie(trie), boundaries: functionStarts?.all() ?? [],
      faults: trie.faults)
  }

  /// The code sections that are not empty, ascending by start.
  private var codeSections: [Section] {
    sections.filter { $0.holdsCode && !$0.addresses.isEmpty }
      .sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
  }
}

extension Section {
  /// The furthest end of code that begins at `start`, an address in this section: the end of the
  /// section, or among symbol stubs the end of one stub.
  func endOfUnsizedCode(at start: UInt64) -> UInt64 {
    let end = addresses.upperBound.value
    guard let size = stubLayout.map({ UInt64($0.stubSize) }), size > 0 else { return end }
    let into = (start - addresses.lowerBound.value) % size
    // Both sides are at most the section's size, so nothing overflows.
    return end - start > size - into ? start + (size - into) : end
  }
}
