/// A suffix that the optimiser or the linker adds to a Rust name: `.llvm.8423978345`, `.cold`,
/// `.123`.
enum RustSuffix {
  /// The suffix in parentheses, as in C++ names (` (.cold)`); empty if there is none.
  ///
  /// - Parameter keepsLinkerNumber: whether to show `.llvm.` and its number, which distinguish
  ///   functions of one name in several units.
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
