import Foundation
import TestSupport

/// The bytes of a little-endian 64-bit Mach-O file whose `N_OSO` entries are edited.
struct DebugMapEditing {
  private(set) var bytes: [UInt8]
  /// The offset of the `symtab_command`.
  private let command: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var offset = 32
    while Self.number(bytes, offset) != 2 { offset += Self.number(bytes, offset + 4) }
    command = offset
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private mutating func write(_ number: UInt64, at offset: Int, size: Int) {
    for index in 0..<size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }

  /// Gives the object file another path, which is appended to a copy of the string table, or
  /// another time.
  mutating func setObject(_ name: String, path: String? = nil, time: UInt64? = nil) {
    let symbols = Self.number(bytes, command + 8)
    let count = Self.number(bytes, command + 12)
    let strings = Self.number(bytes, command + 16)
    let stringsSize = Self.number(bytes, command + 20)
    for index in 0..<count {
      let entry = symbols + 16 * index
      let start = strings + Self.number(bytes, entry)
      guard bytes[entry + 4] == 0x66,
        String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self) == name
      else { continue }
      if let time { write(time, at: entry + 8, size: 8) }
      guard let path else { continue }
      let table = bytes[strings..<(strings + stringsSize)] + Array(path.utf8) + [0]
      write(UInt64(stringsSize), at: entry, size: 4)
      write(UInt64(bytes.count), at: command + 16, size: 4)
      write(UInt64(table.count), at: command + 20, size: 4)
      bytes += table
      return
    }
  }
}

extension DebugMapEditing {
  /// States that each function that was linked has `length` bytes (`N_FUN` without a name).
  mutating func setFunctionLengths(_ length: UInt64) {
    let symbols = Self.number(bytes, command + 8)
    let strings = Self.number(bytes, command + 16)
    for index in 0..<Self.number(bytes, command + 12) {
      let entry = symbols + 16 * index
      guard bytes[entry + 4] == 0x24, bytes[strings + Self.number(bytes, entry)] == 0 else {
        continue
      }
      write(length, at: entry + 8, size: 8)
    }
  }
}

extension [UInt8] {
  /// Sets the time of each member of an archive whose headers state 0.
  mutating func setMemberTimes(_ time: Int) {
    var offset = 8
    while offset + 60 <= count {
      let size =
        Int(
          String(decoding: self[(offset + 48)..<(offset + 58)], as: UTF8.self)
            .prefix { $0 != " " }) ?? 0
      let field = Array(Array("\(time)".utf8) + [UInt8](repeating: 0x20, count: 12)).prefix(12)
      replaceSubrange((offset + 16)..<(offset + 28), with: field)
      offset += 60 + size + size % 2
    }
  }
}

extension TemporaryDirectory {
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  /// - Parameter time: in seconds since 1970.
  func setModificationTime(_ time: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: TimeInterval(time))],
      ofItemAtPath: path(name))
  }
}
