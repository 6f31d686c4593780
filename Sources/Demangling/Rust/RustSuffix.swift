/// What the optimiser and the linker put behind a Rust name: `.llvm.8423978345`, `.cold`, `.123`.
enum RustSuffix {
  /// In parentheses, as behind C++ names (` (.cold)`); nothing where there is none.
  ///
  /// - Parameter keepsLinkerNumber: whether `.llvm.` and its number are shown, which tell apart functions
  ///   of one name in several units and say nothing to a reader.
  static func shown(_ suffix: ArraySlice<UInt8>, keepsLinkerNumber: Bool) -> String {
    var kept = suffix
    if !keepsLinkerNumber,
      let start = suffix.indices.first(where: { suffix[$0...].starts(with: ".llvm.".utf8) })
    {
      // Another suffix may follow the number.
      let behind = suffix[start...].dropFirst(6).drop { $0 != UInt8(ascii: ".") }
      kept = suffix[..<start] + behind
    }
    return kept.isEmpty ? "" : " (\(String(decoding: kept, as: UTF8.self)))"
  }
}
