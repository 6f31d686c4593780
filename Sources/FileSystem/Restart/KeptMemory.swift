import Platform
package import SystemPackage

/// Memory that is still there after the process has started its program anew (`Restart`).
///
/// It is a file without a name (memfd_create(2)), so nothing has to be written out at the moment of
/// a crash. It holds numbers, marks of items, a table of counts, and a text that grows at its end.
///
/// It has one owner. Only `mark` is called from elsewhere: by `Restart`, which then starts anew.
@safe package final class KeptMemory: @unchecked Sendable {
  // Soundness: `base` is a mapping of `size` bytes of the file. Every access is within it: numbers,
  // marks and the table have fixed places, and the text is between `textStart` and `size`.
  let descriptor: CInt
  private(set) var base: UnsafeMutableRawPointer
  private var size: Int

  /// Numbers with fixed places. The owner has those from `first` on.
  package enum Number {
    static let signature = 0
    /// The half-open range of the text.
    static let textLower = 1
    static let textUpper = 2
    static let markCount = 3
    static let tableCount = 4
    package static let first = 8
    package static let count = 256
  }

  /// Changes with the layout. A program only starts itself, so the layout is its own.
  private static let signature = 0x776f_726b_6572_0001
  static let markStart = Number.count * 8
  static let markLimit = 512
  private static let tableStart = markStart + markLimit * 16
  private static let textStart = tableStart + tableSize * entrySize

  private init(_ descriptor: CInt, _ base: UnsafeMutableRawPointer, size: Int) {
    self.descriptor = descriptor
    unsafe self.base = base
    self.size = size
  }

  deinit {
    unsafe munmap(base, size)
    close(descriptor)
  }

  /// New memory; nil if the system has none.
  package static func make() -> KeptMemory? {
    let descriptor = makeMemoryFile(name: "symbolicate")
    guard descriptor >= 0 else { return nil }
    let size = textStart + (1 << 20)
    guard ftruncate(descriptor, off_t(size)) == 0, let base = unsafe map(descriptor, size) else {
      close(descriptor)
      return nil
    }
    let memory = unsafe KeptMemory(descriptor, base, size: size)
    memory[Number.signature] = signature
    return memory
  }

  /// The memory that this program kept when it started anew. Nil if the descriptor is anything
  /// else.
  package static func adopt(_ descriptor: CInt) -> KeptMemory? {
    guard let status = try? FileStatus(FileDescriptor(rawValue: descriptor), path: ""),
      status.kind == .regularFile, status.size >= textStart, status.size < 1 << 40,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    let size = Int(status.size)
    guard let base = unsafe map(descriptor, size) else { return nil }
    let memory = unsafe KeptMemory(descriptor, base, size: size)
    let text = memory[Number.textLower]...max(memory[Number.textUpper], memory[Number.textLower])
    guard memory[Number.signature] == signature, text.lowerBound >= 0,
      text.upperBound <= size - textStart, (0...markLimit).contains(memory[Number.markCount])
    else { return nil }
    return memory
  }

  private static func map(_ descriptor: CInt, _ size: Int) -> UnsafeMutableRawPointer? {
    let base = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return unsafe base == MAP_FAILED ? nil : base
  }

  package subscript(number: Int) -> Int {
    get {
      precondition(number >= 0 && number < Number.count)
      return unsafe base.load(fromByteOffset: number * 8, as: Int.self)
    }
    set {
      precondition(number >= 0 && number < Number.count)
      unsafe base.storeBytes(of: newValue, toByteOffset: number * 8, as: Int.self)
    }
  }

  // MARK: Marks

  /// The reason with which an item was marked before the program started anew; nil if it was not.
  package func reason(ofMarked item: Int) -> Int? {
    for index in 0..<self[Number.markCount] {
      let place = Self.markStart + index * 16
      if unsafe base.load(fromByteOffset: place, as: Int.self) == item {
        return unsafe base.load(fromByteOffset: place + 8, as: Int.self)
      }
    }
    return nil
  }

  package var hasMarks: Bool { self[Number.markCount] > 0 }

  /// Forgets the marks of the items below `item`.
  package func dropMarks(below item: Int) {
    var kept = 0
    for index in 0..<self[Number.markCount] {
      let place = Self.markStart + index * 16
      let marked = unsafe base.load(fromByteOffset: place, as: Int.self)
      guard marked >= item else { continue }
      let reason = unsafe base.load(fromByteOffset: place + 8, as: Int.self)
      let target = Self.markStart + kept * 16
      unsafe base.storeBytes(of: marked, toByteOffset: target, as: Int.self)
      unsafe base.storeBytes(of: reason, toByteOffset: target + 8, as: Int.self)
      kept += 1
    }
    self[Number.markCount] = kept
  }

  // MARK: Counts by keys

  private static let tableSize = 1 << 17
  private static let entrySize = 48
  /// The length, and the key.
  private static let keySize = 40
  private static let tableLimit = 100_000

  /// Adds 1 to the count of a key. Only the first 39 bytes of a key count.
  ///
  /// - Returns: false if the table is full and does not have the key.
  package func count(_ key: [UInt8]) -> Bool {
    var entry = [UInt8](repeating: 0, count: Self.keySize)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    entry[0] = UInt8(min(key.count, Self.keySize - 1))
    for (index, byte) in key.prefix(Self.keySize - 1).enumerated() {
      entry[index + 1] = byte
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    var slot = Int(truncatingIfNeeded: hash >> 17) & (Self.tableSize - 1)
    for _ in 0..<Self.tableSize {
      let place = Self.tableStart + slot * Self.entrySize
      let number = unsafe base.load(fromByteOffset: place + Self.keySize, as: Int.self)
      if number == 0 {
        guard self[Number.tableCount] < Self.tableLimit else { return false }
        self[Number.tableCount] += 1
        for index in entry.indices {
          unsafe base.storeBytes(of: entry[index], toByteOffset: place + index, as: UInt8.self)
        }
      }
      if number == 0 || hasKey(entry, at: place) {
        unsafe base.storeBytes(
          of: number &+ 1, toByteOffset: place + Self.keySize, as: Int.self)
        return true
      }
      slot = (slot + 1) & (Self.tableSize - 1)
    }
    return false
  }

  private func hasKey(_ entry: [UInt8], at place: Int) -> Bool {
    entry.indices.allSatisfy {
      unsafe base.load(fromByteOffset: place + $0, as: UInt8.self) == entry[$0]
    }
  }

  /// The keys and their counts, in no order.
  package var counts: [(key: [UInt8], count: Int)] {
    var found: [(key: [UInt8], count: Int)] = []
    for slot in 0..<(self[Number.tableCount] > 0 ? Self.tableSize : 0) {
      let place = Self.tableStart + slot * Self.entrySize
      let number = unsafe base.load(fromByteOffset: place + Self.keySize, as: Int.self)
      guard number > 0 else { continue }
      let length = min(
        Int(unsafe base.load(fromByteOffset: place, as: UInt8.self)), Self.keySize - 1)
      let key = (0..<length).map {
        unsafe base.load(fromByteOffset: place + 1 + $0, as: UInt8.self)
      }
      found.append((key, number))
    }
    return found
  }

  // MARK: Text

  /// The text, as offsets that change when it is moved to the start of its memory.
  package var text: Range<Int> {
    self[Number.textLower]..<max(self[Number.textUpper], self[Number.textLower])
  }

  package func bytes(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: text)
    return unsafe Array(
      UnsafeRawBufferPointer(start: base + Self.textStart + range.lowerBound, count: range.count))
  }

  /// The offset of the first byte like this at or after `start`; the end of the text if there is
  /// none.
  package func firstOffset(of byte: UInt8, from start: Int) -> Int {
    let text = text
    guard start >= text.lowerBound, start < text.upperBound else { return text.upperBound }
    let place = unsafe base + Self.textStart + start
    guard let found = unsafe memchr(place, CInt(byte), text.upperBound - start) else {
      return text.upperBound
    }
    return unsafe start + (UnsafeRawPointer(found) - UnsafeRawPointer(place))
  }

  /// Drops the text before `offset`.
  package func dropText(before offset: Int) {
    self[Number.textLower] = min(max(offset, text.lowerBound), text.upperBound)
  }

  /// Drops the text from `offset` on.
  package func dropText(from offset: Int) {
    self[Number.textUpper] = min(max(offset, text.lowerBound), text.upperBound)
  }

  /// Replaces a byte of the text.
  package func replaceByte(at offset: Int, with byte: UInt8) {
    guard text.contains(offset) else { return }
    unsafe base.storeBytes(of: byte, toByteOffset: Self.textStart + offset, as: UInt8.self)
  }

  /// Makes room for `count` bytes more, so that `append` can read them.
  ///
  /// - Returns: by how much all offsets are less now.
  package func makeRoom(for count: Int) throws(Errno) -> Int {
    let text = text
    if Self.textStart + text.upperBound + count <= size { return 0 }
    if text.lowerBound > 0 {
      unsafe memmove(base + Self.textStart, base + Self.textStart + text.lowerBound, text.count)
      self[Number.textUpper] = text.count
      self[Number.textLower] = 0
    }
    let needed = Self.textStart + text.count + count
    if needed > size { try resize(to: max(needed, 2 * size)) }
    return text.lowerBound
  }

  private func resize(to newSize: Int) throws(Errno) {
    guard ftruncate(descriptor, off_t(newSize)) == 0, let new = unsafe Self.map(descriptor, newSize)
    else { throw .current }
    unsafe munmap(base, size)
    unsafe base = unsafe new
    size = newSize
  }

  /// Reads what is there, at most `count` bytes, for which there must be room.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  package func append(from file: FileDescriptor, count: Int) throws(Errno) -> Int {
    let end = text.upperBound
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: base + Self.textStart + end, count: min(count, size - Self.textStart - end))
    do {
      let count = try unsafe file.read(into: room, retryOnInterrupt: false)
      self[Number.textUpper] = end + count
      return count
    } catch {
      throw (error as? Errno) ?? .ioError
    }
  }
}
