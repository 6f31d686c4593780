/// The names and paths that the answers of one unit have needed so far. Each is read once and then
/// known by its number.
struct UnitTexts {
  private(set) var names: [FunctionNames] = []
  private(set) var paths: [String] = []
  /// By the offset of the DIE.
  private var nameNumbers: [UInt64: Int32] = [:]
  /// By the number of the file in the line table; −1 for a file without a path.
  private var pathNumbers: [UInt64: Int32] = [:]
  /// The last file asked about and its path: code of one file is mostly adjacent.
  private var lastFile: (file: UInt32, path: Int32)?

  /// The number of the names of the function whose DIE is at `offset`.
  mutating func name(
    at offset: UInt64, of unit: DwarfUnit, record: (DwarfReadError) -> Void
  ) -> Int32 {
    if let known = nameNumbers[offset] { return known }
    let read = unit.names(at: offset)
    if let fault = read.fault { record(fault) }
    let number = Int32(truncatingIfNeeded: names.count)
    names.append(read.content)
    nameNumbers[offset] = number
    return number
  }

  /// The number of the path of `file`; −1 if the table has no such file, or its name cannot be
  /// read.
  mutating func path(
    of file: UInt32, in files: LineFileTable, of unit: DwarfUnit,
    record: (DwarfReadError) -> Void
  ) -> Int32 {
    if let lastFile, lastFile.file == file { return lastFile.path }
    let number = pathNumbers[UInt64(file)] ?? newPath(of: file, in: files, of: unit, record: record)
    lastFile = (file, number)
    return number
  }

  private mutating func newPath(
    of file: UInt32, in files: LineFileTable, of unit: DwarfUnit,
    record: (DwarfReadError) -> Void
  ) -> Int32 {
    let path = files.path(at: file)
    if files.hasUnreadableNames, let offset = unit.root.lineTableOffset {
      record(.malformed(section: .line, offset: offset))
    }
    let number = path == nil ? -1 : Int32(truncatingIfNeeded: paths.count)
    if let path { paths.append(path) }
    pathNumbers[UInt64(file)] = number
    return number
  }
}
