import ObjectFiles
import SymbolicationModel

extension SymbolTable {
  /// The linkage name of the function that starts at `address`, as DWARF would have it, where a symbol
  /// starts there whose name is mangled; nil for any other.
  ///
  /// Compilers leave `DW_AT_linkage_name` out of some functions: clang up to Xcode 8 and gcc out of
  /// static ones and methods of local types, Swift 3 out of nearly all. DWARF has `init` then, and the
  /// symbol `_TFC13CrashProbeiOS11SwiftHelpercfT_S0_`.
  func mangledName(ofFunctionAt address: LinkAddress, format: ObjectFormat) -> String? {
    guard let symbol = symbol(at: address), symbol.addresses.lowerBound == address else {
      return nil
    }
    let name = symbol.nameWithoutUnderscore(format)
    guard ManglingScheme(of: name) != nil else { return nil }
    // What compilers append to C++ names of parts and copies of a function (`.cold`, `.constprop.0`).
    guard name.hasPrefix("_Z"), let suffix = name.firstIndex(of: ".") else { return name }
    return String(name[..<suffix])
  }
}

extension Symbol {
  /// The name without the underscore that every name of a Mach-O symbol table has in front.
  func nameWithoutUnderscore(_ format: ObjectFormat) -> String {
    format == .machO && rawName.utf8.first == UInt8(ascii: "_")
      ? String(Substring(rawName.utf8.dropFirst())) : rawName
  }
}
