/// Source files, each once, in the order in which they came; number 0 is none.
struct GsymFileTable: Sendable {
  /// Pairs of string numbers or offsets, in the order of the files' numbers.
  private(set) var files: [GsymSourceFile] = [GsymSourceFile(directory: 0, name: 0)]
  private var numbers: [GsymSourceFile: UInt32] = [GsymSourceFile(directory: 0, name: 0): 0]

  /// The number of a file, which is added if it is not here yet.
  mutating func number(of file: GsymSourceFile) -> UInt32 {
    if let number = numbers[file] { return number }
    let number = UInt32(truncatingIfNeeded: files.count)
    files.append(file)
    numbers[file] = number
    return number
  }
}
