import Foundation
import TestSupport

/// Finds symbol files by their first bytes.
enum SymbolFileDiscovery {
  /// The Mach-O and ELF files below `folder`, sorted by path.
  static func symbolFiles(below folder: String) -> [SymbolFile] {
    let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }) ?? []
    return names.sorted().flatMap { symbolFile("\(folder)/\($0)", name: $0.shortened) }
  }

  /// The symbol file at `path`; nil if it is of another kind.
  static func symbolFile(_ path: String, name: String) -> [SymbolFile] {
    isSymbolFile(path) ? [SymbolFile(path: path, description: name)] : []
  }

  private static func isSymbolFile(_ path: String) -> Bool {
    // A directory cannot be read.
    guard let handle = FileHandle(forReadingAtPath: path),
      let start = try? handle.read(upToCount: 4), start.count == 4
    else { return false }
    return magics.contains(Array(start))
  }

  /// ELF, Mach-O of 64 and 32 bits, fat Mach-O with 32-bit and 64-bit offsets.
  private static let magics: [[UInt8]] = [
    [0x7f, 0x45, 0x4c, 0x46], [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe],
    [0xca, 0xfe, 0xba, 0xbe], [0xca, 0xfe, 0xba, 0xbf],
  ]
}

extension String {
  /// Leaves out the folders that every dSYM has.
  fileprivate var shortened: String { replacing("/Contents/Resources/DWARF", with: "") }
}
