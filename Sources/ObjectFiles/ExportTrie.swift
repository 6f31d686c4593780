import BinaryInput
import SymbolicationModel

/// The names that a Mach-O image exports, as the loader looks them up: `LC_DYLD_EXPORTS_TRIE`, or the
/// export part of `LC_DYLD_INFO`, which stripping leaves.
///
/// A node is the size of what it exports (0 for nothing) and that: flags, then offsets from the Mach-O
/// header; then the number of its edges, and for each the characters that it adds to the name and the
/// offset of the node it leads to (`<mach-o/loader.h>`, "dyld_info_command"; numbers are ULEB128).
///
/// Each node is read once, so that a trie with cycles, or with a part that many edges lead to, costs no
/// more than its size. Names are put together when they are asked for.
struct ExportTrie: Sendable {
  /// `damagedExportTrie` for the first node that cannot be read, or that a second edge leads to. What
  /// other edges lead to is used.
  let faults: [ObjectFileError]
  /// What is exported at an address of the image, in the order of the trie.
  let exports: [Export]
  /// The root first. A node comes after the one that leads to it.
  private let nodes: [Node]
  private let data: ByteRegion

  struct Export {
    let address: UInt64
    /// The node where the name ends.
    let node: UInt32
  }

  private struct Node {
    let parent: UInt32
    /// Where the characters of the edge to it are in the data, and how many.
    let label: UInt32
    let labelSize: UInt32
  }

  /// The name that ends in the node numbered `index`; empty where there is none.
  func name(ofNode index: Int) -> String {
    guard nodes.indices.contains(index) else { return "" }
    var labels: [Range<UInt64>] = []
    var place = index
    // Parents have lower numbers, so this ends.
    while place > 0 {
      let node = nodes[place]
      labels.append(UInt64(node.label)..<UInt64(node.label) + UInt64(node.labelSize))
      place = Int(node.parent)
    }
    var bytes: [UInt8] = []
    for label in labels.reversed() {
      for offset in label { if let byte = data.byte(at: offset) { bytes.append(byte) } }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter base: where the Mach-O header lies in the image.
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
    /// A bit for each byte of the data: whether a node that begins there was read.
    private var seen: [UInt64]
    /// Nodes to read: their offsets, and their numbers in `nodes`. The next one is the last.
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
      // EXPORT_SYMBOL_FLAGS_REEXPORT: it is in another image. EXPORT_SYMBOL_FLAGS_KIND_MASK: thread-local
      // variables and absolute values are no code.
      guard flags & 0x08 == 0, flags & 0x03 == 0, let node = UInt32(exactly: number) else { return }
      exports.append(
        Export(address: base &+ (try reader.readUleb128()), node: node))
      // EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER: the first is that of the stub.
      if flags & 0x10 != 0 {
        exports.append(
          Export(address: base &+ (try reader.readUleb128()), node: node))
      }
    }
  }
}

extension ObjectFile {
  /// The code that the image exports, ready for look-ups; nil where it has no export trie, as a dSYM, or
  /// is no Mach-O image. See `SymbolTable` for what is kept; sizes are not known.
  ///
  /// Throws `truncated` where the trie lies beyond the end of the file. Cost: it is read whole at each
  /// call.
  package func exportedSymbols(
    functionStarts: FunctionStarts?
  ) throws(ObjectFileError) -> SymbolTable? {
    guard let place = exportTrie, let base = linkBase() else { return nil }
    let trie = ExportTrie(
      try bytes(of: .exportTrie, at: place), base: base.value, of: self)
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

  /// The sections of code that are not empty, ascending by where they begin.
  private var codeSections: [Section] {
    sections.filter { $0.holdsCode && !$0.addresses.isEmpty }
      .sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
  }
}

extension Section {
  /// As far as code from `start` on, which the section holds, may reach: to the section's end, among
  /// symbol stubs to the end of one.
  func endOfUnsizedCode(at start: UInt64) -> UInt64 {
    let end = addresses.upperBound.value
    guard let size = stubLayout.map({ UInt64($0.stubSize) }), size > 0 else { return end }
    let into = (start - addresses.lowerBound.value) % size
    // Neither is more than the section has.
    return end - start > size - into ? start + (size - into) : end
  }
}
