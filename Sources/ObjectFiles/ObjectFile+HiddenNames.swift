import BinaryInput

extension ObjectFile {
  /// Whether names in the file were hidden when it was compiled to bitcode: they are
  /// `__hidden#123_`, and only the BCSymbolMap of that build has the real ones.
  ///
  /// Apple's compiler replaces names throughout, so it is enough to look at the first 16 MB of the
  /// names in the debug information and in the symbol table. Cost: these bytes are searched. Names
  /// in compressed sections are not found; bitcode is older than these.
  package var hasHiddenNames: Bool {
    guard format == .machO else { return false }
    let mark = Array("__hidden#".utf8)
    let limit = 16 << 20
    if let strings = try? debugSection(".debug_str"), strings.contains(mark, inFirst: limit) {
      return true
    }
    guard case .machO(_, _, let offset, let size) = symbolTableSource,
      let names = try? region.subregion(offset: UInt64(offset), count: UInt64(size))
    else { return false }
    return names.contains(mark, inFirst: limit)
  }
}
