/// Source files without duplicates, numbered in the order in which they were added. Number 0 means
/// "no file".
struct GsymFileTable: Sendable {
  /// By file number. The strings are numbers of a `GsymStringTable` while a unit is encoded, and
  /// offsets in the final string table.
  private(set) var files: [GsymSourceFile] = [GsymSourceFile(directory: 0, name: 0)]
  private var numbers: [GsymSourceFile: UInt32] = [GsymSourceFile(directory: 0, name: 0): 0]

  /// The number of `file`, which is added if it is new.
  mutating func number(of file: GsymSourceFile) -> UInt32 {
    if let number = numbers[file] { return number }
    let number = UInt32(truncatingIfNeeded: files.count)
    files.append(file)
    numbers[file] = number
    return number
  }
}
